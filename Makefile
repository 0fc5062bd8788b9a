# make          release build          make demo        the whole road on the sample game
# make test     build, run all tests   make lint        formatting and style
# make install  PREFIX=/usr/local      make uninstall   the same files
# make man      the manual page        make dist        a release in dist/
# make bench    beside pigz, zstd and 7z, on games' data; SET=small for a short run
# make faults   every call fails, kills, races, full disks: Tests/Faults, all of it
# make fuzz     readers against mutations; FUZZ_SECONDS=20
# make clean

PREFIX ?= /usr/local
SWIFT ?= swift
BUILD = $(SWIFT) build -c release
# What is installed and released on Linux is one static program, which runs on any distribution.
# Tests run the dynamic one that plain `swift build` makes, since they load a library into it.
# `make STATIC=--static-swift-stdlib` links with the system's own libraries.
STATIC = $(if $(filter Linux,$(shell uname -s)),-Xswiftc -static-executable -Xlinker -s)
OUT = .build$(if $(STATIC),/static)
BUILD_RELEASE = $(BUILD) --scratch-path $(OUT) $(STATIC)
TOOL = $(OUT)/release/ba-package
# The targets that Package.swift adds where BA_TOOLS names them; tests build all of them.
TOOLS = bench,fuzz

.PHONY: build test faults fuzz lint demo man install uninstall dist clean zlib test-tools lint-tools bench bench-tools

build: zlib
	$(BUILD_RELEASE) --product ba-package

test: zlib test-tools
	BA_TOOLS=$(TOOLS) $(BUILD) --build-tests
	BA_TOOLS=$(TOOLS) $(SWIFT) test -c release --skip-build
	Tests/Interop/run .build/release/ba-package

# The program is linked to libc dynamically, so that calls can be made to fail.
faults: zlib test-tools
	$(BUILD) --product ba-package
	Tests/Faults/run --long .build/release/ba-package

# With the address sanitizer, in a build folder of its own; Foundation leaks the buffer of an empty
# file that it reads, so leaks are not looked for.
FUZZ_SECONDS ?= 20
FUZZ_SEED ?= 1

fuzz: zlib
	BA_TOOLS=fuzz $(BUILD) --sanitize=address --scratch-path .build-asan --product fuzz
	for target in archives manifests lzfse; do \
	  ASAN_OPTIONS=detect_leaks=0 .build-asan/release/fuzz $$target $(FUZZ_SECONDS) $(FUZZ_SEED) || exit 1; \
	done

lint: lint-tools
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests
	.ci/lint-scripts
	python3 Tests/Lint/layers.py

# Runs on a copy, so that it can be run again.
demo: build
	@rm -rf .build/demo && cp -R Fixtures/SampleGame .build/demo
	@cd .build/demo && PATH="$(CURDIR)/$(OUT)/release:$$PATH" && set -e && \
	run() { printf '\n$$ %s\n' "$$*"; "$$@"; } && \
	run ba-package template -o Packs/New.json && \
	run head -12 Packs/New.json && rm Packs/New.json && \
	run ba-package validate Packs/Dialogue-ja.json Packs/Harbour.json Packs/Lighthouse.json && \
	run ba-package package Packs/Harbour.json -o Harbour.aar --verbose && \
	run ls -l Harbour.aar

# What is installed beside the program, below PREFIX; all of it is printed by the program itself.
MAN = share/man/man1/ba-package.1
BASH_COMPLETION = share/bash-completion/completions/ba-package
ZSH_COMPLETION = share/zsh/site-functions/_ba-package
FISH_COMPLETION = share/fish/vendor_completions.d/ba-package.fish
GENERATED = .build/generated

man: $(GENERATED)/$(MAN)
	@echo $<

$(GENERATED)/$(MAN): build
	@for file in $(MAN) $(BASH_COMPLETION) $(ZSH_COMPLETION) $(FISH_COMPLETION); do \
	  mkdir -p $(GENERATED)/$$(dirname $$file); \
	done
	@$(TOOL) --generate-manual >$(GENERATED)/$(MAN)
	@$(TOOL) --generate-completion-script bash >$(GENERATED)/$(BASH_COMPLETION)
	@$(TOOL) --generate-completion-script zsh >$(GENERATED)/$(ZSH_COMPLETION)
	@$(TOOL) --generate-completion-script fish >$(GENERATED)/$(FISH_COMPLETION)

ROOT = $(DESTDIR)$(PREFIX)

install: $(GENERATED)/$(MAN)
	install -d "$(ROOT)/bin"
	install -m 755 $(TOOL) "$(ROOT)/bin/ba-package"
	@for file in $(MAN) $(BASH_COMPLETION) $(ZSH_COMPLETION) $(FISH_COMPLETION); do \
	  install -d "$(ROOT)/$$(dirname $$file)" && \
	  install -m 644 $(GENERATED)/$$file "$(ROOT)/$$file" || exit 1; \
	done

uninstall:
	rm -f "$(ROOT)/bin/ba-package" "$(ROOT)/$(MAN)" "$(ROOT)/$(BASH_COMPLETION)" \
	  "$(ROOT)/$(ZSH_COMPLETION)" "$(ROOT)/$(FISH_COMPLETION)"

# A release: what install would put below PREFIX, as a tarball.
DIST = .build/dist

dist: build
	@rm -rf $(DIST)
	@$(MAKE) --no-print-directory install DESTDIR= PREFIX="$(CURDIR)/$(DIST)" >/dev/null
	@cp README.md $(DIST)/
	@.ci/dist $(DIST) dist

clean:
	rm -rf .build .build-asan dist

# SET=small (under two minutes), stk, 0ad or all; data is kept in BENCH_CACHE, else below ~/.cache.
SET ?= all

bench: build bench-tools
	BA_TOOLS=bench $(BUILD_RELEASE) --product limit-benchmark
	BA_BUILD=$(OUT)/release python3 Tests/Benchmarks/bench.py --set $(SET)

# The programs that packing is measured against.
bench-tools:
	@.ci/install-tools --required pigz zstd 7z

zlib:
	@.ci/install-tools --required zlib

# Programs that tests compare the tool with; a test whose program is missing is skipped.
test-tools:
	@.ci/install-tools python3 bash zsh fish shellcheck mandoc groff curl git clang

lint-tools:
	@.ci/install-tools python3 venv shellcheck git
