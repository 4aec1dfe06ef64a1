"""Why a program can't be started, and what to do about it, in words."""

from __future__ import annotations

import errno
import platform
import shlex
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from perftkit.engines.text import quoted
from perftkit.suggest import closest, unfilled

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["why_missing", "why_not_started"]

MOST_ENTRIES = 2000  # of a folder that are looked through for a name like the one given
READ = 256  # bytes of a program
UNSTARTED = (errno.EACCES, errno.ENOEXEC)
RUNNERS = {
    ".jar": "java -jar",
    ".js": "node",
    ".pl": "perl",
    ".py": "python3",
    ".rb": "ruby",
}
"""What runs files that are no programs by themselves, by their endings."""
MAC = (b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe", b"\xca\xfe\xba\xbe")


def why_missing(
    argv: Sequence[str], folder: str | None, find: Callable[[str, str | None], str | None]
) -> str:
    """Return what is wrong with a command whose program is not found, and what to type.

    Args:
        argv: The words of the command.
        folder: Where it would run.
        find: Returns the path of a program, None if there is none.
    """
    program = argv[0]
    base = Path(folder or ".")
    if _is(base / program, "is_dir"):
        return f"{quoted(program)} is a folder; give the program in it: {quoted(f'{program}/NAME')}"
    missing = f"there is no program {quoted(program)}"
    if ends := unfilled(program):
        return missing + ends
    for words in range(len(argv), 1, -1):
        name = " ".join(argv[:words])
        if _is(base / name, "is_file"):
            command = " ".join([shlex.quote(name), *argv[words:]])
            return f'{missing}; a path with spaces needs quotes of its own: --engine "{command}"'
    inner = program.split()
    if len(inner) > 1 and find(inner[0], folder) is not None:
        return f"{missing}: the quotes are doubled; write --engine {quoted(' '.join(inner))}"
    if Path(program).name == program and _is(base / program, "is_file"):
        return f"{missing} in PATH; for the one in this folder write {quoted(f'./{program}')}"
    near = _near(base / program)
    if near is not None and Path(program).name != program:
        head = "./" if program.startswith("./") else ""
        return f"{missing}, did you mean {head}{Path(program).with_name(near).as_posix()}?"
    return f"{missing}; give its path, or a command that is in PATH"


def why_not_started(path: str, error: Exception) -> str:
    """Return what to do about a program that is there and can't be started, empty if unknown."""
    number = getattr(error, "errno", None)
    head = _head(path)
    runner = RUNNERS.get(Path(path).suffix.lower())
    if runner is not None and number in UNSTARTED and not head.startswith(b"#!"):
        return f"; name what runs it: --engine {quoted(f'{runner} {shlex.quote(path)}')}"
    foreign = _built_elsewhere(head)
    if foreign and number in UNSTARTED:
        return foreign
    if number == errno.EACCES:
        return f"; make it executable: chmod +x {shlex.quote(path)}"
    if number == errno.ENOENT and head.startswith(b"#!"):
        asked = head[2:].split(b"\n")[0].strip().decode("utf-8", "replace")
        return f"; its first line asks for {quoted(asked)}, which is not there"
    if number != errno.ENOEXEC:
        return ""
    here = f"{platform.system()} on {platform.machine()}"
    if head.startswith(b"\x7fELF"):
        return f"; it is damaged or built for another processor, and this is {here}: build it here"
    return (
        "; if it is a script, its first line must name what runs it, as #!/bin/sh, or give that"
        f" as well: --engine {quoted(f'sh {shlex.quote(path)}')}"
    )


def _built_elsewhere(head: bytes) -> str:
    """Return what to do about a program for another system, empty for one that may be of this."""
    this = platform.system()
    here = f"{this} on {platform.machine()}"
    if head.startswith(b"MZ") and this != "Windows":
        return f"; it is a program for Windows, and this is {here}: build it here"
    if head.startswith(MAC) and this != "Darwin":
        return f"; it is a program for macOS, and this is {here}: build it here"
    return ""


def _near(path: Path) -> str | None:
    """Return the name of a file beside `path` that is like it."""
    try:
        names = [
            entry.name for entry in islice(path.parent.iterdir(), MOST_ENTRIES) if entry.is_file()
        ]
    except (OSError, ValueError):
        return None
    return closest(path.name, names)


def _is(path: Path, kind: str) -> bool:
    try:
        return bool(getattr(path, kind)())
    except (OSError, ValueError):  # too long, or a NUL
        return False


def _head(path: str) -> bytes:
    try:
        with Path(path).open("rb") as stream:
            return stream.read(READ)
    except OSError:
        return b""
