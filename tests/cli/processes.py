from __future__ import annotations

import os
from pathlib import Path

import perftkit

PYTHONPATH = str(Path(perftkit.__file__).parents[1])
LEFT_OUT = ("PERFTKIT_", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "LC_", "LANG", "PYTHON")


def environment(**changes: str) -> dict[str, str]:
    kept = {name: text for name, text in os.environ.items() if not name.startswith(LEFT_OUT)}
    return {**kept, "PYTHONPATH": PYTHONPATH, "TERM": "xterm", "LC_ALL": "C.UTF-8", **changes}
