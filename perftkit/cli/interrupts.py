"""Ctrl-C, and being asked to end otherwise, that never leave a result half written."""

from __future__ import annotations

import signal
import threading
from typing import TYPE_CHECKING, Any, TypeVar

from perftkit.verify.verdict import ExitStatus

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Interrupts"]

Item = TypeVar("Item")

SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")  # the last one is not known everywhere


class Interrupts:
    """While it is entered, the first Ctrl-C is felt only inside `next`.

    So are SIGTERM and SIGHUP, unless they are ignored, as by nohup. A second one is felt at once,
    for a reader of the output that has stopped reading.
    """

    def __init__(self) -> None:
        self._felt = False
        self._pending = False
        self._number: int | None = None
        self._previous: dict[int, Any] = {}

    @property
    def status(self) -> int:
        """Return the exit status of what was interrupted: 128 and the number of the signal."""
        return ExitStatus.INTERRUPTED if self._number is None else 128 + self._number

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is not threading.main_thread():
            return self
        for name in SIGNALS:
            number = getattr(signal, name, None)
            if number is None or signal.getsignal(number) in (signal.SIG_IGN, None):
                continue
            self._previous[number] = signal.signal(number, self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._previous.items():
            signal.signal(number, handler)

    def next(self, items: Iterator[Item]) -> Item | None:
        """Return the next item, None after the last.

        Raises:
            KeyboardInterrupt: Ctrl-C now or since the last call.
        """
        self._felt = True
        try:
            if self._pending:
                raise KeyboardInterrupt
            return next(items, None)
        finally:
            self._felt = False

    def _handle(self, number: int, _: object) -> None:
        self._number = number
        if self._felt or self._pending:
            raise KeyboardInterrupt
        self._pending = True
