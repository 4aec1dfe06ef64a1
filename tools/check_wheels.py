"""Check that the wheels that cibuildwheel would build are those that docs/ci.md promises.

    python tools/check_wheels.py

Asks cibuildwheel, which reads pyproject.toml; nothing is built. Prints each difference, and exits 1
if there is one.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Row of the table, cibuildwheel's platform and processor, and how its identifiers end.
PLATFORMS = {
    "Linux x86-64": ("linux", "x86_64", ("manylinux_x86_64", "musllinux_x86_64")),
    "Linux arm64": ("linux", "aarch64", ("manylinux_aarch64", "musllinux_aarch64")),
    "macOS x86-64": ("macos", "x86_64", ("macosx_x86_64",)),
    "macOS arm64": ("macos", "arm64", ("macosx_arm64",)),
    "Windows x86-64": ("windows", "AMD64", ("win_amd64",)),
    "Windows arm64": ("windows", "ARM64", ("win_arm64",)),
}


def promised() -> dict[str, set[str]]:
    """Return the Pythons that the page's table gives for each platform, as `cp314t`."""
    page = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ((?:Linux|macOS|Windows) \S+) \|.*\| (.*?) \|$", page, re.MULTILINE)
    return {
        name: {f"cp3{minor}" for minor in re.findall(r"3\.(\d+t?)", text)} for name, text in rows
    }


def built(platform: str, processor: str) -> set[str]:
    """Return cibuildwheel's identifiers for one platform and processor."""
    words = ["--print-build-identifiers", "--platform", platform, "--archs", processor, str(ROOT)]
    found = subprocess.run(
        [sys.executable, "-m", "cibuildwheel", *words], capture_output=True, text=True, check=False
    )
    if found.returncode:
        sys.exit(found.stderr)
    return set(found.stdout.split())


def differences() -> list[str]:
    pythons = promised()
    found = [f"docs/ci.md says nothing about {name}" for name in PLATFORMS if name not in pythons]
    for name, (platform, processor, endings) in PLATFORMS.items():
        wanted = {f"{python}-{end}" for python in pythons.get(name, ()) for end in endings}
        made = built(platform, processor)
        found += [f"{wheel} is promised and not built" for wheel in sorted(wanted - made)]
        found += [f"{wheel} is built and not promised" for wheel in sorted(made - wanted)]
    return found


def main() -> int:
    found = differences()
    print("\n".join(found) or "the wheels that would be built are those that are promised")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
