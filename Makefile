.PHONY: help setup wasm build run test test-wasm offline test-threads test-memory test-long test-shop test-written test-editors library test-library test-library-threads wheel test-python test-fleet test-java page test-page simulate logic bench guard size schema pages docs docs-tools docs-check man zones fuzz embedded lint

POPRULES = .build/release/poprules
# Where the toolchain has Swift's libraries for it (on Linux), they are linked into the program: it starts in half the
# time, and runs where Swift is not installed.
STATIC_LIBRARIES = $(wildcard $(dir $(realpath $(shell command -v swift)))../lib/swift_static/linux)
# Without debug information, which took half of the program.
RELEASE = -c release -debug-info-format none $(if $(STATIC_LIBRARIES),--static-swift-stdlib)
BENCHMARKS = Tests/Benchmarks/.build
# Warnings are errors in every build below and in the scripts that they call: a build with another setting would compile
# everything again.
export POPRULES_STRICT = 1
# Written by `make wasm`.
WEB_ENGINE = Sources/PopPages/WebEngine+Bytes.swift
# SwiftPM hands the traits to the compiler in the order of a set: without a fixed one, every other call would compile
# everything again. Tests run without it.
BUILD = SWIFT_DETERMINISTIC_HASHING=1 swift build

help:
	@echo "make build          build $(POPRULES), the program to use"
	@echo "make wasm           build the engine for web pages, .build/wasm/engine.wasm (needs wasi-libc, binaryen, node, xz; smaller with zopfli)"
	@echo "make run            build a debug program, validate rules/, run its tests and simulate one scenario"
	@echo "make test           run every test"
	@echo "make offline        fetch the packages, and then build poprules without network in an empty folder"
	@echo "make test-wasm      run the cases of CEL in the engine for web pages, and compare it with the native engine over STEPS (1000000) random steps"
	@echo "make test-threads   run an engine under eight threads and ThreadSanitizer"
	@echo "make test-long      run RACES (200) rounds of each race for a history file, CLAIMS (240) random rule sets, and 40 recordings"
	@echo "make test-memory    check that the memory of an engine does not grow over INPUTS (10000000) inputs"
	@echo "make test-written   validate and run the tests that commands write for all rule sets of the repository"
	@echo "make test-shop      click through the GTK example, and check the screen (needs GTK 4, Xvfb)"
	@echo "make test-editors   test the language server in each installed editor, without a user"
	@echo "make library        build the C interface, .build/library/libpoprules.so and poprules.h"
	@echo "make test-library   call each C function, from eight threads and with wrong arguments"
	@echo "make test-library-threads  run test-library under ThreadSanitizer"
	@echo "make wheel          build the Python package, a wheel for every Python 3, in .build/wheels"
	@echo "make test-python    test the wheel in a virtual environment (needs PyPI)"
	@echo "make test-fleet     replay EVENTS (10000000) of a shop with backtest, Python, Spark and a naive model, and compare the results (needs PyPI, Java 17)"
	@echo "make test-java      test the classes for the JVM (needs JNA, Java 17)"
	@echo "make page           write .build/rules.html, the page of rules/"
	@echo "make test-page      use every view of a page in Chromium, with pictures in .build/pictures (needs Playwright and axe from PyPI)"
	@echo "make simulate       compare the scheduler with its model over STEPS (1000000) random steps, starting from SEED (0)"
	@echo "make logic          check claims about FORMULAS (1000000) random conditions with the evaluator, and about SOLVED (10000) with z3, starting from SEED (0)"
	@echo "make bench          measure speed, and compare it with other programs and with goals"
	@echo "make guard          count instructions and allocations against thresholds (needs valgrind)"
	@echo "make size           compare the size of an app that only loads a bundle with a threshold"
	@echo "make schema         regenerate rules/poprules.schema.json"
	@echo "make pages          regenerate pages and tables of the documentation from the sources"
	@echo "make docs           build the documentation site, .build/site (needs PyPI)"
	@echo "make docs-check     check that 95 % of the public symbols of the libraries are documented"
	@echo "make man            write the manual page, poprules.1"
	@echo "make zones          regenerate the table of time zones from the zones of this system"
	@echo "make fuzz           search for inputs that break a parser, for SECONDS (600) in all"
	@echo "make embedded       compile the deciding modules as Embedded Swift for WebAssembly"
	@echo "make lint           check the layout of the sources"

setup:
	@./.ci/setup

# The deciding modules as WebAssembly for web pages; on a machine that can't make it, the program is built without it.
wasm:
	@Web/build

build: setup wasm
	POPRULES_WASM=$$(test -f $(WEB_ENGINE) && echo 1) $(BUILD) $(RELEASE) --product poprules

# Without optimization, which doubles the time of a build; `make test` continues from the products that are built here.
TRIAL = .build/debug/poprules

run: setup
	$(BUILD) --product poprules
	$(TRIAL) validate rules
	$(TRIAL) test rules
	$(TRIAL) simulate rules/new-user.test.yaml

test: setup
	$(BUILD) --build-tests
	swift test --skip-build

OFFLINE = .build/offline

offline: setup
	rm -rf $(OFFLINE)
	swift package --scratch-path $(OFFLINE) resolve
	.ci/offline swift build --scratch-path $(OFFLINE) --product poprules \
		--disable-automatic-resolution --disable-dependency-cache

test-threads: setup
	$(BUILD) --sanitize=thread --scratch-path .build/threads \
		--product EngineLoad
	.build/threads/debug/EngineLoad threads 600

RACES ?= 200
CLAIMS ?= 240

# Tests that the suite runs with smaller numbers, so that it takes minutes.
test-long: setup
	HISTORY_RACES=$(RACES) POPRULES_CLAIMS=$(CLAIMS) POPRULES_CLAIM_STORIES=40 POPRULES_RECORDINGS=40 \
		swift test --filter 'PopHistorySQLiteTests|ClaimTests|RecordingTests'

STEPS ?= 1000000
SEED ?= 0

test-wasm: setup
	Web/tests/run $(STEPS) $(SEED)

INPUTS ?= 10000000

test-memory: setup
	$(BUILD) $(RELEASE) --product EngineLoad
	.build/release/EngineLoad memory $(INPUTS)

# Tests of the tests that commands write, for all rule sets of the repository.
test-written: setup
	WRITTEN_TESTS=all swift test --filter WrittenTestFilesTests

test-shop:
	swift build --package-path Examples/Shop
	Examples/Shop/test

test-editors: build
	Editors/tests/run $(POPRULES)

library: setup
	@.ci/library

test-library: library
	Tests/CInterface/run

test-library-threads: setup
	Tests/CInterface/threads

wheel: library
	Python/build

test-python: wheel
	Python/test

EVENTS ?= 10000000
CONFIGURATION ?= release
# As `make library` builds, so that nothing is compiled twice.
AS_LIBRARY = -c $(CONFIGURATION) $(if $(filter release,$(CONFIGURATION)),-debug-info-format none)

test-fleet: wheel
	$(BUILD) $(AS_LIBRARY) --product poprules
	$(BUILD) $(AS_LIBRARY) --product ShopLog
	CONFIGURATION=$(CONFIGURATION) Tests/ShopLog/fleet $(EVENTS) $(SEED)

test-java: library
	Java/test/run

# With the engine where this machine can make it.
page: setup wasm
	POPRULES_WASM=$$(test -f $(WEB_ENGINE) && echo 1) $(BUILD) --product poprules
	$(TRIAL) page rules -o .build/rules.html

test-page: page
	Web/tests/page.py $(TRIAL) --pictures .build/pictures

simulate: setup
	POPRULES_SIMULATION_STEPS=$(STEPS) POPRULES_SIMULATION_SEED=$(SEED) swift test -c release -Xswiftc -enable-testing \
		--scratch-path .build/simulation --filter PopSchedulerTests.SimulationTests

FORMULAS ?= 1000000
SOLVED ?= 10000
SHADOWED ?= 10000

logic: setup
	POPRULES_LOGIC_FORMULAS=$(FORMULAS) POPRULES_SOLVER_FORMULAS=$(SOLVED) POPRULES_LOGIC_SEED=$(SEED) \
		POPRULES_SHADOW_STORIES=$(SHADOWED) swift test -c release -Xswiftc -enable-testing \
		--scratch-path .build/simulation --filter 'PopLogicTests.(RandomConditionTests|SolverTests)|PopAnalysisTests.PlantedTests'

bench: build
	swift build -c release --package-path Tests/Benchmarks
	$(BENCHMARKS)/release/Benchmarks $(POPRULES) $(BENCHMARKS)/benchmarks.json
	$(BUILD) $(RELEASE) --product ShopLog
	Tests/ShopLog/bench $(POPRULES) .build/release/ShopLog

guard: setup
	Tests/Benchmarks/guard

size: setup
	Tests/Benchmarks/size

schema: build
	$(POPRULES) schema --for rules -o rules/poprules.schema.json

pages: setup
	swift run PageMaker .

DOCS = .build/docs-venv

# A warning, such as a link to a heading that doesn't exist, is an error.
docs: docs-tools
	$(DOCS)/bin/mkdocs build --strict
	@echo .build/site/index.html

docs-tools:
	test -x $(DOCS)/bin/mkdocs || { python3 -m venv $(DOCS) && $(DOCS)/bin/pip install --quiet mkdocs==1.6.1; }

docs-check: setup
	$(BUILD)
	.ci/documented --least 95

man: build
	$(POPRULES) man > poprules.1

zones:
	@.ci/embed-zones

SECONDS ?= 600

fuzz: setup
	Tests/Fuzzing/fuzz $(SECONDS)

embedded: setup
	.ci/embedded

lint:
	swift format lint --strict --recursive Package.swift Sources Tests Examples/Shop/Sources Web
