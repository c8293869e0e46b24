# Two commands do everything: `make play` and `make test`. Each makes .venv first.
# The venv is made anew when pyproject.toml changes; nothing outside this folder is touched,
# except that `make test`, as root on Debian or Ubuntu, installs programs that the tests need by
# apt-get, unless it is called as `make test PROGRAMS=no`.

PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3.14 python3 python; do \
	command -v $$p >/dev/null 2>&1 && $$p -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' \
	>/dev/null 2>&1 && { command -v $$p; break; }; done)
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
PYTEST := $(BIN)/python -m pytest
# A process for each core and one more (tests/conftest.py says why); one that has nothing left to
# do takes over tests of another.
PARALLEL := --numprocesses logical --maxprocesses 8 --dist worksteal
# The tests start many processes, which need not compile every module anew.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: play test test-failed lint test-long test-lowest test-gpu release docs bench format programs clean help

# Without a browser it prints the address and serves; Ctrl-C, or Quit on the page, ends it.
play: .venv/core  ## play on a page in your browser
	@$(BIN)/clauseboard play

# tests/test_source.py runs formatter, linter and type checker beside the other tests.
test: .venv/dev programs  ## formatter check, linter, type checker, tests
	$(PYTEST) -m "not long and not gpu" --examples few $(PARALLEL)

test-failed: .venv/dev  ## the tests that failed in the last run, one at a time
	$(PYTEST) -m "not long and not gpu" --examples few --last-failed --last-failed-no-failures none -rA --no-header

test-long: .venv/dev programs  ## what takes too long for every day; property tests in full
	$(PYTEST) -m "long or hypothesis" $(PARALLEL)

lint: .venv/dev  ## formatter check, linter, type checker alone
	$(PYTEST) -q tests/test_source.py

# Outside this folder: a venv of its own for each Python that is found.
test-lowest:  ## every command with the lowest versions of its dependencies that are allowed
	@$(PYTHON) tests/lowest_versions.py

docs: .venv/docs  ## the documentation as a site, in build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "It is in build/site. To search it: $(BIN)/python -m http.server --directory build/site"

release:  ## build wheel and source archive, check them, try them in empty environments
	@$(PYTHON) tests/release.py --out dist

# On machines with a GPU CuPy often comes with the system's Python, which is taken then as it is.
test-gpu:  ## tests that need a GPU
	@if python3 -c 'import cupy, sklearn, pytest' 2>/dev/null; then python=python3; \
	else $(MAKE) .venv/gpu && python=$(BIN)/python; fi; \
	CLAUSEBOARD_RECORD_GPU_TESTS=1 PYTHONPATH=src $$python -m pytest -m gpu tests/gpu

bench: .venv/bench  ## this machine beside the other libraries (takes long)
	$(BIN)/python benchmarks/tsetlin.py

format: .venv/dev  ## let the formatter and the linter mend what they can
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

programs: .venv/dev
	@$(BIN)/python tests/programs.py $(PROGRAMS)

.venv/python:
	@test -n "$(PYTHON)" || { echo "Clauseboard needs Python 3.11 or newer with venv; none was found. Try: make PYTHON=/path/to/python3"; exit 2; }
	$(PYTHON) -m venv .venv
	@touch $@

.venv/core: .venv/python pyproject.toml
	$(PIP) -e ".[web]"
	@touch $@

.venv/dev: .venv/python pyproject.toml
	$(PIP) -e ".[dev,plots]"
	@touch $@ .venv/core

.venv/gpu: .venv/dev
	$(PIP) -e ".[dev,gpu]"
	@touch $@

.venv/docs: .venv/python pyproject.toml
	$(PIP) -e ".[docs]"
	@touch $@ .venv/core

.venv/bench: .venv/python pyproject.toml
	$(PIP) -e ".[bench]"
	@touch $@ .venv/core

clean:  ## remove the environment
	rm -rf .venv

help:  ## this list
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:.*##/:/'
