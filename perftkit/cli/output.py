"""Where a result goes: standard output, or a file that is complete or as it was before."""

from __future__ import annotations

import itertools
import os
import re
import shutil
import stat
import sys
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import click

from perftkit.report.console import Terminal
from perftkit.suggest import unfilled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TextIO

    from perftkit.report.console import Span

__all__ = [
    "Messages",
    "discard_stdout",
    "discard_unwritable_stderr",
    "file_identity",
    "file_or_none",
    "is_one_of",
    "is_piped",
    "open_output",
]


DESCRIPTOR = re.compile(r"/(?:dev|proc/self)/fd/([0-9]{1,9})|/dev/(stdin|stdout|stderr)")
STANDARD = ("stdin", "stdout", "stderr")
STDOUT = STANDARD.index("stdout")
PART_LENGTH = 40  # of a name that is kept in that of the unfinished file: no name is too long so

_parts = itertools.count()


class Messages(Terminal):
    """Standard error; that it is closed or full changes nothing about a result."""

    def __init__(self, *, color: bool | None = None) -> None:
        """Look at standard error.

        Args:
            color: Whether to write styles; None leaves it to the environment and the stream.
        """
        super().__init__(_nowhere() if sys.stderr is None else sys.stderr, color=color)

    def write(self, *spans: Span, end: str = "\n") -> None:
        """Write a line, if it can be written."""
        with suppress(OSError):
            super().write(*spans, end=end)

    def control(self, sequence: str) -> None:
        """Write a control sequence of our own, if it can be written."""
        with suppress(OSError):
            super().control(sequence)

    def flush(self) -> None:
        """Write out what is buffered, if it can be written."""
        with suppress(OSError):
            super().flush()


@cache
def _nowhere() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")


@contextmanager
def open_output(name: str | None) -> Iterator[TextIO]:
    """Open a place for the result; a file is replaced when all is written.

    Args:
        name: The file; None or ``-`` for standard output.

    Raises:
        click.ClickException: It can't be written.
    """
    name = file_or_none(name)
    if name is None:
        if sys.stdout is None:
            raise click.ClickException("standard output is closed")
        yield sys.stdout
        sys.stdout.flush()
        return
    if "\0" in name:
        raise click.ClickException(f"{name} can't be written: no file has such a name")
    target = Path(os.path.realpath(name))
    if not _is_replaceable(name, target):
        with _open(Path(name), name) as stream:
            yield stream
        return
    part = target.with_name(f".{target.name[:PART_LENGTH]}.{os.getpid()}-{next(_parts)}.part")
    opened = _open(part, name)
    try:
        with opened as stream:
            yield stream
        if target.exists():
            shutil.copymode(target, part)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def file_or_none(name: str | None) -> str | None:
    """Return the file that a name stands for; None for standard output."""
    if name is None or name == "-" or _descriptor(name) == STDOUT:
        return None
    return name


def file_identity(name: str | None) -> str | None:
    """Return what all names of a regular file have in common; None where there is none yet.

    Args:
        name: The file; None for standard output, which may be one as well.
    """
    try:
        found = os.fstat(sys.stdout.fileno()) if name is None else Path(name).stat()
    except (AttributeError, OSError, ValueError):
        return None
    return f"{found.st_dev}:{found.st_ino}" if stat.S_ISREG(found.st_mode) else None


def _descriptor(name: str) -> int | None:
    """Return the open file that a name like ``/dev/fd/63`` stands for."""
    found = DESCRIPTOR.fullmatch(name)
    if found is None or os.name != "posix":
        return None
    return int(found[1]) if found[1] else STANDARD.index(found[2])


def _is_replaceable(name: str, target: Path) -> bool:
    """Whether another file can take the place of this one: no pipe, no device, not one open."""
    if _descriptor(name) is not None or (Path(name).exists() and not Path(name).is_file()):
        return False
    return os.access(target.parent, os.W_OK)


def _open(path: Path, name: str) -> TextIO:
    descriptor = _descriptor(name)
    try:
        if descriptor is not None:  # where it stands, since somebody else writes there too
            return os.fdopen(os.dup(descriptor), "w", encoding="utf-8", newline="\n")
        return path.open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise click.ClickException(f"{name} can't be written: {_reason(name, error)}") from None


def _reason(name: str, error: OSError) -> str:
    """Return why a file can't be written, and what to do about it."""
    path = Path(name)
    if path.is_dir():
        return "it is a folder; give a file in it"
    folder = path.absolute().parent
    if isinstance(error, FileNotFoundError) and (ends := unfilled(name)):
        return f"there is no folder {path.parent}{ends}"
    if isinstance(error, FileNotFoundError) and not folder.exists():
        return f"there is no folder {path.parent}; make it first: mkdir -p {path.parent}"
    reason = error.strerror or str(error)
    if isinstance(error, PermissionError):
        return f"{reason}; give a file in a folder where you may write"
    return reason


def is_piped(name: str | None) -> bool:
    """Whether the result goes to another program, which may use the terminal itself."""
    if file_or_none(name) is not None:
        return False
    try:
        mode = os.fstat(sys.stdout.fileno()).st_mode
    except (AttributeError, OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def is_one_of(name: str | None, sources: Sequence[str]) -> bool:
    """Whether the result would go to a file that it is made from."""
    name = file_or_none(name)
    if name is None or not Path(name).exists():
        return False
    return any(Path(source).exists() and Path(name).samefile(source) for source in sources)


def discard_stdout() -> None:
    """Let what is still buffered for a standard output that nobody reads go nowhere."""
    _discard(sys.stdout)


def discard_unwritable_stderr() -> None:
    """Let messages that can't be written go nowhere, so that they don't change the exit status."""
    try:
        sys.stderr.flush()
    except (AttributeError, OSError, ValueError):
        _discard(sys.stderr)


def _discard(stream: TextIO | None) -> None:
    try:
        descriptor = stream.fileno() if stream is not None else -1
    except (AttributeError, OSError, ValueError):
        return
    if descriptor < 0:
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)
