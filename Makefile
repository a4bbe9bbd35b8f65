# Everything that is needed is made here: `make demo` and `make test` work on a machine with only Python and make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/installed
BENCH_STAMP := $(VENV)/bench-installed
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: all test lint types unit coverage compare pythons demo bench profile docs goldens clean

all: test

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(PIP) --editable '.[dev]'
	$(BIN)/python -m compileall -q sintra
	touch $@

$(BENCH_STAMP): $(STAMP)
	$(PIP) --editable '.[dev,bench]'
	touch $@

# -- What must be green --

test: lint types unit

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

unit: $(STAMP)
	$(BIN)/python -m pytest -n auto

# -- Longer forms --

coverage: $(STAMP)  # branch coverage of sintra/, processes included
	$(BIN)/coverage erase
	COVERAGE_CORE=ctrace $(BIN)/coverage run -m pytest -n auto
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --fail-under=95

GAMES ?= 10000

compare: $(STAMP)  # so many games for each board beside the plain implementations
	SINTRA_GAMES=$(GAMES) $(BIN)/python -m pytest -n auto tests/test_against_plain.py

pythons:  # the golden games, byte for byte, under every Python that is found
	./scripts/pythons.sh

# -- Looking at it --

demo: $(STAMP)  # a game is created, advanced, shown and replayed
	./scripts/demo.sh $(BIN)

bench: $(BENCH_STAMP)
	$(BIN)/python -m scripts.bench

profile: $(STAMP)
	$(BIN)/python -m scripts.profile_engine

docs: $(STAMP)  # the command reference, the man page and the pictures, from the program itself
	$(BIN)/python -m scripts.docs

goldens: $(STAMP)  # make the computed fixtures anew; look at the difference
	$(BIN)/python -m scripts.fixtures

clean:
	rm -rf $(VENV) build dist *.egg-info .coverage* .mypy_cache .pytest_cache .ruff_cache .hypothesis
