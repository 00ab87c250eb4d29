# Everything the project needs is installed here, into .tools and .venv.
UV_VERSION := 0.13.7
UV := .tools/bin/uv
RUN := $(UV) run --frozen
GAME ?=

export UV_SYSTEM_CERTS ?= 1
export LUDOTHEQUE_CACHE ?= $(CURDIR)/.cache/kernels

.PHONY: play test lint format bench clean

play: .venv/installed ## play in the terminal (make play GAME=whats_up)
	@$(RUN) ludotheque play $(GAME)

test: lint ## everything that must hold
	$(RUN) pytest -n 2 --dist loadgroup

lint: .venv/installed ## formatting, lint, types, import directions
	$(RUN) ruff format --check
	$(RUN) ruff check
	$(RUN) mypy
	$(RUN) lint-imports

format: .venv/installed
	$(RUN) ruff format
	$(RUN) ruff check --fix

bench: .venv/installed ## measure, and write benchmarks/results.md
	$(UV) sync --frozen --group bench
	$(RUN) --group bench python -m benchmarks

clean:
	rm -rf .venv .tools .cache

$(UV):
	python3 -m pip install --quiet --disable-pip-version-check --target .tools uv==$(UV_VERSION)

.venv/installed: $(UV) pyproject.toml uv.lock
	$(UV) sync --frozen
	@touch $@
