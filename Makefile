# `make run` and `make test` need nothing but Python 3.10 or newer, a C compiler and make; `make help`
# lists the rest. Everything here works with GNU make 3.81, which macOS has.

VENV := .venv
TOOLS := .venv-tools
SANITIZE := .venv-sanitize

# The folder keeps the Python it was made with until another one is named: make PYTHON=python3.12
MADE_WITH := $(shell test -x $(VENV)/bin/python && cat $(VENV)/made-with 2>/dev/null)
ifndef PYTHON
PYTHON := $(if $(MADE_WITH),$(MADE_WITH),python3)
endif

# Programs that the tests talk to where they are installed; their tests are skipped elsewhere.
ENGINES := stockfish fairy-stockfish ethereal-chess sjeng glaurung toga2
# Where the tests look at HTML.
BROWSER := chromium chromium-driver

# $(call apt_install,PACKAGES): those that are not there yet, as far as this can be done.
apt_install = command -v apt-get >/dev/null && test "$$(id -u)" = 0 || \
	{ echo "no apt or not root: tests of what is not installed are skipped"; exit 0; }; \
	dpkg -s $(1) >/dev/null 2>&1 || { \
		export DEBIAN_FRONTEND=noninteractive; \
		apt-get update -qq >/dev/null 2>&1; \
		for package in $(1); do \
			apt-get install -qq --no-install-recommends "$$package" >/dev/null 2>&1 || \
				echo "$$package can't be installed: its tests are skipped"; \
		done; }

# Arguments for the command that a target runs: make run ARGS="--depth 4"
ARGS =

CORE := setup.py pyproject.toml $(wildcard $(addprefix perftkit/core/*.,pyx pxd pxi h))
SANITIZED := build/sanitize

CHECK := sh tools/check_build_requirements.sh
PIP_INSTALL := -m pip install --quiet --disable-pip-version-check
# Cython looks at the sources' dates only; a changed setup.py may ask for other C.
BUILD := CYTHON_FORCE_REGEN=1

.PHONY: help run test engines browser lint format docs actions sanitize ci clean
.DELETE_ON_ERROR:

help:
	@echo "make run       build once, then count the reference suite to depth 5 (ARGS=\"--depth 4\")"
	@echo "make test      build once, then run the whole test suite (ARGS=\"-k fen\")"
	@echo "make engines   install chess engines for the tests, where apt and root are available"
	@echo "make browser   install Chromium for the tests of HTML, where apt and root are available"
	@echo "make lint      ruff, cython-lint and mypy"
	@echo "make format    let ruff rewrite the layout of the Python files"
	@echo "make docs      the documentation as web pages, in site/"
	@echo "make actions   action.yml, workflows, hooks and the list of wheels, by their schemas"
	@echo "make sanitize  the core's tests under the address and undefined-behaviour sanitizers"
	@echo "make ci        everything that is checked before a change is accepted"
	@echo "make clean     remove all that these commands made"
	@echo
	@echo "PYTHON=python3.12 chooses the Python, CC=clang the compiler."

run: $(VENV)/installed
	@$(VENV)/bin/perftkit run $(if $(ARGS),$(ARGS),--depth 5)

test: $(VENV)/installed-test-extra
	@$(VENV)/bin/python -m pytest -n 2 $(ARGS)

engines:
	@$(call apt_install,$(ENGINES))

browser:
	@$(call apt_install,$(BROWSER))

lint: $(TOOLS)/installed
	$(TOOLS)/bin/ruff check .
	$(TOOLS)/bin/ruff format --check .
	PATH="$(CURDIR)/$(TOOLS)/bin:$$PATH" cython-lint perftkit
	$(TOOLS)/bin/mypy

format: $(TOOLS)/installed
	$(TOOLS)/bin/ruff format .
	$(TOOLS)/bin/ruff check --fix .

docs: $(TOOLS)/installed
	NO_MKDOCS_2_WARNING=1 $(TOOLS)/bin/mkdocs build --strict --quiet

actions: $(TOOLS)/installed
	@$(TOOLS)/bin/python -c "import sys; sys.exit(sys.version_info < (3, 11))" || \
		{ echo "skipped: its tools need Python 3.11"; exit 0; }; \
	set -ex; \
	$(TOOLS)/bin/check-jsonschema --builtin-schema vendor.github-actions action.yml; \
	$(TOOLS)/bin/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml; \
	$(TOOLS)/bin/pre-commit validate-manifest .pre-commit-hooks.yaml; \
	$(TOOLS)/bin/python tools/check_wheels.py

ci:
	.ci/run

clean:
	rm -rf $(VENV) $(TOOLS) $(SANITIZE) build dist site *.egg-info
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis
	rm -f $(addprefix perftkit/core/*.,c html so pyd)
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# --- the environment that run and test share ------------------------------------------------------
# An editable install: only a change of the core has to be built again.

ifneq ($(MADE_WITH),$(PYTHON))
.PHONY: $(VENV)/made-with
endif

$(VENV)/made-with:
	@$(CHECK) "$(PYTHON)"
	@"$(PYTHON)" -m venv --clear $(VENV)
	@echo "$(PYTHON)" >$@

$(VENV)/installed: $(VENV)/made-with $(CORE)
	@$(CHECK) "$(PYTHON)"
	@echo "Building perftkit in $(VENV), once: this takes about a minute." >&2
	@$(BUILD) $(VENV)/bin/python $(PIP_INSTALL) --editable .
	@touch $@

# perftkit itself is there already, so that this adds only what its test extra asks for.
$(VENV)/installed-test-extra: $(VENV)/installed
	@$(VENV)/bin/python $(PIP_INSTALL) "perftkit[test]"
	@touch $@

# --- environments of the developers' tools --------------------------------------------------------

$(TOOLS)/installed: tools/requirements.txt
	@"$(PYTHON)" -m venv --clear $(TOOLS)
	@$(TOOLS)/bin/python $(PIP_INSTALL) --requirement tools/requirements.txt
	@touch $@

# A copy is built, since objects with and without sanitizers must not meet in one folder. The
# interpreter itself has none, so their libraries have to be loaded before it. They write to the
# process's standard error, past Python: pytest must not catch that.
sanitize:
	@$(CHECK) "$(PYTHON)"
	rm -rf $(SANITIZED)
	mkdir -p $(SANITIZED)
	cp -Rp perftkit data tests pyproject.toml setup.py README.md LICENSE $(SANITIZED)
	rm -f $(addprefix $(SANITIZED)/perftkit/core/*.,c so)
	test -x $(SANITIZE)/bin/python || "$(PYTHON)" -m venv $(SANITIZE)
	PERFTKIT_SANITIZE=address,undefined \
		$(SANITIZE)/bin/python $(PIP_INSTALL) --editable "$(SANITIZED)[test]"
	cd $(SANITIZED) && \
		LD_PRELOAD="$$($(CC) -print-file-name=libasan.so) $$($(CC) -print-file-name=libubsan.so)" \
		ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
		PYTHONMALLOC=malloc \
		../../$(SANITIZE)/bin/python -m pytest -n 2 --capture=sys tests/core $(ARGS)
