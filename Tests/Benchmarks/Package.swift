// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nothing that is compared with ever reaches a user of poprules.
let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "poprules", path: "../.."),
        .package(url: "https://github.com/jpsim/Yams.git", exact: "6.2.2"),
    ],
    targets: [
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "CountedAllocation", "CRawYAML", "Measuring", "RuleText",
                .product(name: "PopCEL", package: "poprules"),
                .product(name: "PopEngine", package: "poprules"),
                .product(name: "PopRuleFiles", package: "poprules"),
            ]),
        // A process of its own: Yams brings a copy of libyaml whose symbols would take the place of the system's.
        .executableTarget(
            name: "YamsReference",
            dependencies: ["Measuring", "RuleText", .product(name: "Yams", package: "Yams")]),
        .target(name: "Measuring"),
        .target(name: "RuleText"),
        .target(name: "CountedAllocation"),
        .systemLibrary(
            name: "CRawYAML", pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    ]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .treatAllWarnings(as: .error),
    ]
}
