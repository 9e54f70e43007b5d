# Every habit of the project. `make` alone lists them.
SHELL := /bin/bash
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV_VERSION := 0.13.9
MEMBERS := libs/common libs/workspace services/permissions services/notifier services/agent-runner services/gateway deploy/dev
STAMP := $(VENV)/.stamp
VENDOR := services/gateway/src/handraise/gateway/static/vendor

.PHONY: help
help: ## list what can be made
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  \033[1m%-14s\033[0m %s\n", $$1, $$2}'

$(STAMP): requirements.lock $(addsuffix /pyproject.toml,$(MEMBERS))
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@test -x $(BIN)/uv || $(BIN)/python -m pip install -q uv==$(UV_VERSION)
	@VIRTUAL_ENV=$(CURDIR)/$(VENV) $(BIN)/uv pip sync -q --require-hashes requirements.lock
	@VIRTUAL_ENV=$(CURDIR)/$(VENV) $(BIN)/uv pip install -q --no-deps --no-build-isolation $(addprefix -e ./,$(MEMBERS))
	@touch $@

.PHONY: setup
setup: $(STAMP) ## make the environment in .venv from the lock files

.PHONY: lock
lock: ## resolve the lock files anew, without addresses
	$(BIN)/uv pip compile -q --universal --generate-hashes --no-annotate --no-header --no-emit-index-url --no-emit-find-links --group dev pyproject.toml -o requirements.lock
	sed -i.bak '/^-e /d' requirements.lock && rm requirements.lock.bak

.PHONY: lint
lint: $(STAMP) ## ruff, mypy strict, import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

.PHONY: format
format: $(STAMP) ## put the code into its one format
	$(BIN)/ruff check -q --fix . || true
	$(BIN)/ruff format .
