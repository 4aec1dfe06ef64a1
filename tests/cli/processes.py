from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from dataclasses import dataclass
from pathlib import Path

import perftkit

PYTHONPATH = str(Path(perftkit.__file__).parents[1])
TIMEOUT = 60  # seconds
LEFT_OUT = ("PERFTKIT_", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "LC_", "LANG", "PYTHON")


def environment(**changes: str) -> dict[str, str]:
    kept = {name: text for name, text in os.environ.items() if not name.startswith(LEFT_OUT)}
    return {**kept, "PYTHONPATH": PYTHONPATH, "TERM": "xterm", "LC_ALL": "C.UTF-8", **changes}


@dataclass
class Shown:
    status: int
    text: str


def on_terminal(args, folder, columns, env, output=None):
    """Run a command; `output` takes its standard output away from the terminal."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    with subprocess.Popen(
        [sys.executable, "-m", "perftkit", *map(str, args)],
        stdin=slave,
        stdout=slave if output is None else output,
        stderr=slave,
        cwd=folder,
        env=environment(**(env or {})),
    ) as running:
        os.close(slave)
        written = b""
        while True:
            try:
                block = os.read(master, 65536)
            except OSError:  # how Linux reports that the other end was closed
                break
            if not block:
                break
            written += block
        os.close(master)
        if output is not None:
            running.stdout.close()
        status = running.wait(TIMEOUT)
    return Shown(status, written.decode().replace("\r\n", "\n"))
