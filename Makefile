# miron: `make` lists the targets. Everything runs from .venv in this checkout.
PYTHON ?= python3
BIN := .venv/bin

# The tests whose full count is a figure of docs/benchmarks.md.
COUNTED := tests/test_rules_full_count.py tests/test_rules_stateful.py tests/test_rules_oracle.py tests/test_rules_perft.py \
	tests/test_table_kills.py tests/test_table_restart.py

.DEFAULT_GOAL := help
.PHONY: help demo test check bench train train-smoke golden run

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

.venv/.base: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

.venv/.dev: .venv/.base
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@

demo: .venv/.base ## play the recorded match through the whole pipeline to a scoreboard page (ONCE=1: no browser, exit at the end)
	$(BIN)/miron demo $(if $(ONCE),--once)

test: .venv/.dev ## the whole test suite, two files at a time
	$(BIN)/python -m pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder

check: .venv/.dev ## format, lint, types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: .venv/.dev ## the figures of docs/benchmarks.md, measured again here: timings, then the full counts of judged hands
	$(BIN)/miron bench
	$(BIN)/python -m pytest --hypothesis-profile=full $(COUNTED)

.venv-train/.ready: pyproject.toml
	test -x .venv-train/bin/python || $(PYTHON) -m venv .venv-train
	.venv-train/bin/python -m pip install --quiet --editable '.[train]' pytest
	touch $@

train: .venv-train/.ready ## render, train, calibrate, export the detector (about three hours on two cores; goes on where it was stopped)
	.venv-train/bin/miron train

train-smoke: .venv-train/.ready ## the same path in miniature, with its test
	.venv-train/bin/python -m pytest --confcutdir tests/training tests/training

golden: .venv/.dev ## render the demo's match and its expected events anew
	$(BIN)/python -m scripts.golden

run: .venv/.base ## the live monitor of one table
	$(BIN)/miron run
