# Two commands do all the set-up: `make demo` and `make test`. Everything lands in .venv and demo/.
PYTHON ?= $(shell sh scripts/find-python.sh)
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

.PHONY: demo test test-slow lint docs bench clean

demo: .venv/ready
	@mkdir -p demo
	$(BIN)/caveat report "$$($(BIN)/caveat data get chatbot-arena)" \
	  "$$($(BIN)/caveat data get medley-bench)" \
	  --title "Chatbot Arena, August 2024" --out demo/report.html --json demo/report.json
	@echo "Open demo/report.html in a browser."

test: .venv/ready-test
	$(BIN)/python -m pytest

test-slow: .venv/ready-test
	$(BIN)/python -m pytest -m slow

lint: .venv/ready-lint
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python scripts/shape.py src
	$(BIN)/python -m cogapp --check $(COGGED)

docs: .venv/ready-lint
	$(BIN)/python -m cogapp -r $(COGGED)

COGGED := docs/cli.md docs/caveats/README.md

bench: .venv/ready-bench
	$(BIN)/python benchmarks/run.py

.venv/made: scripts/find-python.sh
	@test -n "$(PYTHON)" || { sh scripts/find-python.sh; exit 1; }
	$(PYTHON) -m venv .venv
	$(PIP) install --quiet --upgrade "pip>=25.1"
	@touch $@

.venv/ready: .venv/made pyproject.toml
	$(PIP) install --quiet --editable .
	@touch $@

.venv/ready-%: .venv/ready
	$(PIP) install --quiet --editable . --group $*
	@touch $@

clean:
	rm -rf .venv demo .mypy_cache .ruff_cache .pytest_cache .hypothesis
