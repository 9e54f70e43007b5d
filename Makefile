# Every habit of the project. `make` alone lists them.
SHELL := /bin/bash
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV_VERSION := 0.13.9
MEMBERS := libs/common libs/workspace services/permissions services/notifier services/agent-runner services/gateway deploy/dev
STAMP := $(VENV)/.stamp
LAYERS := unit contract integration issues guards race crash e2e

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

.PHONY: vendor
vendor: $(STAMP) ## fetch what the pages load in a browser, by npm's lock file
	@$(BIN)/python -m handraise.dev vendor

.PHONY: run
run: vendor ## the whole house on this machine; MODEL_BASE_URL=… MODEL_NAME=… [MODEL_API_KEY=…] for a real model
	@exec $(BIN)/python -m handraise.dev run

.PHONY: demo
demo: vendor ## play the story of a question on a house of its own, killing everything in between
	@exec $(BIN)/python -m handraise.dev demo

.PHONY: clean-state
clean-state: $(STAMP) ## stop what a killed run left, and forget everything that was kept
	@$(BIN)/python -m handraise.dev clean

.PHONY: test
test: vendor ## every test, in layers from cheap to dear
	@$(BIN)/pytest -q $(if $(K),-k '$(K)') $(wildcard $(addprefix tests/,$(LAYERS)))

.PHONY: test-unit test-contract test-integration test-race test-crash test-e2e
test-unit: ## one layer alone; the same for contract, integration, race, crash, e2e
test-unit: LAYER := unit
test-contract: LAYER := contract
test-integration: LAYER := integration
test-race: LAYER := race
test-crash: LAYER := crash
test-e2e: LAYER := e2e
test-unit test-contract test-integration test-race test-crash test-e2e: vendor
	@$(BIN)/pytest -q $(if $(K),-k '$(K)') tests/$(LAYER)

.PHONY: workspace
workspace: setup ## a workspace of your own: SLUG=… NAME=… EMAIL=… [TIMEZONE=…]
	@$(BIN)/python -m handraise.dev workspace '$(SLUG)' '$(NAME)' '$(EMAIL)' $(TIMEZONE)

.PHONY: migration
migration: setup ## write the migration for changed tables: MESSAGE=…
	@$(BIN)/python -m handraise.dev migration '$(MESSAGE)'

.PHONY: bench
bench: setup ## a park and its answer beside the floor, on this machine; ITEMS=…
	@$(BIN)/python -m bench.park_resume --items $(or $(ITEMS),600)

.PHONY: guards
guards: vendor ## break what each guard guards, and see the guard fail; ONLY=… for some
	@$(BIN)/python -m tests.guards.runner $(ONLY)
