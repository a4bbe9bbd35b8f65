# Everything that is needed is made here: `make demo` and `make test` work on a machine with only Python and make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/installed
BENCH_STAMP := $(VENV)/bench-installed
FUZZ_STAMP := $(VENV)/fuzz-installed
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: all test lint types unit compiled unit-compiled coverage compare torture pythons demo bench profile docs \
	goldens clean

all: test

# The source is installed as it is: what is edited is what runs. `make compiled` builds the other one.
$(STAMP): pyproject.toml setup.py
	$(PYTHON) -m venv $(VENV)
	SINTRA_PURE=1 $(PIP) --editable '.[dev]'
	$(BIN)/python -m compileall -q sintra
	touch $@

$(BENCH_STAMP): $(STAMP)
	SINTRA_PURE=1 $(PIP) --editable '.[dev,bench]'
	touch $@

# atheris is not to be had for every machine: without it, the table says so.
$(FUZZ_STAMP): $(STAMP)
	SINTRA_PURE=1 $(PIP) --editable '.[dev,fuzz]' && touch $@ || echo "atheris can't be installed here"

# -- What must be green --

test: lint types unit unit-compiled

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

unit: $(STAMP)
	$(BIN)/python -m pytest -n auto

# The compiled build, in a folder of its own; without a C compiler it holds the source alone.
COMPILED := build/compiled
COMPILED_STAMP := $(COMPILED)/built
RUN_COMPILED := env -u SINTRA_PURE PYTHONSAFEPATH=1 PYTHONPATH=$(CURDIR)/$(COMPILED):$(CURDIR)
RULES_TESTS := tests/test_compiled.py tests/test_game.py tests/games tests/rules tests/log/test_corpus.py

compiled: $(COMPILED_STAMP)

$(COMPILED_STAMP): $(STAMP) $(shell find sintra -name '*.py') setup.py
	rm -rf $(COMPILED)
	$(BIN)/python setup.py --quiet build --build-lib $(COMPILED) --build-temp build/temp
	touch $@

unit-compiled: $(COMPILED_STAMP)  # the tests of the rules, on compiled rules
	@if [ -n "$$SINTRA_PURE" ] || ! ls $(COMPILED)/*.so >/dev/null 2>&1; then \
		echo "nothing is compiled: SINTRA_PURE is set, or there is no C compiler"; \
	else \
		$(RUN_COMPILED) $(BIN)/python -m pytest -n auto --import-mode=append $(RULES_TESTS); \
	fi

# -- Longer forms --

coverage: $(STAMP)  # branch coverage of sintra/, processes included
	$(BIN)/coverage erase
	COVERAGE_CORE=ctrace $(BIN)/coverage run -m pytest -n auto
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --fail-under=95

GAMES ?= 10000

compare: $(STAMP)  # so many games for each board beside the plain implementations
	SINTRA_GAMES=$(GAMES) $(BIN)/python -m pytest -n auto tests/games/test_against_plain.py

torture: $(FUZZ_STAMP)  # kills, cuts, faults, races, limits, mutants, fuzzing; most of an hour
	$(BIN)/python -m scripts.torture

pythons:  # the golden games, byte for byte, under every Python that is found
	./scripts/pythons.sh

# -- Looking at it --

demo: $(STAMP)  # a game is created, advanced, shown and replayed
	./scripts/demo.sh $(BIN)

bench: $(BENCH_STAMP) $(COMPILED_STAMP)
	$(BIN)/python -m scripts.bench

profile: $(STAMP)
	for scene in simulate verify move; do $(BIN)/python -m scripts.profile_engine $$scene; done

docs: $(STAMP)  # the command reference, the man page and the pictures, from the program itself
	$(BIN)/python -m scripts.docs

goldens: $(STAMP)  # make the computed fixtures anew; look at the difference
	$(BIN)/python -m scripts.fixtures

clean:
	rm -rf $(VENV) build dist *.egg-info .coverage* .mypy_cache .pytest_cache .ruff_cache .hypothesis
