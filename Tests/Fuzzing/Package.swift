// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the flags of libFuzzer never reach a user of poprules. `./fuzz`
// builds and runs it.
let package = Package(
    name: "fuzzing",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "poprules", path: "../..")],
    targets: [
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                .product(name: "PopCEL", package: "poprules"),
                .product(name: "PopDebugging", package: "poprules"),
                .product(name: "PopEngine", package: "poprules"),
                .product(name: "PopHistorySQLite", package: "poprules"),
                .product(name: "PopRuleFiles", package: "poprules"),
                .product(name: "PopTools", package: "poprules"),
            ],
            path: "Sources",
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .treatAllWarnings(as: .error),
                .unsafeFlags(["-parse-as-library"]),
            ])
    ]
)
