"""The command line: `main` is its entry point."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]


def main(args: Sequence[str] | None = None) -> None:
    """Run `perftkit` with the given words, or the process's, and exit with its status."""
    try:
        from perftkit.cli.app import app
    except KeyboardInterrupt:  # before anybody is there to handle it
        raise SystemExit(130) from None
    app.main(args)
