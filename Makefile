# Everything runs from here. Each target sets up the environment it needs, from the package index only.
PYTHON ?= python3
VENV   ?= .venv

# environments of Windows have another folder
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
# one stamp a set of extras, named by the contents of pyproject.toml: an edit there reinstalls, a touch does not
KEY := $(shell cksum < pyproject.toml | cut -d' ' -f1)
installed = $(VENV)/.installed-$(1)-$(KEY)
PYTEST := $(BIN)/python -m pytest
# one more than there are processors: tests in a browser and in processes of their own leave theirs idle
WORKERS ?= $(shell $(PYTHON) -c 'import os; print(1 + (os.cpu_count() or 1))')
# what compiled code is tested by: not pages, prose, files and results
KERNEL_TESTS := $(addprefix tests/,compiled table tree sparse bornagain topdown dyadic suites)

# the tests start hundreds of processes: they share what the first has compiled of the sources
unexport PYTHONDONTWRITEBYTECODE
# they run side by side: with a thread a processor each, they would wait for each other's
export OMP_NUM_THREADS ?= 1
export OPENBLAS_NUM_THREADS ?= 1

.DEFAULT_GOAL := help
.PHONY: help env env-ci book pdf lab reproduce codecheck test test-long test-downloads test-bounds test-shapes test-lowest test-newest test-bare
.PHONY: wasm fuzz audit lint types stubs packages format bench-sparse bench-dyadic bench-bornagain bench-compress bench-continuous
.PHONY: bench-topdown bench-wasm bench-first-fit bench-pages clean clean-all

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

book: $(call installed,dev)  ## execute the chapters and write the site to _build/html (LIVE=1: compute all experiments for it)
	@$(BIN)/python book/_ext/build.py $(if $(LIVE),--live)

pdf: book  ## print the site to _build/html/book.pdf, with an installed Chromium
	@$(BIN)/python book/_ext/printed.py

test: $(call installed,dev)  ## run the tests (those over the site and the peers are skipped where these are missing)
	@$(PYTEST) -n $(WORKERS) --dist worksteal -m "not long"

test-lowest:  ## run the tests with the lowest versions that pyproject.toml allows, in .venv-lowest (PYTHON=python3.10)
	@mkdir -p _build && $(PYTHON) .ci/lowest.py test cluster > _build/lowest.txt
	@PIP_CONSTRAINT=$(abspath _build/lowest.txt) $(MAKE) test-bare VENV=.venv-lowest

test-newest:  ## run the tests with the newest versions there are, in .venv-newest
	@rm -rf .venv-newest && $(MAKE) test-bare VENV=.venv-newest

# without the book's tools; digests of kind exact must agree between all versions
test-bare: $(call installed,bare)
	@$(PYTEST) -n auto --dist worksteal -m "not long"
	@mkdir -p _build && $(BIN)/python tests/suites/determinism/fits.py > _build/digests.txt

test-long: $(call installed,dev)  ## run the nightly-size tests as well
	@$(PYTEST) -n auto --dist worksteal

test-downloads: $(call installed,dev)  ## run every notebook that the site offers in an environment of its own, also with other parameters
	@CLEAN_VENV=1 $(PYTEST) -n 1 tests/website/built/test_downloads.py

test-bounds: $(call installed,dev)  ## run the tests of all kernels with bounds checks: slow, an index outside is an IndexError
	@NUMBA_BOUNDSCHECK=1 $(PYTEST) -n auto --dist worksteal -m "not long and not peers and not browser" $(KERNEL_TESTS)

test-shapes: $(call installed,dev)  ## run the grid of tables of every shape under limits (ARGS="--cases 100 --cells 1000000")
	@mkdir -p _build && $(BIN)/python -m tests.suites.limits.shapes --json _build/shapes.jsonl --strict $(ARGS)

fuzz: $(call installed,dev)  ## fuzz the readers of trees, models, tables and results, SECONDS each (180)
	@$(BIN)/python -c 'import atheris' 2>/dev/null || $(BIN)/python -m pip install --disable-pip-version-check --quiet atheris
	@for reader in tree forest table results xgboost lightgbm; do \
	  $(BIN)/python tests/suites/fuzz/run.py $$reader --seconds $(or $(SECONDS),180) || exit 1; done

packages: $(call installed,dev)  ## build wheel and sdist and try both in clean environments
	@$(BIN)/python -m pip install --disable-pip-version-check --quiet build wheel
	@$(PYTEST) -n 0 -m long tests/test_packages.py

audit: $(call installed,dev)  ## look up the installed packages in the database of known vulnerabilities
	@$(PYTHON) -m venv $(VENV)/audit && $(VENV)/audit/bin/python -m pip install --disable-pip-version-check --quiet pip-audit
	@$(BIN)/python -m pip freeze --exclude-editable > $(VENV)/audit/installed.txt
	@$(VENV)/audit/bin/pip-audit --strict --no-deps --disable-pip --requirement $(VENV)/audit/installed.txt

reproduce: $(call installed,reproduce)  ## run all experiments whose stored results are missing or stale (ARGS="osdt.t2 --fresh --jobs 2")
	@$(BIN)/treelib reproduce $(or $(ARGS),--all)

codecheck: $(call installed,reproduce)  ## rerun 200 printed cells from nothing, into _build/codecheck with a report (under an hour)
	@$(BIN)/treelib codecheck --out _build/codecheck $(ARGS)

wasm: $(call installed,wasm)  ## compile the kernels of the book's pages to book/_static/wasm (a few minutes; the files are committed)
	@$(BIN)/python -m treelib.wasm.build

lab: $(call installed,lab)  ## open the chapters in JupyterLab
	@$(BIN)/jupyter lab notebooks

lint: $(call installed,dev)  ## check style, format and the types of the public interface
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .
	@$(BIN)/python -m mypy
	@$(BIN)/ruff check --quiet --isolated --target-version py310 --select E9 notebooks  # valid syntax for the lowest Python

types: $(call installed,dev)  ## check the types of the public interface
	@$(BIN)/python -m mypy

stubs: $(call installed,dev)  ## write the types of the estimators anew, from their signatures
	@$(BIN)/python .ci/stubs.py && $(BIN)/ruff format --quiet treelib/__init__.pyi treelib/tree

format: $(call installed,dev)  ## repair style and format
	@$(BIN)/ruff check --fix . && $(BIN)/ruff format .

bench-sparse: $(call installed,ci)  ## measure the optimal sparse tree search against its public peers (ARGS="--quick", "--wide", "--growth")
	@$(BIN)/python -m tests.benchmarks.searches.sparse $(ARGS)

bench-dyadic: $(call installed,dev)  ## measure the path of optimal dyadic trees, and time and memory a rectangle (ARGS="--quick")
	@$(BIN)/python -m tests.benchmarks.searches.dyadic $(ARGS)

bench-bornagain: $(call installed,dev)  ## measure the exact born-again search on the authors' 60 forests (ARGS="--quick")
	@$(BIN)/python -m tests.benchmarks.searches.bornagain $(ARGS)

bench-compress: $(call installed,dev)  ## fewest trees of boosted models with the same class everywhere, certified (ARGS="--limit 60")
	@$(BIN)/python -m tests.benchmarks.searches.compress $(ARGS)

bench-continuous: $(call installed,ci)  ## measure the optimal tree search on numbers against pycontree (ARGS="--quick", "--limit 60", "--depths 2 3", "--large", "--anytime", "--gaps")
	@$(BIN)/python -m tests.benchmarks.searches.continuous $(ARGS)

bench-topdown: $(call installed,ci)  ## measure the top-down learner against scikit-learn and own-criterion programs (ARGS="--quick", "--parts fit", "--csdt FOLDER")
	@$(BIN)/python -m tests.benchmarks.learners.topdown $(ARGS)

bench-first-fit: $(call installed,dev)  ## measure every estimator's first fit, from import on (ARGS="--wheel FILE", "--before FOLDER")
	@$(BIN)/python -m tests.benchmarks.waiting.first_fit $(ARGS)

bench-pages: $(call installed,ci)  ## measure how long pages of the built site keep the processor busy (ARGS="--repeats 9")
	@$(BIN)/python -m tests.benchmarks.waiting.pages $(ARGS)

bench-wasm: $(call installed,ci)  ## measure the kernels of the book's pages against the same search in Python (ARGS="--repeats 9")
	@$(BIN)/python -m tests.benchmarks.waiting.wasm $(ARGS)

env: $(call installed,dev)  ## set up the environment for book and test
env-ci: $(call installed,ci)  ## the same with the peers and the browser driver

clean:  ## remove the built site, keep the executed chapters
	rm -rf _build/html _build/.doctrees _build/site.json .pytest_cache .ruff_cache .hypothesis

clean-all: clean  ## remove everything that was built, the environment too
	rm -rf _build $(VENV)

$(call installed,dev): EXTRAS := book,test
$(call installed,reproduce): EXTRAS := reproduce
$(call installed,lab): EXTRAS := book,lab
$(call installed,wasm): EXTRAS := wasm
$(call installed,ci): EXTRAS := book,test,browser,peers,cluster,frames,page
$(call installed,bare): EXTRAS := test,cluster

$(VENV)/.installed-%-$(KEY): | $(BIN)/python
	@echo "setting up $(VENV) for $(EXTRAS): a minute or two the first time"
	@$(BIN)/python -m pip install --disable-pip-version-check --quiet --editable ".[$(EXTRAS)]"
	@if [ $* = lab ]; then $(BIN)/jupytext-config set-default-viewer python >/dev/null; fi
	@rm -f $(VENV)/.installed-$*-* && touch $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || \
	  { echo "treelib needs Python 3.10 or later; '$(PYTHON)' is older or missing. Choose one: make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	  echo "'$(PYTHON) -m venv' failed; on Debian and Ubuntu install python3-venv first." >&2; exit 1; }
