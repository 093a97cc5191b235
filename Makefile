# A thin layer over CMake. Every target first makes sure that the Debian packages it needs are there.
PREFIX ?= /usr/local

.PHONY: all demo check python lint bench gpu-check validate fit fit-draw install fuzz silicon page-check wasm wasm-check docs packages check-packages clean

all: packages
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target flitcast flitcast_static flitcast_shared manual

demo: all
	@build/flitcast demo

# Tests run optimised, with the sanitizers, and (what uses several threads) with the thread sanitizer;
# scripts/check says which where.
check: check-packages
	@scripts/check

# The Python package: built against this library, tested in a virtual environment below build/.
python: all
	@scripts/install-packages python
	@scripts/python build
	@echo "build/python/venv/bin/python has the package; pip install ./python installs it elsewhere"

# clang-format and clang-tidy.
lint: check-packages
	@scripts/install-packages lint
	@scripts/lint

bench: all
	@cmake --build --preset release
	@for program in build/bench/bench_*; do [ -x $$program ] && [ -f $$program ] && echo "== $$(basename $$program)" && $$program; done

# On a machine with an NVIDIA GPU and nvcc: the GPU engine against the processor, and its speed.
gpu-check:
	@bench/gpu_check.sh

# The long studies behind docs/validation/, and the cases that the library carries. The suite
# simulates what its tables do not hold yet, for at most SECONDS_EACH (default: 3600), and evaluates
# every model again; another run continues where it stopped.
validate: check-packages all
	@cmake --build --preset release
	@build/tests/validation/validate_suite --seconds $(or $(SECONDS_EACH),3600) docs/validation data/accuracy.csv
	@xz -9ef fit/tables/*.csv
	@cmake --build --preset release
	@for program in build/tests/validation/validate_*; do [ -x $$program ] && [ -f $$program ] && [ $$(basename $$program) != validate_suite ] || continue; echo "== $$(basename $$program)"; $$program docs/validation || exit 1; done

# The weights in data/, made again from the simulated networks in fit/tables, on a processor: fit/README.md.
fit: packages
	@scripts/install-packages fit
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target fit_datasets fit_train
	@scripts/fit $(FAMILY)

# Simulates more networks for a table of fit/tables: FAMILY, TABLE, SEED, COUNT and SECONDS (fit/README.md).
fit-draw: packages
	@scripts/install-packages fit
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target fit_points
	@scripts/fit-draw $(FAMILY) $(or $(TABLE),$(FAMILY)_points) $(or $(SEED),1) $(or $(COUNT),1000) $(or $(SECONDS),3600)

# The page in a real browser, and its server under attack and load.
page-check: check-packages all
	@cmake --build --preset release --target test_page_request
	@ctest --test-dir build --output-on-failure -R '^page/|unit/page_request'

# The page without a server, in the static folder build/wasm: Flitcast compiled to WebAssembly.
wasm: packages
	@scripts/install-packages wasm
	@scripts/wasm

# Every example in a headless browser: the digits of the program.
wasm-check: wasm check-packages all
	@scripts/wasm check

# Traces of a real chip against their simulation: docs/validation/silicon.md.
silicon: all
	@scripts/silicon $(or $(TRACES),$(error say where the traces are: make silicon TRACES=FOLDER)) $(SETTINGS)

fuzz: check-packages
	@scripts/fuzz $(or $(SECONDS_EACH),300)

# The API reference, from the comments of the public header: build/docs/html/index.html.
docs:
	@scripts/install-packages docs
	@mkdir -p build/docs
	@doxygen docs/Doxyfile
	@echo "build/docs/html/index.html"

install: all
	cmake --install build --prefix $(PREFIX)

packages:
	@scripts/install-packages

check-packages:
	@scripts/install-packages check

clean:
	rm -rf build build-dev build-asan build-tsan flitcast-demo.svg
