# Few verbs. `make run` and `make test` need nothing but Python 3.11 (on Debian 12: python3 python3-venv make).

SHELL := /bin/sh
PYTHON ?= python3
BIN := .venv/bin
# The checkout's own folder of servers; tests have another, so that they never touch the demo.
HOUSE := $(BIN)/python -m casino.embedded
TEST_HOME ?= .sabot/test
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help run manage test check selftest demo-reset bench clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1	/p' Makefile | expand -t 20

run: .venv/run.stamp ## the whole house on this machine (PORT=8000, HOST=127.0.0.1)
	@exec $(HOUSE) run

manage: .venv/run.stamp ## any command with the servers up (ARGS="verify_trail")
	@exec $(HOUSE) exec -- python manage.py $(ARGS)

test: .venv/dev.stamp ## the whole suite on a database of its own (ARGS="tests/games -k tie")
	@PYTHONDONTWRITEBYTECODE= exec $(HOUSE) exec --home $(TEST_HOME) --throwaway -- \
	  python -m pytest -n 2 --dist worksteal $(ARGS)

check: .venv/dev.stamp ## style, types, import contracts, missing migrations, translations
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	SABOT_ENV=development SECRET_KEY=check DATABASE_URL=postgres:///sabot $(BIN)/mypy
	$(HOUSE) exec --home $(TEST_HOME) -- python manage.py makemigrations --check --dry-run
	$(BIN)/python -m casino.translations

demo-reset: .venv/run.stamp ## throw the demo casino away and make it anew
	@exec $(HOUSE) exec -- sh -c 'python manage.py migrate --verbosity 0 && exec python manage.py demo --reset --yes'

selftest: .venv/run.stamp ## known faults in throw-away copies, and what catches each (ARGS="--only trail")
	@exec $(HOUSE) exec --home .sabot/selftest --throwaway -- python manage.py selftest $(ARGS)

bench: .venv/run.stamp ## the yardstick (ARGS="--seconds 5")
	@exec $(HOUSE) exec --home .sabot/bench -- \
	  sh -c 'python manage.py migrate --verbosity 0 && exec python manage.py bench $(ARGS)'

clean: ## remove caches and the virtual environment; keeps the demo's data
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache staticfiles
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A bare Debian has python3 without venv; root may install it, others are told what to ask for.
.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "Sabot needs Python 3.11 or newer ($(PYTHON) is missing or older): set PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends python3-venv; \
	  else \
	    echo "Python's venv module is missing; on Debian: sudo apt-get install python3-venv" >&2; exit 1; \
	  fi; }
	@echo "Making the virtual environment .venv"
	@$(PYTHON) -m venv .venv

# Installed again only when the lists of requirements change.
.venv/run.stamp: requirements.txt | .venv/bin/python
	@echo "Installing what Sabot needs"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

.venv/dev.stamp: requirements-dev.txt requirements.txt | .venv/bin/python
	@echo "Installing what tests and checks need"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@ .venv/run.stamp
