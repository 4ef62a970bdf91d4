# `make` lists what there is. Every target first sets up what it needs; the second time that takes no time.

.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
.DELETE_ON_ERROR:

VENV := .venv
PY := $(VENV)/bin/python
ARENA := $(VENV)/bin/arena
STAMPS := $(VENV)/.stamps
ENGINE_SOURCES := $(shell find engine -name build -prune -o -name '*.egg-info' -prune -o -type f \
	\( -name '*.py' -o -name '*.pyi' -o -name '*.toml' -o -name '*.typed' \) -print)

WEB := services/web
PAGE := $(WEB)/dist/version.json
PAGE_PACKAGES := $(WEB)/node_modules/.package-lock.json
PAGE_SOURCES := $(shell find $(WEB) proto \( -name node_modules -o -name dist -o -name gen -o -name tests \) -prune \
	-o -type f -print)
# Node from PyPI comes first where it had to be installed; otherwise the folder is not there.
NPM := PATH='$(CURDIR)/$(VENV)/node':"$$PATH" npm --prefix $(WEB)

NODE_CLIENT := clients/node
NODE_CLIENT_PACKAGES := $(NODE_CLIENT)/node_modules/.package-lock.json
NODE_CLIENT_NPM := $(subst --prefix $(WEB),--prefix $(NODE_CLIENT),$(NPM))

# What targets pass on, as in: make demo GAME=crowns PLAYERS=2 BOARD=large JSON=1
given = $(foreach name,$(1),$(if $($(name)),--$(subst _,-,$(call lower,$(name))) '$($(name))'))
flag = $(if $(filter-out 0 no false,$($(1))),--$(call lower,$(1)))
lower = $(shell printf '%s' '$(1)' | tr '[:upper:]' '[:lower:]')
GAME ?= crowns
MATCH_OPTIONS = $(call given,PLAYERS BOARD SPEED) $(foreach pair,$(OPTION),--option '$(pair)')

##@ Play

.PHONY: demo play run
demo: setup ## Play a whole match with bots (GAME= PLAYERS= BOARD= SPEED= OPTION= SEED= PACE= JSON=1)
	@$(ARENA) demo '$(GAME)' $(MATCH_OPTIONS) $(call given,SEED PACE) $(call flag,JSON)

play: setup ## Play in this terminal against bots (GAME= PLAYERS= BOARD= SPEED= OPTION= WAIT=)
	@$(ARENA) play '$(GAME)' $(MATCH_OPTIONS) $(call given,WAIT)

run: setup page ## Start the whole platform on this machine and print the page's address; Ctrl-C stops it
	@$(ARENA) up

##@ Develop

.PHONY: setup page test test-browser check gen protos lock fmt
setup: $(STAMPS)/services $(STAMPS)/engine ## Install everything into .venv (PYTHON= chooses the interpreter)
	@:

page: $(PAGE) ## Build the page into services/web/dist
	@:

PYTEST := $(PY) -m pytest
# Files side by side, each in one process, begun in the order given.
SIDE_BY_SIDE := --dist loadfile --no-loadscope-reorder --maxprocesses 8 --numprocesses
# Tests that mostly wait for other processes; WORKERS= changes how many files are run at once.
WORKERS ?= $(shell expr 2 '*' $$(nproc))
# They start programs by the hundred, which need not compile each time what they import.
test test-browser chart chaos: export PYTHONDONTWRITEBYTECODE :=
test: setup $(NODE_CLIENT_PACKAGES) ## Run all tests on this machine (WORKERS=)
	@echo "== engine, interpreted"
	ARENA_TEST_ENGINE=interpreted PYTHONPATH=engine/src $(PYTEST) $(SIDE_BY_SIDE) auto tests/engine
	@echo "== engine, as installed"
	$(PYTEST) $(SIDE_BY_SIDE) auto tests/engine
	@tools/setup.sh prometheus >&2
	@echo "== services, end to end"
	$(PYTEST) $(SIDE_BY_SIDE) $(WORKERS) tests/e2e tests/cluster tests/services tests/chaos tests/alerts tests/dashboards tests/bench

# Chromium keeps a core busy by itself. Small files come last here: that of the page's promised five seconds is one.
test-browser: setup page $(STAMPS)/browser ## Play on the page in Chromium; screenshots go to tests/browser/artefacts
	@tools/setup.sh chromium >&2
	$(PYTEST) --dist loadfile --maxprocesses 4 --numprocesses auto tests/browser

.PHONY: chart
chart: setup $(STAMPS)/chart ## Lint, render, validate and check the Helm chart for all of its sets of values
	$(PYTEST) $(SIDE_BY_SIDE) auto tests/chart

# What a run on a cluster is told, as in: make test-cluster IMAGE=registry/arena:1.0 GUESTS=40 EDGE=host:port
ON_CLUSTER = $(call given,IMAGE ONLY GUESTS THINK NATS SEED NAMESPACE EDGE NATS_ADDRESS VALUES WAIT) $(call flag,PLAIN) \
	$(call flag,KEEP) $(call flag,JSON)
.PHONY: test-cluster test-cluster-drain
test-cluster: setup $(STAMPS)/chart ## Install the chart on KUBECONFIG's cluster, play, scale, roll, kill, upgrade, uninstall (IMAGE= or PLAIN=1)
	@$(PY) -m tests.cluster $(ON_CLUSTER)

test-cluster-drain: setup $(STAMPS)/chart ## Likewise, and drain a node under load; needs two nodes (IMAGE= or PLAIN=1)
	@$(PY) -m tests.cluster --only drain $(ON_CLUSTER)

.PHONY: hostile
hostile: setup ## Send malformed, forged, replayed requests of every kind (REQUESTS=100000 SEED=1 JSON=1)
	@$(PY) -m tests.hostile $(call given,REQUESTS SEED) $(call flag,JSON)

.PHONY: chaos
chaos: setup ## Kill, pause and cut off everything under load; check that nothing is lost (MINUTES=5 SEED= MATCHES= ONLY= JSON=1; .ci/run ends with MINUTES=2 SEED=1)
	@$(PY) -m tests.chaos $(call given,MINUTES SEED MATCHES THINK ROOMS NATS ONLY) $(call flag,JSON)

CHECKS := check-format check-lint check-types check-imports check-protos check-generated check-locks check-page check-node-client check-image
.PHONY: $(CHECKS)
check: $(CHECKS) ## Check format, lint, types, imports, protos, generated code, lock files, page, Node client, Dockerfile (-k: all of them)

check-format: setup
	$(VENV)/bin/ruff format --check --quiet .

check-lint: setup
	$(VENV)/bin/ruff check --quiet .

check-types: setup $(STAMPS)/browser
	$(VENV)/bin/mypy

check-imports: setup
	$(VENV)/bin/lint-imports

check-protos: setup
	cd proto && ../$(VENV)/bin/buf lint && ../$(VENV)/bin/buf format --diff --exit-code

check-generated: setup
	$(PY) tools/gen.py --check
	$(PY) -m tools.dashboards --check

check-locks: setup
	$(PY) tools/lock.py --check

check-page: $(PAGE_PACKAGES)
	$(NPM) run --silent check
	$(NPM) run --silent test -- --silent

check-node-client: $(NODE_CLIENT_PACKAGES)
	$(NODE_CLIENT_NPM) run --silent check

check-image: $(STAMPS)/image
	$(VENV)/bin/hadolint deploy/Dockerfile

fmt: setup $(PAGE_PACKAGES) $(NODE_CLIENT_PACKAGES) ## Format the code and mend what the linter can
	$(VENV)/bin/ruff check --quiet --fix-only .
	$(VENV)/bin/ruff format --quiet .
	cd proto && ../$(VENV)/bin/buf format --write
	$(NPM) run --silent fmt -- --log-level warn
	$(NODE_CLIENT_NPM) run --silent fmt -- --log-level warn

gen: setup ## Generate services/src/arena from proto/, and the dashboards
	$(PY) tools/gen.py
	$(PY) -m tools.dashboards

protos: setup ## Bundle the public contracts for clients elsewhere into build/protos
	$(PY) tools/protos.py

lock: setup ## Write requirements/*.txt anew (UPGRADE=1 takes the newest versions)
	$(PY) tools/lock.py $(call flag,UPGRADE)

##@ Measure

.PHONY: bench sizing bench-move bench-takeover bench-streams bench-timer bench-engine bench-page simulate
bench: setup $(NODE_CLIENT_PACKAGES) ## Measure the engine and whole matches beside bare gRPC; about 5 minutes (ONLY=W1,W2,W3 JSON=1)
	@$(PY) -m tests.bench $(call given,ONLY) $(call flag,JSON)

FIGURES ?= tests/bench/figures.json
sizing: setup ## Reckon pods, cores, memory and cost from what `make bench JSON=1` printed (FIGURES= MATCHES=1000,9000 INTO= JSON=1)
	@$(PY) -m tests.bench.sizing '$(FIGURES)' $(call given,MATCHES INTO) $(call flag,JSON)

bench-move: setup ## Measure what a move costs a room in our own code, part by part
	@$(PY) -m tests.bench.hotpath $(call flag,JSON)

bench-takeover: setup ## Measure what taking a match over costs a room, by its length
	@$(PY) -m tests.bench.takeover $(call flag,JSON)

bench-streams: setup ## Open and cancel streams and see what memory a room keeps (STREAMS=10000 JSON=1)
	@$(PY) -m tests.bench.streams $(call given,STREAMS) $(call flag,JSON)

bench-timer: setup ## Measure how late one timer is with many deadlines (ARMED=100000 RATE=1000 SECONDS=15 JSON=1)
	@$(PY) -m tests.bench.timer $(call given,ARMED RATE SECONDS) $(call flag,JSON)

bench-engine: setup $(STAMPS)/bench ## Measure the engine against others
	@$(PY) -m tests.bench.engine $(call flag,JSON)

bench-page: setup page $(STAMPS)/browser ## Measure the page in Chromium: size, first paint, frames while panning
	@tools/setup.sh chromium >&2
	@$(PY) -m tests.browser.bench $(call flag,JSON)

simulate: setup ## Play many matches in the engine alone and count how they end (GAME= PLAYERS= GAMES= POLICY= SEED= JSON=1)
	@$(ARENA) simulate '$(GAME)' $(MATCH_OPTIONS) $(call given,GAMES POLICY SEED) $(call flag,JSON)

##@ Ship

.PHONY: image
image: setup page ## Build the container image, try all that is in it, say its size; needs root (BASE= MIRROR=)
	@BASE='$(BASE)' MIRROR='$(MIRROR)' tools/image.sh

##@ Tidy

.PHONY: clean help
clean: ## Remove what was built and installed; the matches in data/ stay
	rm -rf $(WEB)/dist $(WEB)/node_modules $(WEB)/src/gen $(NODE_CLIENT)/node_modules
	rm -rf $(VENV) build engine/build engine/.mypy_cache services/build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	rm -rf tests/browser/artefacts
	find engine services -name '*.egg-info' -prune -exec rm -rf {} +
	find . -name __pycache__ -prune -exec rm -rf {} +

help: ## Show this list
	@awk 'BEGIN { FS = ":.*## " } \
		/^##@ / { printf "\n%s\n", substr($$0, 5) } \
		/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

# What setting up consists of. Output goes to standard error: `make demo JSON=1` prints JSON and nothing else.

# A virtual environment knows its place: after a move it is made anew.
ifneq ($(file <$(STAMPS)/place),$(CURDIR))
.PHONY: $(STAMPS)/place
endif

$(STAMPS)/place:
	@tools/setup.sh venv >&2
	@mkdir -p $(STAMPS) && printf '%s\n' '$(CURDIR)' >$@

$(STAMPS)/packages: $(STAMPS)/place requirements/dev.txt
	@tools/setup.sh packages requirements/dev.txt >&2
	@touch $@

$(STAMPS)/engine: $(STAMPS)/packages $(ENGINE_SOURCES)
	@tools/setup.sh engine >&2
	@touch $@

$(STAMPS)/services: $(STAMPS)/packages services/pyproject.toml
	@tools/setup.sh services >&2
	@touch $@

$(STAMPS)/bench: $(STAMPS)/packages requirements/bench.txt
	@tools/setup.sh packages requirements/bench.txt >&2
	@touch $@

$(STAMPS)/image: $(STAMPS)/packages requirements/image.txt
	@tools/setup.sh packages requirements/image.txt >&2
	@touch $@

$(STAMPS)/browser: $(STAMPS)/packages requirements/browser.txt
	@tools/setup.sh packages requirements/browser.txt >&2
	@touch $@

$(STAMPS)/node: $(STAMPS)/packages $(WEB)/package.json requirements/node.txt
	@tools/setup.sh node >&2
	@touch $@

$(STAMPS)/chart: $(STAMPS)/packages requirements/chart.txt
	@tools/setup.sh chart >&2
	@touch $@

# npm and the build write these files themselves, last of all.
$(PAGE_PACKAGES): $(STAMPS)/node $(WEB)/package.json $(WEB)/package-lock.json $(WEB)/.npmrc
	@echo "page: installing its packages" >&2
	@$(NPM) ci --loglevel error >&2 || { echo "page: npm could not install the page's packages; it needs an npm registry." \
		"Without the page: make setup && $(ARENA) up" >&2; exit 2; }
	@touch $@

$(NODE_CLIENT_PACKAGES): $(STAMPS)/node $(NODE_CLIENT)/package.json $(NODE_CLIENT)/package-lock.json $(NODE_CLIENT)/.npmrc
	@echo "node client: installing its packages" >&2
	@$(NODE_CLIENT_NPM) ci --loglevel error >&2 || { echo "node client: npm could not install its packages;" \
		"it needs an npm registry" >&2; exit 2; }
	@touch $@

$(PAGE): $(PAGE_PACKAGES) $(PAGE_SOURCES)
	@echo "page: building it" >&2
	@$(NPM) run --silent build -- --log-level warn >&2
	@touch $@
