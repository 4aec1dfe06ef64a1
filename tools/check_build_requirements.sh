#!/bin/sh
# Usage: check_build_requirements.sh PYTHON
#
# Whether this machine can build perftkit with that Python. Says what to install, in one sentence
# on standard error, and exits 1 at the first thing that is missing. Changes nothing.
set -u

python=$1

missing() {
    echo "perftkit can't be built: $1." >&2
    exit 1
}

command -v "$python" >/dev/null 2>&1 ||
    missing "there is no program '$python', install Python 3.10 or newer (Debian: apt install\
 python3 python3-venv python3-dev, Fedora: dnf install python3 python3-devel, macOS: brew install\
 python), or name one with 'make PYTHON=…'"

version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) ||
    missing "'$python' does not run Python code, name another Python with 'make PYTHON=…'"

"$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' ||
    missing "'$python' is Python $version and 3.10 or newer is needed, install one (Debian: apt\
 install python3 python3-venv python3-dev, Fedora: dnf install python3.12 python3.12-devel, macOS:\
 brew install python) and name it with, say, 'make PYTHON=python3.12'"

"$python" -c 'import ensurepip, venv' 2>/dev/null ||
    missing "this Python lacks the venv or ensurepip module, install it (Debian: apt install\
 python$version-venv, Fedora: dnf install python3-libs, macOS: brew install python)"

scratch=$(mktemp -d) || missing "there is no room for a temporary folder"
trap 'rm -rf "$scratch"' EXIT

# The compiler that setuptools will call: CC, or else the one that built this Python.
compiler=${CC:-$("$python" -c 'import sysconfig; print(sysconfig.get_config_var("CC") or "cc")')}

compiles() {
    # shellcheck disable=SC2086  # a compiler may come with options: "gcc -pthread"
    $compiler -c "$@" -o "$scratch/try.o" >/dev/null 2>&1
}

printf '#include <stdlib.h>\nint main(void) { return EXIT_SUCCESS; }\n' >"$scratch/try.c"
compiles "$scratch/try.c" ||
    missing "there is no C compiler that works ('$compiler' was tried), install one (Debian: apt\
 install build-essential, Fedora: dnf install gcc, macOS: xcode-select --install) or name yours\
 with 'make CC=…'"

include=$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')
platform_include=$("$python" -c 'import sysconfig; print(sysconfig.get_path("platinclude"))')
printf '#include <Python.h>\n' >"$scratch/try.c"
compiles -I"$include" -I"$platform_include" "$scratch/try.c" ||
    missing "the header Python.h of Python $version is not in $include, install it (Debian: apt\
 install python$version-dev, Fedora: dnf install python3-devel, macOS: brew install python)"
