# Commands for this project; `make help` lists them. Needs Python 3.11 to 3.14 with its venv module.

SHELL := /bin/sh
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help

# The first suitable one creates .venv; PYTHON=... chooses another.
PYTHON ?=
CANDIDATES := $(if $(PYTHON),$(PYTHON),python3 python3.14 python3.13 python3.12 python3.11)
VENV := .venv/bin/python
PIP := $(VENV) -m pip install -qq --disable-pip-version-check
PORT ?= 8000
HOST ?= 127.0.0.1
DEMO ?=
LOG ?=
SEED ?=
MINUTES ?=
PYTEST_ARGS ?=
FILE ?=
BENCHMARKS := $(patsubst benchmarks/%.py,%,$(shell grep -l __main__ benchmarks/*.py))
# The settings of a production site, for checks that need no servers.
PRODUCTION := LAUREL_OFFLINE=1 LAUREL_SITE_URL=https://league.example \
	EMAIL_URL=smtp+tls://mail.example LAUREL_PROXY_HOPS=1 \
	SECRET_KEY=a-key-of-fifty-or-more-letters-that-signs-nothing-but-checks

# Tests start many processes; bytecode that is kept saves each of them the compiling.
PYTEST := PYTHONDONTWRITEBYTECODE= LAUREL_DATA="$$PWD/.laurel/test" exec $(VENV) -m pytest

.PHONY: help run check test test-long t lint types bench bench-ratings bench-matchmaking bench-standings measure attack chaos pictures demo clean

help: ## List these commands
	@echo 'Laurel. Commands:'
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | while IFS='|' read -r name text; do printf '%-26s%s\n' "$$name" "$$text"; done

run: .venv/laurel-run ## Run the whole site at http://localhost:8000 (PORT=8001 for another port, DEMO=0 for no demo)
	@PORT='$(PORT)' HOST='$(HOST)' DEMO='$(DEMO)' LOG='$(LOG)' exec $(VENV) -m embedded.run

check: lint types ## Check style, imports and types

test: .venv/laurel-dev ## Run all tests, on every core
	@$(PYTEST) -n auto $(PYTEST_ARGS)

test-long: .venv/laurel-dev ## Run all tests with many more random cases
	@LAUREL_TESTS=long $(PYTEST) -n auto $(PYTEST_ARGS)

t: .venv/laurel-dev ## Run one file: make t FILE=tests/league/dishonor/test_bans.py
	@$(PYTEST) $(FILE) $(PYTEST_ARGS)

lint: .venv/laurel-dev ## Check style, imports between packages, Django settings and migrations
	@$(VENV) -m ruff format --check .
	@$(VENV) -m ruff check .
	@$(VENV) -c 'from importlinter.cli import lint_imports_command as lint; lint()'
	@$(PRODUCTION) $(VENV) -W error manage.py check --deploy --fail-level WARNING
	@$(PRODUCTION) $(VENV) -W error manage.py makemigrations --check --dry-run

types: .venv/laurel-dev ## Check types
	@LAUREL_DATA="$$PWD/.laurel/test" $(VENV) -m mypy

bench: .venv/laurel-bench ## Measure the figures of the README, compared with other libraries
	@$(MAKE) measure NAMES='$(BENCHMARKS)'

bench-ratings: .venv/laurel-bench ## Measure the rating systems only
	@$(MAKE) measure NAMES='$(filter ratings_%,$(BENCHMARKS))'

bench-matchmaking: .venv/laurel-bench ## Measure the matchmakers only
	@$(MAKE) measure NAMES='$(filter matchmaking%,$(BENCHMARKS))'

bench-standings: .venv/laurel-bench ## Measure the standings only, with a million players
	@$(MAKE) measure NAMES=standings

attack: .venv/laurel-dev ## Attack a running site as a cheat would, and print what it gains
	@exec $(VENV) -m tests.attacks

chaos: .venv/laurel-dev ## Bring faults about on a running site, and print what is lost (SEED=1 to repeat, MINUTES=7)
	@SEED='$(SEED)' MINUTES='$(MINUTES)' exec $(VENV) -m tests.chaos

pictures: .venv/laurel-dev ## Take the pictures of the README again, from a site of its own
	@exec $(VENV) -m tests.pictures

measure:
	@for name in $(NAMES); do echo "== $$name"; LAUREL_DATA="$$PWD/.laurel/bench" $(VENV) -m "benchmarks.$$name" || exit 1; done

demo: .venv/laurel-run ## Create the demo league without starting the site
	@$(VENV) manage.py prepare

clean: ## Remove installed packages and caches; keep the data in .laurel
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Stamp files: packages are installed again when their requirements change.
.venv/laurel-run: requirements.txt | .venv/bin/python
	@echo 'Installing what Laurel needs (about a minute the first time) ...'
	@$(PIP) -r requirements.txt || { echo 'The packages of requirements.txt could not be installed. The lines above say why; fix that and try again.' >&2; exit 1; }
	@touch $@

.venv/laurel-dev: requirements-dev.txt .venv/laurel-run
	@echo 'Installing the test tools ...'
	@$(PIP) -r requirements-dev.txt || { echo 'The packages of requirements-dev.txt could not be installed. The lines above say why; fix that and try again.' >&2; exit 1; }
	@touch $@

.venv/laurel-bench: requirements-bench.txt .venv/laurel-dev
	@echo 'Installing the libraries to compare with ...'
	@$(PIP) -r requirements-bench.txt || { echo 'The packages of requirements-bench.txt could not be installed. The lines above say why; fix that and try again.' >&2; exit 1; }
	@touch $@

.venv/bin/python:
	@found=; \
	for python in $(CANDIDATES); do \
	  if "$$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' 2>/dev/null; then found=$$python; break; fi; \
	done; \
	if [ -z "$$found" ]; then \
	  echo "Laurel needs Python 3.11 to 3.14, and $(firstword $(CANDIDATES)) is $$($(firstword $(CANDIDATES)) --version 2>&1 || true): install one, or name it with make PYTHON=/path/to/python3." >&2; exit 1; \
	fi; \
	"$$found" -m venv .venv >.venv-log 2>&1 || { rm -rf .venv .venv-log; \
	  echo "$$found cannot create a virtual environment: install its venv module (on Debian: apt-get install python3-venv) and try again." >&2; exit 1; }; \
	rm -f .venv-log
