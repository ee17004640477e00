# Every habit of this project is a target; `make` alone lists them.

PORT ?= 8000
HOST ?= 127.0.0.1
PYTHON ?=
VENV := .venv
BIN := $(VENV)/bin
FILES ?=
DEMO ?= yes
VERSION ?= 2
CORPUS ?= data/plateau-corpus-$(VERSION)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

.PHONY: help
help: ## List the targets
	@echo "Plateau. Two commands matter: make run, make test."
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo "Variables: PORT=8000  HOST=127.0.0.1  DEMO=no  PYTHON=python3.12  FILES=tests/annotate  PLATEAU_DATA=folder  CORPUS=folder"

# --- environment: reinstalled when the pins change, and only then ---------------------------------
$(VENV)/runtime.stamp: requirements.txt scripts/setup
	@PYTHON="$(PYTHON)" scripts/setup requirements.txt $@

$(VENV)/development.stamp: requirements-dev.txt requirements.txt requirements-s3.txt package-lock.json scripts/setup
	@PYTHON="$(PYTHON)" scripts/setup requirements-dev.txt $@
	@touch $(VENV)/runtime.stamp

.PHONY: setup
setup: $(VENV)/development.stamp ## Make the virtual environment with everything that tests and checks need

# --- use ------------------------------------------------------------------------------------------
.PHONY: run
run: $(VENV)/runtime.stamp ## Start Plateau with its demo: web server, worker, broker (PORT=8001 to choose)
	@$(BIN)/python -m config.launch --host $(HOST) --port $(PORT) $(if $(filter no,$(DEMO)),--no-demo)

.PHONY: worker
worker: $(VENV)/runtime.stamp ## Start one more worker on the data of `make run` or of DATABASE_URL and REDIS_URL
	@$(BIN)/python -m config.launch --worker-only

# --- check ----------------------------------------------------------------------------------------
.PHONY: test
test: $(VENV)/development.stamp ## Run every check and every test; installs Debian packages when it may
	@scripts/packages
	@$(BIN)/python scripts/test.py

.PHONY: test-every
test-every: $(VENV)/development.stamp ## Run `make test` with every case: all moments of a kill, all small installations
	@scripts/packages
	@PLATEAU_TESTS=every $(BIN)/python scripts/test.py

.PHONY: test-quick
test-quick: $(VENV)/development.stamp ## Run the tests of FILES=tests/room, or all; no browser, no servers, no slow files
	@$(BIN)/pytest -q -m "not browser and not stack $(if $(filter %.py,$(FILES)),,and not slow)" $(if $(filter %.py,$(FILES)),,-n 2 --dist loadfile) $(FILES)

.PHONY: coverage
coverage: $(VENV)/development.stamp ## Print the lines that tests of FILES=tests/room miss, or all tests without servers
	@$(BIN)/pytest -q -m "not browser and not stack" --cov --cov-report=term-missing:skip-covered $(FILES)

.PHONY: lint
lint: $(VENV)/development.stamp ## Run ruff, mypy, tsc, import-linter, the migration check and the script tests
	@$(BIN)/python scripts/test.py --checks-only

.PHONY: format
format: $(VENV)/development.stamp ## Format the Python files
	@$(BIN)/ruff format . && $(BIN)/ruff check --fix .

.PHONY: audit
audit: $(VENV)/development.stamp ## Walk every page in every state, theme and width (LOOK=390-dark: one part of the walk)
	@scripts/packages
	@PLATEAU_AUDIT=full $(BIN)/pytest -q -m browser $(if $(LOOK),tests/browser/demo -k $(LOOK),tests/browser)

.PHONY: mutants
mutants: $(VENV)/development.stamp ## Change the code in COUNT=500 places, one at a time, and see which its tests miss (ONLY=file:line)
	@$(BIN)/python -m scripts.mutants $(if $(COUNT),--count $(COUNT)) $(if $(SEED),--seed $(SEED)) $(if $(AREA),--area $(AREA)) $(if $(ONLY),--only $(ONLY)) $(if $(AGAIN),--again $(AGAIN))

# --- measure and reproduce ------------------------------------------------------------------------
.PHONY: bench
bench: $(VENV)/development.stamp ## Measure kernels, annotation and runs, and print the figures with the machine
	@$(BIN)/python -m evidence.bench

.PHONY: replicate
replicate: $(VENV)/development.stamp ## Print the tables of published packages (PLATEAU_REPLICATION=folder of checkouts, ONLY=table-1)
	@$(BIN)/python -m evidence.replication $(if $(ONLY),--only $(ONLY)) $(if $(AGAIN),--again $(AGAIN))

.PHONY: real-files
real-files: $(VENV)/development.stamp ## Check downloaded files of other people against the list (FOLDER=folder with owner/name/path)
	@$(BIN)/python -m tests.formats.real_files $(FOLDER)

.PHONY: corpus
corpus: $(VENV)/runtime.stamp ## Make plateau-corpus-2: recorded noise around known shapes (CORPUS=folder VERSION=1)
	@$(BIN)/python -m evidence.corpus $(CORPUS) --version $(VERSION)

.PHONY: compare-all
compare-all: $(VENV)/development.stamp ## Ask every method by every yardstick, and write docs/guide/all-methods.md (METHODS=slugs: these anew, no other)
	@nice -n 10 $(BIN)/python -m docs.all_methods $(if $(METHODS),--only $(METHODS),--ask)

.PHONY: demo-record
demo-record: $(VENV)/runtime.stamp ## Record the demo measurements anew (STOP=kb-kssd ends forks that are steady)
	@$(BIN)/python -m demo.record $(if $(STOP),--stop '$(STOP)') $(if $(FURTHER),--further $(FURTHER)) $(addprefix --only ,$(ONLY))

# --- write ----------------------------------------------------------------------------------------
.PHONY: docs
docs: $(VENV)/development.stamp ## Bring the derived parts of the documentation up to date
	@$(BIN)/python -m detectors.reference
	@$(BIN)/python -m docs.pictures
	@$(BIN)/python -m evidence.replication.reproduction_page
	@$(BIN)/python -m evidence.replication.preparation_gains
	@$(BIN)/python -m docs.panel_figures
	@$(BIN)/python -m docs.where_is
	@$(BIN)/python -m docs.walks
	@$(BIN)/python -m docs.declared_tables
	@$(BIN)/python -m docs.library_answers
	@$(BIN)/python -m docs.landing_chart
	@$(BIN)/python -m docs.method_times
	@$(BIN)/python -m docs.all_methods

.PHONY: docs-check
docs-check: $(VENV)/development.stamp ## Fail when a derived part of the documentation is out of date
	@$(BIN)/python -m detectors.reference --check
	@$(BIN)/python -m docs.pictures --check
	@$(BIN)/python -m evidence.replication.reproduction_page --check
	@$(BIN)/python -m evidence.replication.preparation_gains --check
	@$(BIN)/python -m docs.panel_figures --check
	@$(BIN)/python -m docs.where_is --check
	@$(BIN)/python -m docs.walks --check
	@$(BIN)/python -m docs.declared_tables --check
	@$(BIN)/python -m docs.library_answers --check
	@$(BIN)/python -m docs.landing_chart --check
	@$(BIN)/python -m docs.method_times --check
	@$(BIN)/python -m docs.all_methods --check
	@$(BIN)/python -m docs.prose --check
	@$(BIN)/python -m docs.screenshots --check

.PHONY: site
site: $(VENV)/development.stamp ## Make the documentation site in build/site
	@$(BIN)/python -m docs.site build/site

.PHONY: screenshots
screenshots: $(VENV)/development.stamp ## Take pictures of every page, light and dark, wide and narrow
	@scripts/packages
	@$(BIN)/python -m docs.screenshots

# --- tidy -----------------------------------------------------------------------------------------
.PHONY: clean
clean: ## Remove what checks and builds left behind; the data folder and the environment stay
	@rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage htmlcov build
	@find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +

.PHONY: clean-data
clean-data: ## Remove the data folder of `make run`: database, demo, people, marks (asks first)
	@printf 'Remove ./data with every mark and every import in it? Type yes: ' && read answer && [ "$$answer" = yes ] && rm -rf data
