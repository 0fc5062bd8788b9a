# make          release build          make demo        all steps on the sample game
# make test     build, run all tests; FAST=1 those that need nothing but Swift and zlib
# make lint     formatting and style
# make install  PREFIX=/usr/local      make uninstall   the same files
# make docs     the guide as a web site, in .build/docs
# make man      the manual pages       make dist        a release of all programs in dist/, as a tarball
# make deb      a release as a package for Debian and Ubuntu, in dist/
# make wheel    a release as a wheel for pip and pre-commit, in dist/
# make serve    ba-serve, with libmicrohttpd, GnuTLS and libqrencode; install includes it, once built
# make upload   ba-upload, with libcurl and, but on macOS, GnuTLS; install includes it, once it is built
# make bench    compared with pigz, zstd and 7z, on games' data; SET=small for a short run; fails if
#               a ratio is much worse than recorded for this machine; RECORD=1 records
# make growth   how time and memory grow, to a million files and 64 GiB
# make faults   every call fails, kills, races, full disks: Tests/Faults, all of it
# make check-macos  all targets, type-checked for macOS on Linux: Tests/MacOS
# make check-windows  the library and ba-package, compiled for Windows on Linux, but not linked
# make windows-backend  the backend for Windows and the codec, run with wine: Tests/Windows
# make equal-bytes  packs of this machine's programs, compared with a table: Tests/EqualBytes
# make mutants  mistakes are planted, to see which no test notices: Tests/Mutants; takes hours
# make bazel    the rule for Bazel, in its sandbox and from a cache: Tests/Bazel
# make plugin   'swift package ba-package' from another package: Tests/Plugin
# make pictures the pictures in README and the guide, with Chromium
# make container  an image with the static program, built and run with podman or docker
# make fuzz     readers against mutations; FUZZ_SECONDS=20
# make clean

PREFIX ?= /usr/local
SWIFT ?= swift
BUILD = $(SWIFT) build -c release
# What is installed and released on Linux is one static program, which runs on any distribution.
# Tests run the dynamic one that plain `swift build` makes, since they load a library into it; only
# linking differs, so nothing is compiled twice. `make STATIC=stdlib` links with the system's own
# libraries.
STATIC = $(if $(filter Linux,$(shell uname -s)),executable)
BUILD_RELEASE = $(if $(STATIC),BA_STATIC=$(STATIC)) $(BUILD)
TOOL = .build/release/ba-package
# The targets that Package.swift adds where BA_TOOLS names them; tests build those whose libraries
# are here.
TOOLS = $(shell .ci/install-tools --present $(SERVE_LIBRARIES) && echo serve),$(shell \
  .ci/install-tools --present $(UPLOAD_LIBRARIES) && echo upload)
SERVE_LIBRARIES = gnutls libqrencode microhttpd
UPLOAD_LIBRARIES = libcurl $(if $(filter Linux,$(shell uname -s)),gnutls)

.PHONY: build serve upload test mutants faults bazel container plugin upload-kills fuzz lint demo docs pictures man install \
  uninstall staged dist deb wheel clean zlib test-tools lint-tools bench bench-tools

build: zlib
	$(BUILD_RELEASE) --product ba-package

SUITES = Interop Faults Releases EqualBytes $(if $(findstring serve,$(TOOLS)),Serve) \
  $(if $(findstring upload,$(TOOLS)),AppStoreConnectMock)

ifdef FAST
test: zlib
	@BA_TOOLS= .ci/build-tests 25 $(BUILD)
	BA_TOOLS= .ci/test-swift $(SWIFT) test -c release --skip-build
else
test: zlib test-tools
	@BA_TOOLS=$(TOOLS) .ci/build-tests 45 $(BUILD)
	BA_TOOLS=$(TOOLS) .ci/test 'Swift=.ci/test-swift $(SWIFT) test -c release --skip-build' \
	  $(foreach suite,$(SUITES),'$(suite)=Tests/$(suite)/run $(if $(findstring $(suite),Serve AppStoreConnectMock),,.build/release/ba-package)')
endif

# The program is linked to libc dynamically, so that calls can be made to fail.
faults: zlib test-tools
	$(BUILD) --product ba-package
	Tests/Faults/run --long .build/release/ba-package

.PHONY: check-macos check-windows windows-backend equal-bytes growth

# Takes 40 seconds, and at first the download of 100 MB.
check-macos:
	@.ci/install-tools python3 venv libcurl $(SERVE_LIBRARIES)
	Tests/MacOS/check

# Takes 40 seconds, and at first the same download.
check-windows:
	@.ci/install-tools python3 venv
	Tests/MacOS/check windows

# Takes half a minute, and 1 GB for wine and mingw.
windows-backend: zlib
	@.ci/install-tools python3 wine x86_64-w64-mingw32-gcc
	$(BUILD) --product ba-package
	Tests/Windows/run .build/release/ba-package

# The packs are listed in a file, to be compared with those of other machines.
equal-bytes: build
	$(BUILD) --product ba-package
	Tests/EqualBytes/run --output .build/equal-bytes.txt .build/release/ba-package $(TOOL)

# MUTANTS: options such as --only 'BAServer/*' or --seed 2.
mutants: zlib test-tools
	Tests/Mutants/run $(MUTANTS)

# Takes 40 seconds and some 200 MB of Debian's packages.
bazel: zlib
	@.ci/install-tools --required python3 bazel nginx
	$(BUILD) --product ba-package
	Tests/Bazel/run .build/release/ba-package

container: build
	Tests/Container/run $(TOOL)

# Compiles the library and the program for a package that depends on this one, which takes minutes.
plugin: zlib
	Tests/Plugin/run

# A hundred uploads are killed, and run again; one waits for a minute.
upload-kills: zlib test-tools
	BA_TOOLS=upload $(BUILD) --product ba-package
	BA_TOOLS=upload $(BUILD) --product ba-upload
	BA_LONG=1 Tests/AppStoreConnectMock/run .build/release/ba-upload .build/release/ba-package test_kills test_submit \
	  test_faults.Store.test_the_time_to_wait_is_over

# With the address sanitizer, in a build folder of its own; Foundation leaks the buffer of an empty
# file that it reads, so leaks are not looked for.
# CI takes FUZZ_BUILD=debug, which is built in a third of the time.
FUZZ_SECONDS ?= 20
FUZZ_BUILD ?= release
FUZZ_SEED ?= 1
FUZZ_TARGETS ?= app-infos archives depots downloads exports fixes lzfse manifests projects xcode

# The benchmarks are built here, too, so that they keep compiling.
fuzz: zlib
	for product in fuzz limit-benchmark codec-benchmark; do \
	  BA_TOOLS=bench,fuzz $(SWIFT) build -c $(FUZZ_BUILD) --sanitize=address --scratch-path .build-asan --product $$product || exit 1; \
	done
	for target in $(FUZZ_TARGETS); do \
	  ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=16 .build-asan/$(FUZZ_BUILD)/fuzz $$target $(FUZZ_SECONDS) $(FUZZ_SEED) || exit 1; \
	done

lint: lint-tools
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests Fixtures/Examples
	.ci/lint-operators Sources Tests
	.ci/lint-scripts

# Built for debugging, which takes a third of the time.
demo: zlib
	@echo "Building for debugging; SwiftPM's last line stands for up to a minute, which is the longest step."
	@start=$$(date +%s); $(SWIFT) build --product ba-package && \
	  echo "Built in $$(($$(date +%s) - start)) s; an optimized program ('make') takes about three times as long."
	@rm -rf .build/demo && PATH="$(CURDIR)/.build/debug:$$PATH" .ci/demo .build/demo

# The speed of this machine is in the picture of progress, so each run makes other bytes.
pictures: build serve
	@.ci/install-tools --required python3 chromium
	PYTHONPATH=Tests/Interop .ci/pictures $(TOOL) $(EXTRA_OUT)/release/ba-serve

# Programs that need libraries of their own, linked to the system's. What was built of them is
# installed too; they are kept apart from those that tests build.
EXTRA_OUT = .build/extra
BUILD_EXTRA = $(if $(STATIC),BA_STATIC=stdlib) $(BUILD) --scratch-path $(EXTRA_OUT)
PROGRAMS = $(TOOL) $(wildcard $(EXTRA_OUT)/release/ba-serve $(EXTRA_OUT)/release/ba-upload)

serve: zlib
	@.ci/install-tools --required $(SERVE_LIBRARIES)
	BA_TOOLS=serve $(BUILD_EXTRA) --product ba-serve

upload: zlib
	@.ci/install-tools --required $(UPLOAD_LIBRARIES)
	BA_TOOLS=upload $(BUILD_EXTRA) --product ba-upload

man: build
	@mkdir -p .build/generated && for program in $(PROGRAMS); do \
	  page=.build/generated/$$(basename $$program).1; \
	  $$program --generate-manual >$$page && echo $$page || exit 1; \
	done

# BASE is the path of the site on its server.
docs: build
	.ci/docs .build/release/Modules .build/docs $(BASE)

# What a program is installed with below PREFIX is printed by itself: manual page and completions.
ROOT = $(DESTDIR)$(PREFIX)

install: build
	@for program in $(PROGRAMS); do \
	  .ci/install-program $$program "$(ROOT)" && echo "$(ROOT)/bin/$$(basename $$program)" || exit 1; \
	done

uninstall:
	@for name in ba-package ba-serve ba-upload; do \
	  rm -f "$(ROOT)/bin/$$name" "$(ROOT)/share/man/man1/$$name.1" \
	    "$(ROOT)/share/bash-completion/completions/$$name" \
	    "$(ROOT)/share/zsh/site-functions/_$$name" \
	    "$(ROOT)/share/fish/vendor_completions.d/$$name.fish"; \
	done

# A release: what install would put below PREFIX, and the documents, in several forms. The newest commit
# decides the times, so one commit gives the same bytes.
DIST = .build/dist
dist deb wheel: export SOURCE_DATE_EPOCH = $(shell git log -1 --format=%ct 2>/dev/null || echo 0)

# A tarball has all programs; ba-serve is for Linux.
staged: build $(if $(filter dist,$(MAKECMDGOALS)),upload $(if $(STATIC),serve))
	@$(if $(findstring executable,$(STATIC)),.ci/check-static $(TOOL))
	@rm -rf $(DIST)
	@$(MAKE) --no-print-directory install DESTDIR= PREFIX="$(CURDIR)/$(DIST)" >/dev/null
	@.ci/install-documents $(DIST)

dist: staged
	@.ci/dist $(DIST) dist

deb: staged
	@.ci/deb $(DIST) dist

wheel: staged
	@.ci/install-tools --required python3
	@.ci/wheel $(DIST) dist

clean:
	rm -rf .build .build-asan dist

# SET=small (under two minutes), stk, 0ad or all; data is kept in BENCH_CACHE, else below ~/.cache.
SET ?= all

# Compares with other programs, then by kind of data; RECORD=1 keeps the figures, and draws them.
# Also links the program dynamically, for another libz than the static one's.
bench: zlib bench-tools
	$(BUILD) --product ba-package
	cp .build/release/ba-package .build/ba-package-dynamic
	$(MAKE) --no-print-directory build
	BA_TOOLS=bench $(BUILD) --product limit-benchmark
	BA_TOOLS=bench $(BUILD) --product codec-benchmark
	python3 Tests/Benchmarks/bench.py --set $(SET) $(if $(RECORD),--record)
	python3 Tests/Benchmarks/kinds.py $(if $(RECORD),--record) .build/release/limit-benchmark
	$(if $(RECORD),python3 Tests/Benchmarks/picture.py)

# Takes ten minutes, 8 GB of memory and 10 GB of the disk.
growth: build
	python3 Tests/Benchmarks/growth.py

# The programs that packaging is compared with.
bench-tools:
	@.ci/install-tools --required pigz zstd 7z
	@.ci/install-tools igzip

zlib:
	@command -v $(SWIFT) >/dev/null || { \
	  echo "Swift 6.2 or later is needed: https://swift.org/install" >&2; exit 1; }
	@.ci/install-tools --required zlib

# Programs that tests compare the tool with; a test whose program is missing is skipped.
test-tools:
	@.ci/install-tools python3 bash zsh fish shellcheck mandoc groff curl git clang libcurl \
	  $(SERVE_LIBRARIES) openssl ninja cmake meson make rsync git-lfs rclone ruby venv cldr chromium \
	  godot3-server
	@command -v python3 >/dev/null || { echo "without python3: make test FAST=1" >&2; exit 1; }

lint-tools:
	@.ci/install-tools python3 venv shellcheck git
