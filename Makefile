# Everyday commands over the CMake presets (`make help`). Each first installs what it needs; tools/setup.sh says nothing when
# nothing is missing.
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 600
export JOBS

.PHONY: all build python demo motion planar fibers rigid cloth hair physics report gallery docs scale test bench debug asan tsan fuzz lint format install deb clean help

all: build

build: ## build/capstan, build/libcapstan.a, build/libcapstan.so and build/capstan-bench
	@tools/setup.sh build
	@tools/configure.sh release
	@cmake --build --preset release -j $(JOBS) --target product

python: ## the Python package: wheel, a clean venv, all its tests: build/python/
	@tools/setup.sh python
	@tools/python_package.sh

demo: build ## run a scene that shows friction at a glance; its figures, plots and where they are
	@build/capstan run scenes/planar/demo.json --out build/demo.run --force
	@build/capstan plot build/demo.run --only energies,contacts,residual
	@build/capstan render build/demo.run --contact-sheet 6 --contacts
	@build/capstan view build/demo.run || echo "the page was left out"

motion: build ## docs/images/motion.webp and friction_laws.png, the pictures of the README, from shipped scenes
	@tools/setup.sh bench
	@tools/make_motion.sh
	@/usr/bin/python3 tools/friction_laws.py

planar: build ## run the planar scenes, check their physics, make their pages: build/planar/index.html
	@tools/setup.sh bench
	@/usr/bin/python3 validate/scenes/planar.py

fibers: build ## run the scenes of fibers in space, check their physics, make their pages: build/fibers/index.html
	@tools/setup.sh bench
	@/usr/bin/python3 validate/scenes/fibers.py

rigid: build ## run the scenes of rigid bodies (houses of cards, arches) and check them: build/rigid/rigid.csv
	@tools/setup.sh bench
	@/usr/bin/python3 validate/scenes/rigid.py

cloth: build ## run the scenes of cloth and check them, LONG=1 for those that take minutes too: build/cloth/cloth.csv
	@tools/setup.sh bench
	@/usr/bin/python3 validate/scenes/cloth.py $(if $(LONG),--long)
	@/usr/bin/python3 validate/scenes/cloth_mixed.py

hair: build ## run scenes of hair, check them, rebuild Table 1 of Daviet et al. 2011, LONG=1 for a second of each full head: build/hair/table1.md
	@tools/setup.sh bench
	@/usr/bin/python3 validate/scenes/hair.py $(if $(LONG),--long)

test: ## every test: release, asan+ubsan, tsan, short fuzzing, layer check
	@tools/setup.sh test
	@tools/run_tests.sh

bench: ## compare the solvers: table, CSV, plots (FILES="a.hdf5 ..." for others than our own problems)
	@tools/setup.sh bench
	@tools/configure.sh release
	@cmake --build --preset release -j $(JOBS) --target product
	@build/capstan-bench solvers $(FILES) --csv build/solvers.csv --plots build/plots

physics: build ## every check of the physics against its reference: one table, build/physics/physics.csv
	@build/capstan-bench physics --out build/physics

report: build ## every physical check of all parts, LONG=1 for all of each: build/report/index.html and report.csv
	@tools/setup.sh bench
	@/usr/bin/python3 validate/report.py $(if $(LONG),--long)

gallery: build ## every shipped scene, short, or those in SCENES="demo hair ...": build/gallery/index.html
	@tools/setup.sh bench
	@/usr/bin/python3 tools/gallery.py $(SCENES)

docs: ## the documents as a site with search: build/site/index.html
	@tools/setup.sh docs
	@tools/build_docs.sh

scale: build ## how a step grows with fibers, contacts and threads: tables, build/scale/scale.csv, plots
	@build/capstan-bench scale --out build/scale

debug: ## build/debug: -O0, with the tests
	@tools/setup.sh test
	@tools/configure.sh debug -DCAPSTAN_TESTS=ON
	@cmake --build --preset debug -j $(JOBS)

asan: ## build/asan: all tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@tools/setup.sh test
	@tools/run_tests.sh asan

tsan: ## build/tsan: the threaded tests under ThreadSanitizer
	@tools/setup.sh test
	@tools/run_tests.sh tsan

fuzz: ## build/fuzz: each fuzz target for FUZZ_SECONDS (600)
	@tools/setup.sh test
	@tools/configure.sh fuzz -DCMAKE_C_FLAGS=-O1
	@cmake --build --preset fuzz -j $(JOBS)
	@for target in build/fuzz/tests/fuzz_*; do \
	    [ -x "$$target" ] || continue; \
	    tools/run_fuzz.sh $(FUZZ_SECONDS) "$$target" "tests/corpus/$${target##*/fuzz_}" || exit 1; \
	done

lint: ## clang-tidy and the layer check
	@tools/setup.sh lint
	@tools/check_layers.py
	@tools/configure.sh release
	@run-clang-tidy -quiet -extra-arg=-UNDEBUG -p build -j $(JOBS) '$(CURDIR)/(src|tests|validate)/.*\.c$$'

format: ## clang-format over all sources
	@tools/setup.sh lint
	@find src include tests validate -name '*.[ch]' | xargs clang-format -i

install: build ## command, libraries, headers, manual pages, completions under PREFIX (/usr/local); DESTDIR is honoured
	@cmake --install build --prefix $(PREFIX)

deb: build ## build/deb/capstan_VERSION_ARCH.deb: apt-get install ./THAT
	@tools/setup.sh deb
	@cpack --config build/CPackConfig.cmake -B build/deb >build/cpack.log 2>&1 || { cat build/cpack.log; exit 1; }
	@rm -rf build/deb/_CPack_Packages
	@ls build/deb/*.deb

clean: ## remove everything built
	rm -rf build

help: ## this list
	@sed -n 's/^\([a-z]*\):[^#]*## /\1|/p' $(MAKEFILE_LIST) | awk -F'|' '{printf "  make %-9s %s\n", $$1, $$2}'
