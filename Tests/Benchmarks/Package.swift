// swift-tools-version: 6.2
import Foundation
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
        // A process of its own: Yams brings a copy of libyaml whose symbols would take the place of
        // the system's.
        .executableTarget(
            name: "YamsReference",
            dependencies: ["Measuring", "RuleText", .product(name: "Yams", package: "Yams")]),
        // An app that does no more than load a bundle, whose size `./size` measures.
        .executableTarget(
            name: "App", dependencies: [.product(name: "PopEngine", package: "poprules")]),
        .target(name: "Measuring"),
        .target(name: "RuleText"),
        .target(name: "CountedAllocation"),
        .systemLibrary(
            name: "CRawYAML", pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    ]
)

// RE2 is measured where it is installed.
if FileManager.default.fileExists(atPath: "/usr/include/re2/re2.h") {
    package.targets += [
        .executableTarget(name: "RE2Reference", dependencies: ["CRE2"]),
        .systemLibrary(name: "CRE2", pkgConfig: "re2", providers: [.apt(["libre2-dev"])]),
    ]
}

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .treatAllWarnings(as: .error),
    ]
}
