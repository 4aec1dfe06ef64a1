"""What a crew does when the system gives fewer threads than were asked for."""

from __future__ import annotations

from threading import Thread

import pytest

from perftkit import STARTPOS, perft
from perftkit.core import perft as perft_module
from perftkit.errors import ThreadError


@pytest.fixture(autouse=True)
def _always_threaded(monkeypatch):
    monkeypatch.setattr(perft_module, "WORTH_THREADS", 0)


def allow(monkeypatch, number):
    started = []
    start = Thread.start

    def limited(self):
        if len(started) >= number:
            raise RuntimeError("can't start new thread")
        started.append(self)
        start(self)

    monkeypatch.setattr(Thread, "start", limited)


def test_fewer_threads_count_the_same(monkeypatch):
    allow(monkeypatch, 1)
    # OEIS A048987.
    assert perft(STARTPOS, 5, threads=8).nodes == 4_865_609


def test_no_thread_at_all_is_a_clear_error(monkeypatch):
    allow(monkeypatch, 0)
    with pytest.raises(ThreadError, match="no thread to count on: can't start new thread"):
        perft(STARTPOS, 5, threads=8)
