# `make demo` and `make test` work on a machine with only Python and make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/installed
BENCH_STAMP := $(VENV)/bench-installed
FUZZ_STAMP := $(VENV)/fuzz-installed
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: all quick test lint types unit compiled unit-compiled compare torture pythons demo bench profile docs \
	goldens clean

all: test

# Installed in place: what you edit is what runs. `make compiled` builds the compiled package beside it.
$(STAMP): pyproject.toml setup.py
	$(PYTHON) -m venv $(VENV)
	SINTRA_PURE=1 $(PIP) --editable '.[dev]'
	$(BIN)/python -m compileall -q sintra
	touch $@

$(BENCH_STAMP): $(STAMP)
	SINTRA_PURE=1 $(PIP) --editable '.[dev,bench]'
	$(PIP) open_spiel || echo "OpenSpiel has no wheel for this machine: its figures are left out"
	touch $@

# atheris does not exist for every machine; without it, the table says so.
$(FUZZ_STAMP): $(STAMP)
	SINTRA_PURE=1 $(PIP) --editable '.[dev,fuzz]' && touch $@ || echo "atheris can't be installed here"

# -- The loop of a person at work --

QUICK := tests/test_architecture.py tests/test_game.py tests/games/test_azul_rules.py \
	tests/games/test_sintra_rules.py tests/games/test_goldens.py tests/rules tests/view tests/log/test_files.py

quick: $(STAMP)  # about ten seconds on an idle machine
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n 2 -m 'not process' --ignore=tests/rules/test_plugins.py --ignore=tests/rules/test_words.py $(QUICK)

# -- What must be green --

test: lint types unit unit-compiled

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

# Every test runs once. Coverage makes tests three times as slow, so it is measured on the files that reach the
# most code in the least time; the others run without it.
COVERED := $(filter-out %/test_words.py,$(wildcard tests/rules/test_*.py)) tests/view tests/batch \
	tests/games/test_azul_rules.py tests/games/test_sintra_rules.py tests/games/test_goldens.py \
	tests/log/test_files.py tests/log/test_corpus.py tests/log/test_limits.py tests/log/test_fuzz.py \
	tests/cli/test_animate.py tests/cli/test_commands.py tests/cli/test_follow.py tests/cli/test_move_lines.py \
	tests/cli/test_play.py tests/cli/test_strangers.py tests/test_docs.py tests/test_game.py

unit: $(STAMP)
	$(BIN)/coverage erase
	COVERAGE_CORE=ctrace $(BIN)/coverage run -m pytest -n auto $(COVERED)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --fail-under=95
	$(BIN)/python -m pytest -n auto $(COVERED:%=--ignore=%)

# The compiled package, in its own folder; without a C compiler, it is plain source.
COMPILED := build/compiled
COMPILED_STAMP := $(COMPILED)/built
RUN_COMPILED := env -u SINTRA_PURE PYTHONSAFEPATH=1 PYTHONPATH=$(CURDIR)/$(COMPILED):$(CURDIR)
RULES_TESTS := tests/test_compiled.py tests/test_game.py tests/games tests/rules tests/log/test_corpus.py

compiled: $(COMPILED_STAMP)

$(COMPILED_STAMP): $(STAMP) $(shell find sintra -name '*.py') setup.py
	rm -rf $(COMPILED)
	$(BIN)/python setup.py --quiet build --build-lib $(COMPILED) --build-temp build/temp
	touch $@

unit-compiled: $(COMPILED_STAMP)  # the tests of the rules, compiled
	@if [ -n "$$SINTRA_PURE" ] || ! ls $(COMPILED)/*.so >/dev/null 2>&1; then \
		echo "skipped: SINTRA_PURE is set, or there is no C compiler"; \
	else \
		$(RUN_COMPILED) $(BIN)/python -m pytest -n auto --import-mode=append $(RULES_TESTS); \
	fi

# -- Longer forms --

GAMES ?= 10000

compare: $(STAMP)  # GAMES games for each board beside the plain implementations
	SINTRA_GAMES=$(GAMES) $(BIN)/python -m pytest -n auto tests/games/test_against_plain.py

torture: $(FUZZ_STAMP)  # kills, cuts, faults, races, limits, mutants, fuzzing; most of an hour
	$(BIN)/python -m scripts.torture

pythons:  # the golden games, byte for byte, under every installed Python
	./scripts/pythons.sh

# -- Looking at it --

demo: $(STAMP)  # create, advance, show and replay a game
	./scripts/demo.sh $(BIN)

bench: $(BENCH_STAMP) $(COMPILED_STAMP)
	$(BIN)/python -m scripts.bench

profile: $(STAMP)
	for scene in simulate verify move; do $(BIN)/python -m scripts.profile_engine $$scene; done

docs: $(STAMP)  # generate the command reference, the manual page and the pictures
	$(BIN)/python -m scripts.docs

goldens: $(STAMP)  # generate the computed fixtures; read the diff
	$(BIN)/python -m scripts.fixtures

clean:
	rm -rf $(VENV) build dist *.egg-info .coverage* .mypy_cache .pytest_cache .ruff_cache .hypothesis
