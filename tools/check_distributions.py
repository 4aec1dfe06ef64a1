"""Check what an sdist and a wheel hold: `check_distributions.py FOLDER`, with one of each in it.

Prints what is wrong and exits 1; the project's tree, from which this is run, says what belongs in.
"""

from __future__ import annotations

import platform
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
NEVER = (".c", ".o", ".pyc", ".html")


def files_in(*patterns: str) -> set[str]:
    """The project's files that match, as paths relative to its root."""
    return {
        path.relative_to(ROOT).as_posix()
        for pattern in patterns
        for path in ROOT.glob(pattern)
        if path.is_file()
    }


def faults_of_sdist(names: set[str]) -> list[str]:
    wanted = files_in(
        *("perftkit/**/*.py", "perftkit/**/*.pyi", "perftkit/**/*.pyx", "perftkit/**/*.px[di]"),
        *("perftkit/**/*.css", "perftkit/**/*.js"),
        *("perftkit/py.typed", "data/*.py", "data/*.epd", "data/*.md", "tests/**/*.py"),
        *("docs/*.md", "tools/*.*", "*.md", "*.toml", "LICENSE", "Makefile", "setup.py"),
    )
    extra = sorted(name for name in names if name.endswith((*NEVER, ".so", ".pyd")))
    return [f"the sdist lacks {name}" for name in sorted(wanted - names)] + [
        f"the sdist holds {name}, which is made by a build" for name in extra
    ]


def faults_of_wheel(names: set[str]) -> list[str]:
    wanted = files_in("perftkit/**/*.py", "perftkit/**/*.pyi", "perftkit/**/*.pxd")
    wanted |= files_in("perftkit/py.typed", "perftkit/**/*.css", "perftkit/**/*.js")
    wanted |= {f"perftkit/{name}" for name in files_in("data/*.py", "data/*.epd", "data/*.md")}
    compiled = {name.partition(".")[0] for name in names if name.endswith((".so", ".pyd"))}
    extensions = {name.partition(".")[0] for name in files_in("perftkit/**/*.pyx")}
    # As in setup.py: only x86-64 has this build of the fast walker.
    if platform.machine() not in ("x86_64", "AMD64") or sys.platform == "win32":
        extensions.discard("perftkit/core/fast_v3")
    extra = sorted(name for name in names if name.endswith(NEVER) or name.startswith("tests/"))
    return (
        [f"the wheel lacks {name}" for name in sorted(wanted - names)]
        + [f"the wheel lacks the compiled {name}" for name in sorted(extensions - compiled)]
        + [f"the wheel holds {name}" for name in extra]
    )


def names_in_sdist(path: Path) -> set[str]:
    with tarfile.open(path) as archive:
        return {name.partition("/")[2] for name in archive.getnames()}


def names_in_wheel(path: Path) -> set[str]:
    with zipfile.ZipFile(path) as archive:
        return set(archive.namelist())


def main() -> int:
    folder = Path(sys.argv[1])
    (sdist,) = folder.glob("*.tar.gz")
    (wheel,) = folder.glob("*.whl")
    faults = faults_of_sdist(names_in_sdist(sdist)) + faults_of_wheel(names_in_wheel(wheel))
    for fault in faults:
        print(fault)
    if not faults:
        print(f"{sdist.name} and {wheel.name} hold what they should, and nothing else")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
