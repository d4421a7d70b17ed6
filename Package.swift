// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "poprules",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .executable(name: "poprules", targets: ["PopCommand"]),
        .library(name: "PopBundleSigning", targets: ["PopBundleSigning"]),
        .library(name: "PopCEL", targets: ["PopCEL", "PopAdvice", "PopSource"]),
        .library(name: "PopDebugging", targets: ["PopDebugging"]),
        .library(name: "PopEngine", targets: ["PopEngine", "PopWire"]),
        .library(name: "PopForeign", type: .dynamic, targets: ["PopForeign"]),
        .library(name: "PopHistorySQLite", targets: ["PopHistorySQLite"]),
        .library(name: "PopPresenting", targets: ["PopPresenting"]),
        .library(name: "PopRuleFiles", targets: ["PopRuleFiles"]),
        .library(name: "PopTesting", targets: ["PopTesting"]),
        // The parts of the program, for the fuzzers in `Tests/Fuzzing`.
        .library(
            name: "PopTools",
            targets: [
                "PopAnalysis", "PopBacktest", "PopLanguageServer", "PopLogic", "PopReplay",
                "PopStories", "PopValidation",
            ]),
    ],
    // What needs another package is behind a trait, so that an app which depends on this one with
    // `traits: []` resolves and builds nothing else.
    traits: [
        .trait(name: "CommandLine", description: "the program `poprules`"),
        .trait(name: "Signing", description: "the product PopBundleSigning"),
        .trait(name: "SQLite", description: "the product PopHistorySQLite"),
        .default(enabledTraits: ["CommandLine", "Signing", "SQLite"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
    ],
    targets: [
        // Row 0 and 1: what everything stands on.
        .target(name: "PopSource"),
        .systemLibrary(
            name: "CLibYAML", pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
        .systemLibrary(
            name: "CZlib", pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .systemLibrary(
            name: "CZstd", pkgConfig: "libzstd",
            providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
        .target(name: "PopCEL", dependencies: ["PopSource"]),

        // The run-time tower: what an app embeds.
        .target(name: "PopScheduler", dependencies: ["PopSource", "PopCEL"]),
        .target(name: "PopWire", dependencies: ["PopSource", "PopCEL", "PopScheduler"]),
        .target(name: "PopLogic", dependencies: ["PopSource", "PopCEL", "PopScheduler"]),
        .target(
            name: "PopReplay", dependencies: ["PopSource", "PopCEL", "PopScheduler", "PopWire"]),
        // An app without a screen, for tests, searches and backtests.
        .target(name: "PopScenario", dependencies: ["PopSource", "PopCEL", "PopScheduler"]),
        .target(
            name: "PopEngine", dependencies: ["PopSource", "PopCEL", "PopScheduler", "PopWire"]),
        .target(name: "PopPresenting", dependencies: ["PopScheduler", "PopEngine"]),
        // What is said of popups, for people; apart, since an app that shows popups needs none of
        // it.
        .target(name: "PopExplanations", dependencies: ["PopSource", "PopCEL", "PopScheduler"]),
        .target(
            name: "PopDebugging",
            dependencies: [
                "PopSource", "PopCEL", "PopScheduler", "PopScenario", "PopEngine",
                "PopExplanations",
            ]),
        .target(
            name: "PopTesting", dependencies: ["PopSource", "PopCEL", "PopScheduler", "PopEngine"]),

        .target(
            name: "PopHistorySQLite",
            dependencies: [
                "PopSource", "PopCEL", "PopScheduler", "PopEngine",
                .product(
                    name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
            ]),

        .target(
            name: "PopBundleSigning",
            dependencies: [
                "PopSource", "PopCEL", "PopWire", "PopEngine",
                .product(
                    name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Signing"])),
            ]),

        // The text tower: from files to a rule set.
        .target(name: "PopReports", dependencies: ["PopSource"]),
        .target(name: "PopYAML", dependencies: ["CLibYAML", "PopSource"]),
        .target(name: "PopAdvice", dependencies: ["PopSource", "PopCEL"]),
        .target(
            name: "PopRuleFiles",
            dependencies: [
                "PopSource", "PopReports", "PopYAML", "PopCEL", "PopAdvice", "PopScheduler",
            ]),
        .target(
            name: "PopAnalysis",
            dependencies: [
                "PopSource", "PopReports", "PopCEL", "PopScheduler", "PopScenario",
                "PopExplanations", "PopLogic", "PopRuleFiles",
            ]),

        // On top of both.
        .target(
            name: "PopBacktest",
            dependencies: [
                "CZlib", "CZstd", "PopSource", "PopReports", "PopYAML", "PopCEL", "PopScheduler",
                "PopScenario", "PopRuleFiles", "PopWire",
            ]),
        .target(
            name: "PopStories",
            dependencies: [
                "PopSource", "PopReports", "PopYAML", "PopCEL", "PopAdvice", "PopScheduler",
                "PopScenario", "PopReplay", "PopExplanations", "PopLogic", "PopRuleFiles",
                "PopAnalysis",
            ]),
        .target(
            name: "PopValidation",
            dependencies: [
                "PopSource", "PopReports", "PopCEL", "PopScheduler", "PopExplanations",
                "PopRuleFiles", "PopAnalysis", "PopBacktest", "PopStories",
            ]),
        // What editors speak to.
        .target(
            name: "PopLanguageServer",
            dependencies: [
                "PopSource", "PopReports", "PopYAML", "PopCEL", "PopScheduler", "PopScenario",
                "PopExplanations", "PopLogic", "PopRuleFiles", "PopAnalysis", "PopBacktest",
                "PopStories", "PopValidation",
            ]),
        // What `page` writes: one file of HTML.
        .target(
            name: "PopPages",
            dependencies: [
                "PopSource", "PopReports", "PopCEL", "PopScheduler", "PopScenario",
                "PopExplanations", "PopLogic", "PopRuleFiles", "PopWire", "PopReplay",
                "PopAnalysis", "PopStories",
                .product(
                    name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Signing"])),
            ],
            plugins: ["EmbedPages"]),
        // What other languages call, as a shared library with C functions, and its header.
        .systemLibrary(name: "CPoprules"),
        .target(
            name: "PopForeign",
            dependencies: [
                "CPoprules", "PopSource", "PopReports", "PopCEL", "PopAdvice", "PopScheduler",
                "PopExplanations", "PopRuleFiles", "PopWire", "PopReplay", "PopAnalysis",
                "PopBacktest", "PopStories", "PopValidation",
            ]),
        .executableTarget(
            name: "PopCommand",
            dependencies: [
                "PopSource", "PopReports", "PopYAML", "PopCEL", "PopAdvice", "PopScheduler",
                "PopExplanations", "PopRuleFiles", "PopWire", "PopEngine", "PopBundleSigning",
                "PopAnalysis", "PopBacktest", "PopStories", "PopValidation", "PopLanguageServer",
                "PopPages",
                .product(
                    name: "ArgumentParser", package: "swift-argument-parser",
                    condition: .when(traits: ["CommandLine"])),
            ],
            plugins: ["EmbedPages"]),
        // Puts pages of `docs` and the script of HTML pages into the program.
        .executableTarget(name: "PageEmbedder", path: "Plugins/PageEmbedder"),
        .plugin(name: "EmbedPages", capability: .buildTool(), dependencies: ["PageEmbedder"]),
        .executableTarget(name: "CELConformance", dependencies: ["PopSource", "PopCEL"]),

        // Tests: a target for each of the sources, and what several of them need.
        .target(
            name: "PopTestSupport",
            dependencies: ["PopSource", "PopCEL", "PopScheduler", "PopRuleFiles"],
            path: "Tests/Support"),
        .testTarget(name: "PopSourceTests", dependencies: ["PopSource"]),
        .testTarget(
            name: "PopReportsTests", dependencies: ["PopSource", "PopReports", "PopTestSupport"]),
        .testTarget(
            name: "PopCELTests",
            dependencies: ["PopSource", "PopCEL", "PopTestSupport", "CELConformance"]),
        .testTarget(
            name: "PopAdviceTests",
            dependencies: ["PopSource", "PopReports", "PopCEL", "PopAdvice", "PopTestSupport"]),
        .testTarget(
            name: "PopYAMLTests", dependencies: ["PopSource", "PopYAML", "PopTestSupport"]),
        .testTarget(
            name: "PopSchedulerTests",
            dependencies: [
                "PopSource", "PopCEL", "PopScheduler", "PopScenario", "PopRuleFiles", "PopReplay",
                "PopAnalysis", "PopBacktest", "ShopLog",
            ],
            exclude: ["Semantics.txt"]),
        .testTarget(
            name: "PopWireTests",
            dependencies: [
                "PopSource", "PopCEL", "PopScheduler", "PopRuleFiles", "PopWire", "PopAnalysis",
                "PopBacktest", "PopTestSupport",
            ]),
        .testTarget(
            name: "PopLogicTests",
            dependencies: [
                "PopSource", "PopCEL", "PopScheduler", "PopLogic", "PopTestSupport",
            ],
            exclude: ["Random/solver.py"]),
        .testTarget(
            name: "PopBacktestTests",
            dependencies: [
                "PopSource", "PopCEL", "PopScheduler", "PopRuleFiles", "PopBacktest",
                "PopTestSupport",
            ],
            exclude: ["Samples"]),
        .testTarget(
            name: "PopReplayTests",
            dependencies: [
                "PopSource", "PopCEL", "PopScheduler", "PopRuleFiles", "PopWire", "PopReplay",
                "PopTestSupport",
            ],
            exclude: ["replay.py"]),
        .testTarget(
            name: "PopEngineTests",
            dependencies: [
                "PopSource", "PopCEL", "PopScheduler", "PopRuleFiles", "PopWire", "PopEngine",
                "PopDebugging", "PopTesting", "PopHistorySQLite", "PopTestSupport", "EngineLoad",
            ]),
        .testTarget(
            name: "PopPresentingTests",
            dependencies: [
                "PopScheduler", "PopEngine", "PopPresenting", "PopTesting", "PopTestSupport",
            ]),
        // A program of its own, so that it is built for ThreadSanitizer without everything else.
        .executableTarget(
            name: "EngineLoad",
            dependencies: ["PopSource", "PopCEL", "PopScheduler", "PopRuleFiles", "PopEngine"],
            path: "Tests/EngineLoad"),
        // Writes the log of a shop, of any size, against which rules are played.
        .executableTarget(
            name: "ShopLog", dependencies: ["PopCEL", "PopTestSupport"], path: "Tests/ShopLog",
            exclude: ["Rules"]),
        .testTarget(
            name: "PopHistorySQLiteTests",
            dependencies: [
                "PopCEL", "PopScheduler", "PopEngine", "PopHistorySQLite", "PopTestSupport",
                "CrashChild",
                .product(
                    name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
            ]),
        // Replays the inputs that the fuzzers of the nested package keep.
        .testTarget(
            name: "FuzzingTests",
            dependencies: [
                "PopSource", "PopReports", "PopYAML", "PopCEL", "PopAdvice", "PopScheduler",
                "PopLogic", "PopRuleFiles", "PopWire", "PopEngine", "PopDebugging",
                "PopHistorySQLite", "PopAnalysis", "PopBacktest", "PopStories", "PopValidation",
                "PopLanguageServer",
            ],
            path: "Tests/Fuzzing", exclude: ["Package.swift", "Corpus", "Sources/Fuzz", "fuzz"],
            sources: ["Sources/Targets", "Sources/References", "Replay"]),
        .testTarget(
            name: "PopBundleSigningTests",
            dependencies: [
                "PopSource", "PopCEL", "PopScheduler", "PopEngine", "PopTesting",
                "PopBundleSigning",
            ]),
        // What the kill loop of the tests starts and kills.
        .executableTarget(
            name: "CrashChild",
            dependencies: ["PopScheduler", "PopSource", "PopEngine", "PopHistorySQLite"],
            path: "Tests/CrashChild"),
        .testTarget(
            name: "PopStoriesTests",
            dependencies: [
                "PopSource", "PopReports", "PopCEL", "PopScheduler", "PopExplanations",
                "PopRuleFiles", "PopStories", "PopTestSupport",
            ]),
        .testTarget(
            name: "PopPagesTests",
            dependencies: [
                "PopSource", "PopScheduler", "PopRuleFiles", "PopWire", "PopStories", "PopPages",
            ]),
        .testTarget(
            name: "PopDebuggingTests",
            dependencies: [
                "PopSource", "PopCEL", "PopScheduler", "PopExplanations", "PopRuleFiles",
                "PopEngine", "PopDebugging", "PopStories", "PopTesting", "PopTestSupport",
            ]),
        // Writes the pages and sources that are made from others: `make pages`.
        .executableTarget(
            name: "PageMaker",
            dependencies: [
                "PopSource", "PopRuleFiles", "PopBacktest",
            ],
            path: "Tests/PageMaker"),
        .testTarget(
            name: "PopCommandTests",
            dependencies: [
                "PopSource", "PopReports", "PopYAML", "PopCEL", "PopScheduler", "PopExplanations",
                "PopLogic", "PopRuleFiles", "PopEngine", "PopAnalysis", "PopStories",
                "PopValidation", "PopCommand", "PopTestSupport", "PageMaker",
            ],
            exclude: ["Fixtures", "Transcripts", "Editing/untold.txt", "Play/terminal.py"]),
        .testTarget(
            name: "PopAnalysisTests",
            dependencies: [
                "PopSource", "PopReports", "PopCEL", "PopScheduler", "PopScenario",
                "PopExplanations", "PopLogic", "PopRuleFiles", "PopAnalysis", "PopStories",
                "PopTestSupport",
            ],
            exclude: ["Golden", "Sets"]),
        .testTarget(
            name: "PopLanguageServerTests",
            dependencies: [
                "PopSource", "PopReports", "PopCEL", "PopRuleFiles", "PopValidation",
                "PopLanguageServer", "PopTestSupport",
            ],
            exclude: ["Golden"]),
        .testTarget(
            name: "PopValidationTests",
            dependencies: [
                "PopSource", "PopReports", "PopCEL", "PopScheduler", "PopRuleFiles",
                "PopAnalysis", "PopValidation",
            ],
            exclude: ["Golden"]),
        .testTarget(
            name: "PopRuleFilesTests",
            dependencies: [
                "PopSource", "PopReports", "PopCEL", "PopScheduler", "PopRuleFiles",
                "PopTestSupport",
            ],
            exclude: ["Golden"]),
    ]
)

// Every target of this package is held to the same rules; the nested lists above stay readable.
for target in package.targets where target.type != .system && target.type != .plugin {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .strictMemorySafety(),
    ]
}

// `make` and CI treat warnings as errors. Apps that depend on this package by path don't: a new
// warning of the next compiler must not break their build.
if Context.environment["POPRULES_STRICT"] == "1" {
    for target in package.targets where target.type != .system && target.type != .plugin {
        target.swiftSettings?.append(.treatAllWarnings(as: .error))
    }
}

// The engine of web pages is a part of the program where `make wasm` has made it.
if Context.environment["POPRULES_WASM"] == "1" {
    for target in package.targets where target.name == "PopPages" {
        target.swiftSettings?.append(.define("WEB_ENGINE"))
    }
}
