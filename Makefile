# Everyday commands over the CMake presets (`make help`). Each target first installs what it needs; tools/setup.sh says
# nothing when nothing is missing.
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
CONFIGURE = tools/configure.sh

.PHONY: all build demo test bench format lint install asan tsan fuzz debug clean help

all: build

build: ## build/capstan, build/libcapstan.a and build/libcapstan.so
	@tools/setup.sh build
	@$(CONFIGURE) release
	@cmake --build --preset release -j $(JOBS) --target product

debug: ## build/debug: -O0, with tests
	@tools/setup.sh test
	@$(CONFIGURE) debug -DCAPSTAN_TESTS=ON
	@cmake --build --preset debug -j $(JOBS)

clean: ## remove everything built
	rm -rf build

help: ## this list
	@sed -n 's/^\([a-z]*\):[^#]*## /\1|/p' $(MAKEFILE_LIST) | awk -F'|' '{printf "  make %-9s %s\n", $$1, $$2}'
