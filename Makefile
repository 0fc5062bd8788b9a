# make          release build          make demo      the whole road on the sample game
# make test     build, run all tests   make lint      formatting and style
# make install  PREFIX=/usr/local      make clean

PREFIX ?= /usr/local
SWIFT ?= swift
BUILD = $(SWIFT) build -c release
# Linux programs carry the Swift runtime, so that they run where no Swift is installed.
STATIC = $(if $(filter Linux,$(shell uname -s)),--static-swift-stdlib)
TOOL = .build/release/ba-package

.PHONY: build test lint demo install clean zlib

build: zlib
	$(BUILD) $(STATIC) --product ba-package

test: zlib
	$(BUILD) --build-tests
	$(SWIFT) test -c release --skip-build

lint:
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests

install: build
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 $(TOOL) $(DESTDIR)$(PREFIX)/bin/ba-package

clean:
	rm -rf .build

zlib:
	@echo '#include <zlib.h>' | clang -fsyntax-only -x c - 2>/dev/null || $(MAKE) install-zlib

install-zlib:
	@if command -v apt-get >/dev/null; then \
	  sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	  $$sudo apt-get update -q && $$sudo apt-get install -y -q zlib1g-dev; \
	else \
	  echo "zlib's headers are missing: install zlib with its development files (brew install zlib)" >&2; exit 1; \
	fi
