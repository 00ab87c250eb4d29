# Everything the project needs is installed into its own folder: .tools, .venv, node_modules.
UV_VERSION := 0.13.7
UV := .tools/bin/uv
RUN := $(UV) run --frozen --no-sync
PAGE := src/ludotheque/server/static/index.html
PAGE_SOURCES := $(shell find client src/ludotheque/games -name '*.svelte' -o -name '*.ts' \
	-o -name '*.css' -o -name '*.js' -o -name '*.svg' -o -name '*.html' -o -name '*.webmanifest')

export UV_SYSTEM_CERTS ?= 1
export UV_COMPILE_BYTECODE ?= 1
export LUDOTHEQUE_CACHE ?= $(CURDIR)/.cache/kernels
export NODE_EXTRA_CA_CERTS ?= $(wildcard /etc/ssl/certs/ca-certificates.crt)

.PHONY: play nodes terminal test test-client kernels browsers faults fuzz long mutants lint format bench audit update clean

play: .venv/installed $(PAGE) ## serve the table on http://localhost:8000
	@$(RUN) ludotheque serve

nodes: .venv/developed $(PAGE) ## two nodes that share tables, with PostgreSQL and NATS, for development
	@$(RUN) python scripts/nodes.py

terminal: .venv/installed ## play in the terminal
	@$(RUN) ludotheque play

test: .venv/developed node_modules/installed ## everything that must hold
	$(MAKE) --jobs=4 lint test-client kernels browsers
	$(RUN) pytest -n 4 --dist loadscope --no-loadscope-reorder

# Beside lint, which keeps one core busy: it takes about as long to compile the kernels.
test-client: $(PAGE)
	npm test

kernels: .venv/developed
	$(RUN) ludotheque warm

browsers:
	scripts/install_browser.sh

faults: .venv/developed ## the long runs: faults and secrecy
	$(RUN) pytest tests/faults tests/server/test_secrecy.py --long

fuzz: .venv/developed $(PAGE) ## a million wrong inputs; and inputs led by coverage, where atheris installs
	$(RUN) pytest tests/fuzz --long
	@test -d .tools/atheris || $(UV) pip install --quiet --python .venv/bin/python --target .tools/atheris atheris || true
	PYTHONPATH=.tools/atheris $(RUN) python tests/fuzz/guided.py

long: .venv/developed ## a thousand whole matches in every environment, and a Ray cluster
	$(RUN) pytest tests/learn tests/test_cluster.py --long

mutants: .venv/developed ## change the rules a little, again and again: do the tests notice?
	$(RUN) python scripts/mutants.py

lint: .venv/developed node_modules/installed ## formatting, lint, types
	$(RUN) ruff format --check
	$(RUN) ruff check
	$(RUN) mypy
	npm run lint
	npm run check
	$(RUN) python scripts/write_types.py --check

format: .venv/developed node_modules/installed
	$(RUN) ruff format
	$(RUN) ruff check --fix
	$(RUN) python scripts/write_types.py
	npm run format

bench: .venv/developed $(PAGE) ## measure, and write benchmarks/results.md
	$(RUN) python -m benchmarks

audit: .venv/developed node_modules/installed ## known vulnerabilities of both lock files
	@$(RUN) python scripts/audit.py

update: .venv/developed node_modules/installed ## the newest dependencies in both lock files, tested
	$(UV) lock --upgrade
	npm update --no-audit --no-fund
	$(UV) sync --frozen --all-extras
	@touch .venv/installed .venv/developed node_modules/installed
	make test

clean:
	rm -rf .venv .tools .cache node_modules src/ludotheque/server/static

$(UV):
	python3 -m pip install --quiet --disable-pip-version-check --target .tools uv==$(UV_VERSION)

# What playing needs, and beside it what developing needs: neither removes the other's packages.
.venv/installed: $(UV) pyproject.toml uv.lock
	$(UV) sync --frozen --inexact --no-default-groups
	@touch $@

.venv/developed: .venv/installed
	$(UV) sync --frozen --all-extras
	@touch $@

node_modules/installed: package.json package-lock.json
	npm ci --no-audit --no-fund
	@touch $@

$(PAGE): node_modules/installed package.json vite.config.ts $(PAGE_SOURCES)
	npm run build
