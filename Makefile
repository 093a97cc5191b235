# A thin layer over CMake: every target first makes sure that the packages it needs are there.
.PHONY: all demo check bench validate install packages clean
all: packages
	cmake --preset release >/dev/null
	cmake --build --preset release
packages:
	@scripts/install-packages
clean:
	rm -rf build build-dev build-asan build-tsan build-fuzz
