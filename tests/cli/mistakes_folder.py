"""The folder in which the mistakes of docs/mistakes.md are made, and how they are made there."""

from __future__ import annotations

import gzip
import os
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

from processes import environment

from perftkit import KIWIPETE, STARTPOS

TESTS = Path(__file__).parents[1]
TIMEOUT = 60  # seconds

PERFTKIT = f"#!{sys.executable}\nfrom perftkit.cli import main\nmain()\n"
MY_ENGINE = f"""#!{sys.executable}
import sys
sys.path.insert(0, {str(TESTS)!r})
from planted import __main__ as planted
planted.main()
"""


def fill(folder: Path) -> None:
    """Make the files that the commands name."""
    _program(folder / "bin" / "perftkit", PERFTKIT)
    _program(folder / "my-engine", MY_ENGINE)
    _program(folder / "my engine" / "engine", MY_ENGINE)
    _program(folder / "dies", "#!/bin/sh\necho 'net.bin: no such file' >&2\nexit 7\n")
    _program(folder / "hello", "#!/bin/sh\necho Hello\ncat >/dev/null\n")
    _program(folder / "my-engine.exe", b"MZ\x90\0\3\0\0\0")
    _program(folder / "other-processor", b"\x7fELF" + bytes(range(60)))
    _program(folder / "engine.py", MY_ENGINE.partition("\n")[2])
    _program(folder / "engine-script", "cat >/dev/null\n")
    _program(folder / "old-script", "#!/nowhere/python2\n")
    (folder / "just-compiled").write_text(MY_ENGINE)
    (folder / "engines.toml").write_text('[engines.mine]\nspec = "./my-engine"\n')
    row = f'{STARTPOS} ;D1 20 ;D2 400 ;id "start"\n{KIWIPETE} ;D3 97862 ;id "kiwipete"\n'
    (folder / "my_suite.epd").write_text(row)
    (folder / "windows.epd").write_bytes(b"\xef\xbb\xbf" + row.replace("\n", "\r\n").encode())
    (folder / "notepad.epd").write_text(row, encoding="utf-16")
    (folder / "broken.epd").write_text(row + "8/8/8 w - - 0 1 ;D1 5\n")
    (folder / "empty.epd").write_text("# nothing yet\n")
    (folder / "games.pgn").write_text('[Event "Casual game"]\n\n1. e4 e5 *\n')
    with zipfile.ZipFile(folder / "suite.zip", "w") as archive:
        archive.writestr("my_suite.epd", row)
    (folder / "my_suite.epd.gz").write_bytes(gzip.compress(row.encode()))
    (folder / "result.json").write_text('{"perftkit": "0.1.0", "schema": 1}\n')
    (folder / "suites").mkdir()
    (folder / "suites" / "small.epd").write_text(row)
    (folder / "notes.txt").write_text("all was right yesterday\n")
    for name, text in (
        ("key", "[tool.perftkit.run]\ndept = 5\n"),
        ("type", "[tool.perftkit.run]\ndepth = true\n"),
        ("value", '[tool.perftkit.run]\ndepth = "deep"\n'),
        ("place", "[tool.perftkit]\ndepth = 5\n"),
    ):
        project = folder / f"project-{name}"
        project.mkdir()
        (project / "pyproject.toml").write_text(text)


def _program(path: Path, content: str | bytes) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def typed(command: str, folder: Path) -> tuple[int, str]:
    """Return the exit status of what is typed, and all that is written, in one text."""
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=folder,
        env=environment(PATH=path, COLUMNS="80"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        timeout=TIMEOUT,
    )
    text = done.stdout.decode().replace(f"{folder}/", "/home/me/")
    return done.returncode, text.replace("\t", " ")
