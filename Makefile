PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
GAME ?=

.PHONY: play test soak check bench generate clean

play: $(VENV)/.ready
	@$(BIN)/dicecli play $(GAME)

test: $(VENV)/.ready
	$(BIN)/python -m pytest -m "not soak" -n logical --dist worksteal

soak: $(VENV)/.ready
	$(BIN)/python -m pytest -m soak

check: $(VENV)/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.ready
	$(BIN)/python tests/bench.py

generate: $(VENV)/.ready
	$(BIN)/dicecli generate man > man/dicecli.1
	$(BIN)/dicecli generate bash > completions/dicecli.bash
	$(BIN)/dicecli generate zsh > completions/_dicecli
	$(BIN)/dicecli generate fish > completions/dicecli.fish
	$(BIN)/dicecli generate reference > docs/reference.md
	$(BIN)/dicecli rules schema > docs/ruleset.schema.json

clean:
	rm -rf $(VENV) dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/.ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "dicecli needs Python 3.11 or newer: make PYTHON=python3.12")'
	@echo "Setting up $(VENV) (once) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@$(BIN)/python -m compileall -q dicecli
	@touch $@
