"""The extension modules of perftkit.core; everything else is in pyproject.toml."""

import os
import platform
import re
import sys
import sysconfig

from Cython.Build import cythonize
from setuptools import Extension, setup

CORE = (
    "attacks",
    "bitboard",
    "board",
    "counts",
    "cpu",
    "cycles",
    "fast_baseline",
    "fen",
    "legality",
    "makemove",
    "movegen",
    "position",
    "signals",
    "strict",
    "table",
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

# The core is written as inline functions that take the side to move as a constant: they must be
# inlined for it to become one, whatever the compiler thinks of their size.
if sys.platform == "win32":
    compile_args, link_args, inline = ["/O2"], [], "__forceinline"
    fast_args = compile_args
else:
    compile_args, link_args = ["-O3"], []
    # What gcc adds to -O2 for loops makes the fast walkers a tenth slower: they have none that are
    # long, and hardly enough registers. benchmarks/compare.py tells.
    fast_args = ["-O2", "-fno-tree-vectorize", "-fno-tree-slp-vectorize", "-fno-tree-pre"]
    inline = "inline __attribute__((always_inline))"

# PERFTKIT_SANITIZE=address,undefined builds the core for a run of its tests under the sanitizers.
if sanitizers := os.environ.get("PERFTKIT_SANITIZE"):
    compile_args = ["-O1", "-g", "-fno-omit-frame-pointer", f"-fsanitize={sanitizers}"]
    link_args = [f"-fsanitize={sanitizers}"]
    fast_args = compile_args


def processors():
    """Name the processors to build for: on macOS not always this one, and sometimes two at once."""
    if sys.platform == "darwin":
        flags = os.environ.get("ARCHFLAGS") or sysconfig.get_config_var("CFLAGS") or ""
        if named := set(re.findall(r"-arch\s+(\S+)", flags)):
            return named
    return {platform.machine()}


# The fast walker once more, for processors that have PEXT; perftkit.core.kernel chooses. MSVC can't
# be told to use PEXT, and flags for x86-64 alone end a build for two processors.
extensions = dict.fromkeys(CORE, compile_args)
extensions["fast_baseline"] = fast_args
if processors() == {"x86_64"} and sys.platform != "win32":
    extensions["fast_v3"] = [*fast_args, "-march=x86-64-v3"]

# `perftkit --version --verbose` says how the core was compiled.
flags = " ".join([*os.environ.get("CFLAGS", "").split(), *fast_args])
macros = {"CYTHON_INLINE": inline, "PERFTKIT_FLAGS": '"' + re.sub(r'["\\]', "", flags) + '"'}

setup(
    ext_modules=cythonize(
        [
            Extension(
                f"perftkit.core.{name}",
                [f"perftkit/core/{name}.pyx"],
                extra_compile_args=arguments,
                extra_link_args=link_args,
                define_macros=list(macros.items()),
            )
            for name, arguments in extensions.items()
        ],
        compiler_directives=DIRECTIVES,
        annotate=bool(os.environ.get("PERFTKIT_ANNOTATE")),
    ),
    options={"build_ext": {"parallel": os.cpu_count()}},
)
