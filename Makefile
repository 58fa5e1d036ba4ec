# The commands of README.md and CONTRIBUTING.md. They need Python 3.11 or newer, and nothing else.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# Tests run in as many processes as there are cores; `make test WORKERS=0` runs them in one.
WORKERS ?= auto
PYTEST := $(BIN)/pytest -n $(WORKERS) --dist worksteal

# Tests of real corpora need data that is not part of the repository.
CORPORA := $(wildcard ../shared/corpora)
ALL_TESTS := $(if $(CORPORA),-m "corpora or not corpora")

.PHONY: demo docs pages screenshots test corpora all-tests lint types coverage check audit audit-of package pythons lowest browser shells latex integrations bench evidence examples experiments fuzz readers robustness mutants clean

demo: $(VENV)/installed
	@$(BIN)/anascore demo
	@echo; echo "The command is $(BIN)/anascore."

test: $(VENV)/test-installed
	$(PYTEST)

corpora: $(VENV)/test-installed
	$(PYTEST) -m corpora

all-tests: $(VENV)/test-installed
	$(PYTEST) $(ALL_TESTS)

lint: $(VENV)/test-installed
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(VENV)/test-installed
	$(BIN)/mypy

coverage: $(VENV)/test-installed
	$(PYTEST) --cov $(ALL_TESTS)

check: lint types coverage audit

# Known vulnerabilities of the dependencies. Says so and goes on where there is no network.
audit: $(VENV)/test-installed
	@$(MAKE) --no-print-directory audit-of AUDITED=$(BIN)/python

audit-of:
	@test -x $(VENV)/audit/bin/pip-audit || { $(PYTHON) -m venv $(VENV)/audit && \
	  $(VENV)/audit/bin/python -m pip install --quiet --disable-pip-version-check "pip-audit>=2.7"; } || \
	  { echo "audit: skipped, since pip-audit cannot be installed"; exit 0; }; \
	test ! -x $(VENV)/audit/bin/pip-audit || $(AUDITED) .ci/audit.py $(VENV)/audit/bin/pip-audit

# Builds sdist and wheel, and checks them: the metadata, the contents, the example in an environment that has only the wheel, known
# vulnerabilities of what it installs, and the tests of the sdist. PACKAGE_TESTS names some tests; without it, all of them run.
package: PACKAGE := $(CURDIR)/$(VENV)/package
package:
	$(PYTHON) -m venv --clear $(PACKAGE)
	$(PACKAGE)/bin/python -m pip install --quiet --disable-pip-version-check "build>=1.2" "twine>=6.1"
	rm -rf dist
	$(PACKAGE)/bin/python -m build --outdir dist .
	$(PACKAGE)/bin/twine check --strict dist/*
	$(PACKAGE)/bin/python .ci/package.py dist
	$(PYTHON) -m venv --clear $(PACKAGE)/empty
	$(PACKAGE)/empty/bin/python -m pip install --quiet --disable-pip-version-check dist/*.whl
	cd $(PACKAGE) && empty/bin/anascore demo
	$(MAKE) --no-print-directory audit-of AUDITED=$(PACKAGE)/empty/bin/python
	mkdir $(PACKAGE)/source
	tar --extract --gzip --file dist/*.tar.gz --directory $(PACKAGE)/source --strip-components 1
	$(PACKAGE)/empty/bin/python -m pip install --quiet --disable-pip-version-check "$$(ls dist/*.whl)[test]"
	cd $(PACKAGE)/source && $(PACKAGE)/empty/bin/python -m pytest -n $(WORKERS) --dist worksteal $(PACKAGE_TESTS)

# The same with every version of Python that is supported and can be found.
pythons:
	@for version in 3.11 3.12 3.13 3.14; do \
	  for python in python$$version $$(ls $$HOME/.pyenv/versions/$$version.*/bin/python 2> /dev/null); do \
	    $$python -c "" 2> /dev/null && break; python=; \
	  done; \
	  if test -n "$$python"; then \
	    echo "Python $$version:" && $(MAKE) package PYTHON=$$python VENV=$(VENV)/python$$version || exit 1; \
	  else \
	    echo "Python $$version is not installed: not tested."; \
	  fi; \
	done

# The tests with the lowest versions that pyproject.toml allows. These have wheels for Python 3.11.
lowest: LOWEST := $(VENV)/lowest
lowest:
	$(PYTHON) -c 'import sys; sys.version_info[:2] == (3, 11) or sys.exit("The lowest versions are tested with Python 3.11; try make lowest PYTHON=python3.11")'
	$(PYTHON) -m venv --clear $(LOWEST)
	$(LOWEST)/bin/python -m pip install --quiet --disable-pip-version-check "uv>=0.4"
	$(LOWEST)/bin/uv pip install --quiet --python $(LOWEST)/bin/python --resolution lowest-direct --editable ".[test]"
	$(LOWEST)/bin/pytest -n $(WORKERS) --dist worksteal

# $(call debian,PACKAGES): installs packages of Debian; if it cannot, the tests that need them skip, and it says so.
debian = { apt-get install --yes --no-install-recommends $(1) || \
  { apt-get update && apt-get install --yes --no-install-recommends $(1); }; } > /dev/null 2>&1 || \
  echo "$(1) cannot be installed: tests that need it skip."

# Tests of the report page also need Chromium and axe-core.
browser: $(VENV)/test-installed
	@command -v chromium > /dev/null || command -v chromium-browser > /dev/null || command -v google-chrome > /dev/null || \
	  $(call debian,chromium)
	@npm install --silent --no-audit --no-fund --prefix $(VENV)/npm axe-core@4 > /dev/null 2>&1 || \
	  echo "axe-core cannot be installed from npm: tests that need it skip."

# Tests of completion need the shells.
shells:
	@{ command -v zsh && command -v tcsh; } > /dev/null || $(call debian,zsh tcsh)

# Tests of LaTeX tables compile them.
latex:
	@command -v pdflatex > /dev/null || $(call debian,texlive-latex-recommended)

# Tests with the real spaCy, evaluate, torchmetrics and loggers, in an environment of their own.
integrations: INTEGRATIONS := $(VENV)/integrations
integrations:
	test -x $(INTEGRATIONS)/bin/python || $(PYTHON) -m venv $(INTEGRATIONS)
	$(INTEGRATIONS)/bin/python -m pip install --quiet --disable-pip-version-check --editable ".[integrations]" "hypothesis>=6.100" "pytest>=8" "pyyaml>=6.0.1"
	$(INTEGRATIONS)/bin/python -m pytest tests/integrations/test_spacy_and_evaluate.py tests/integrations/test_torchmetrics.py tests/docs/test_recipes.py

# The site, in docs/_build/html. Warnings are errors; `make pages` writes the tables and pictures that come from the code.
docs: $(VENV)/docs-installed
	$(BIN)/sphinx-build --builder html --fail-on-warning --keep-going --nitpicky --quiet docs docs/_build/html
	@echo "The site is in docs/_build/html/index.html."

pages: $(VENV)/installed
	$(BIN)/python -m docs

bench: $(VENV)/installed
	$(BIN)/python -m tools.benchmarks $(BENCH)

# PEERS is a folder with clones of the published scorers; results of those that it lacks are restated.
PEERS ?= peers
evidence: $(VENV)/test-installed
	PYTHONPATH=tests $(BIN)/python -m tools.evidence --peers $(PEERS)

# The files of src/anascore/example, from the texts in tools/example_corpus/texts.
examples: $(VENV)/installed
	$(BIN)/python -m tools.example_corpus

# Screenshots of reports in docs/images, which need Chromium.
screenshots: browser
	$(BIN)/python -m docs.screenshots

experiments: $(VENV)/installed
	$(BIN)/python -m tools.experiments

# FUZZ is the number of seconds; without SEED, it is another one in every run.
FUZZ ?= 60
FUZZ_WORKERS := $(if $(filter auto 0,$(WORKERS)),2,$(WORKERS))
fuzz: $(VENV)/test-installed
	PYTHONPATH=tests $(BIN)/python -m tools.fuzzing run --seconds $(FUZZ) --workers $(FUZZ_WORKERS) $(if $(SEED),--seed $(SEED))

# Reads INPUTS mutated CoNLL files with and without the compiled scanner, real ones among them if there are any.
INPUTS ?= 100000
readers: $(VENV)/test-installed
	PYTHONPATH=tests $(BIN)/python -m tools.fuzzing readers --inputs $(INPUTS) --workers $(FUZZ_WORKERS) $(if $(SEED),--seed $(SEED)) src/anascore/example $(CORPORA)

robustness: $(VENV)/test-installed
	PYTHONPATH=tests $(BIN)/python -m tools.fuzzing page

# MUTANTS is a file or folder below src/anascore; without it, all of metrics, assignment.py, matching.py, pairing and entities.
mutants: $(VENV)/mutants-installed
	PYTHONPATH=tests $(BIN)/python -m tools.mutants $(MUTANTS)

clean:
	rm -rf $(VENV) docs/_build tools/fuzzing/failures build dist .coverage .hypothesis .mutants .mypy_cache .pytest_cache .ruff_cache

$(VENV)/installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("anascore needs Python 3.11 or newer, and $(PYTHON) is older; try make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/test-installed: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[test]"
	@touch $@

$(VENV)/docs-installed: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[docs]"
	@touch $@

$(VENV)/mutants-installed: $(VENV)/test-installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[test,mutants]"
	@touch $@
