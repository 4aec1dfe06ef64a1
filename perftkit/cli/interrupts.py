"""Ctrl-C that never leaves a result half written."""

from __future__ import annotations

import signal
import threading
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Interrupts"]

Item = TypeVar("Item")


class Interrupts:
    """While it is entered, the first Ctrl-C is felt only inside `next`.

    A second one is felt at once, for a reader of the output that has stopped reading.
    """

    def __init__(self) -> None:
        self._felt = False
        self._pending = False
        self._previous: Any = None

    def __enter__(self) -> Interrupts:
        ignored = signal.getsignal(signal.SIGINT) in (signal.SIG_IGN, None)
        if threading.current_thread() is threading.main_thread() and not ignored:
            self._previous = signal.signal(signal.SIGINT, self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        if self._previous is not None:
            signal.signal(signal.SIGINT, self._previous)

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

    def _handle(self, *_: object) -> None:
        if self._felt or self._pending:
            raise KeyboardInterrupt
        self._pending = True
