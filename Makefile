# `make help` lists the targets. Requires python3 (3.11 or later) with venv, and a C compiler.
# Every target creates or renews .venv by itself. Variables: PYTHON, SFIDA_NATIVE=0|1, SFIDA_JOBS, ARGS.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory
SHELL := /bin/sh

export SFIDA_NATIVE ?= 1
export PYTHONDONTWRITEBYTECODE :=     # or pytest would rewrite the assertions of every test again for each run
export SFIDA_JOBS ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)

PY := .venv/bin/python
SOURCES := $(shell find cython_ext -name '*.pyx' -o -name '*.pxd' -o -name '*.py') \
	$(wildcard engines/locale/*/LC_MESSAGES/*.po)
# renew .venv if it was made elsewhere or for other flags, or if its Python is gone
FRESH := $(shell [ "$$(cat .venv/place 2>/dev/null)" = "$(CURDIR) $(SFIDA_NATIVE)" ] && $(PY) -c "" 2>/dev/null && echo yes)
RENEW := $(if $(FRESH),,renew)
DEBUG_ENV := SFIDA_DEBUG=1 SFIDA_NATIVE=0

.PHONY: help setup play web site test test-debug lint docs catalogues bench results pictures debug wheel clean renew

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile

# ---- environment: base = Sfida itself in place, built = its modules up to date, tools = test and lint --------------

.venv/base: pyproject.toml setup.py .ci/venv $(RENEW)
	@.ci/venv base
	@touch $@

.venv/built: .venv/base $(SOURCES)
	@$(PY) setup.py -q build_ext --inplace
	@touch $@

.venv/tools: pyproject.toml .venv/base
	@.ci/venv tools
	@touch $@

.venv/web .venv/site .venv/docs: .venv/%: pyproject.toml .venv/base
	@.ci/venv $*
	@touch $@

build/debug/.built: .venv/built $(shell find api ai cli engines envs web -name '*.py' -o -name '*.toml')
	@echo "sfida: compiling the debug build ..." >&2
	@$(DEBUG_ENV) $(PY) setup.py -q build --build-lib build/debug
	@touch $@

# ---- targets for people -------------------------------------------------------------------------------------------

setup: .venv/built .venv/tools  ## get ready to change things: build, tools, hooks that check what you commit
	@$(PY) setup.py -q stage
	@if git rev-parse --git-dir >/dev/null 2>&1; then $(PY) -m pre_commit install; \
	else echo "sfida: no git repository here, so no hooks are installed" >&2; fi

play: .venv/built  ## sit down at Carcassonne against the AI
	@$(PY) -m sfida play carcassonne --seat human $(ARGS)

web: .venv/built .venv/web  ## play in the browser
	@$(PY) -m sfida serve $(ARGS)

site: .venv/built .venv/site  ## write build/site, on which Sfida runs in a browser without a server; needs Node.js
	@$(PY) -m sfida.web.site $(ARGS)

test: .venv/built .venv/tools test-debug  ## run every test (rules, engines and conformance on the debug build too)
	@$(PY) -m pytest -q -n $$(($(SFIDA_JOBS) + 1)) $(ARGS)    # one more than cores: many tests wait

test-debug: .venv/tools build/debug/.built    # without drawing, and what tests mark `release_only`
	@echo "sfida: rules, engines and conformance on the debug build" >&2
	@$(DEBUG_ENV) PYTHONPATH=build/debug $(PY) -m pytest -q -n $(SFIDA_JOBS) -p no:cacheprovider \
		--ignore-glob='*pictures.py' --ignore-glob='*svg.py' --ignore-glob='*text.py' \
		$(wildcard tests/engines tests/rules tests/conformance)

lint: .venv/built .venv/tools  ## run ruff, isort, mypy (strict) and cython-lint
	@$(PY) setup.py -q stage
	@failed=0; \
	$(PY) -m ruff check . || failed=1; \
	$(PY) -m isort --check-only -q . || failed=1; \
	$(PY) -m mypy -p sfida || failed=1; \
	PATH="$(CURDIR)/.venv/bin:$$PATH" cython-lint cython_ext || failed=1; \
	exit $$failed

docs: .venv/built .venv/docs  ## build these pages and the API reference in build/docs; a warning is an error
	@$(PY) -m sphinx -q -E -W --keep-going -c docs . build/docs
	@cp build/docs/README.html build/docs/index.html
	@echo build/docs/index.html

catalogues: .venv/base .venv/tools  ## bring the catalogues of translations up to date and compile them
	@$(PY) tests/support/catalogues.py
	@$(PY) setup.py -q catalogues

bench: .venv/built .venv/tools  ## measure playouts, clones and search
	@$(PY) -m sfida bench carcassonne $(ARGS)
	@$(PY) -m pytest -q bench/bench_calls.py --benchmark-group-by=func --benchmark-columns=median,iqr,rounds

results: .venv/built .venv/tools  ## measure what the pages quote and write it into them; ARGS=--stale lists what is due
	@$(PY) -m bench results $(ARGS)

pictures: .venv/built .venv/tools  ## draw the pictures of the pages again; needs Chromium
	@PYTHONPATH=tests $(PY) docs/browser_pictures.py $(ARGS)

debug: build/debug/.built  ## make the debug build in build/debug (use it with PYTHONPATH=build/debug)
	@PYTHONPATH=build/debug $(PY) -c "import sfida.cython_ext.state as s; assert s.DEBUG; print('PYTHONPATH=build/debug', s.__file__)"

wheel: .venv/base  ## build a portable wheel and a source archive in dist/
	@rm -rf build/obj/portable dist
	@SFIDA_NATIVE=0 $(PY) -c "from setuptools import build_meta as b; b.build_sdist('dist'); b.build_wheel('dist')" > build/wheel.log 2>&1 \
		|| { tail -20 build/wheel.log >&2; exit 1; }
	@ls dist

clean:  ## remove everything that was built, including .venv
	@rm -rf .venv build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .benchmarks
	@find api ai cli cython_ext engines envs tests web bench \( -name '__pycache__' -o -name '*.so' -o -name '*.mo' -o -name '*.pyd' \) -prune -exec rm -rf {} +
