"""The command line: `main` is its entry point."""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]


def main(args: Sequence[str] | None = None) -> None:
    """Run `perftkit` with the given words, or the process's, and exit with its status."""
    ready = signal.getsignal(signal.SIGINT)
    if ready is signal.default_int_handler:
        # Ctrl-C in the middle of an import would come out as any error, or a traceback.
        signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    try:
        from perftkit.cli.app import app
    except ImportError as error:
        if not (error.name or "").startswith("perftkit.core"):
            raise
        from perftkit.errors import NOT_BUILT

        print(f"Error: {NOT_BUILT}", file=sys.stderr)
        sys.exit(2)
    signal.signal(signal.SIGINT, ready)
    app.main(args)
