"""The extension modules of perftkit.core; everything else is in pyproject.toml."""

import os
import sys

from Cython.Build import cythonize
from setuptools import Extension, setup

CORE = (
    "attacks",
    "bitboard",
    "board",
    "counts",
    "fen",
    "legality",
    "makemove",
    "movegen",
    "position",
    "strict",
    "zobrist",
)

DIRECTIVES = {
    "language_level": "3",
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "nonecheck": False,
    "cdivision": True,
    "embedsignature": True,
    "freethreading_compatible": True,
}

if sys.platform == "win32":
    compile_args, link_args = ["/O2"], []
else:
    compile_args, link_args = ["-O3"], []

# PERFTKIT_SANITIZE=address,undefined builds the core for a run of its tests under the sanitizers.
if sanitizers := os.environ.get("PERFTKIT_SANITIZE"):
    compile_args = ["-O1", "-g", "-fno-omit-frame-pointer", f"-fsanitize={sanitizers}"]
    link_args = [f"-fsanitize={sanitizers}"]

setup(
    ext_modules=cythonize(
        [
            Extension(
                f"perftkit.core.{name}",
                [f"perftkit/core/{name}.pyx"],
                extra_compile_args=compile_args,
                extra_link_args=link_args,
            )
            for name in CORE
        ],
        compiler_directives=DIRECTIVES,
        annotate=bool(os.environ.get("PERFTKIT_ANNOTATE")),
    )
)
