// swift-tools-version: 6.2
import PackageDescription

// A shop in a window, whose popups come from `rules` of the repository: a package of its own, as
// any app is.
let package = Package(
    name: "shop",
    platforms: [.macOS(.v14)],
    dependencies: [.package(name: "poprules", path: "../..", traits: [])],
    targets: [
        .systemLibrary(
            name: "CGTK", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"]), .brew(["gtk4"])]),
        .executableTarget(
            name: "Shop",
            dependencies: [
                "CGTK",
                .product(name: "PopEngine", package: "poprules"),
                .product(name: "PopPresenting", package: "poprules"),
                .product(name: "PopRuleFiles", package: "poprules"),
            ],
            swiftSettings: [.strictMemorySafety(), .treatAllWarnings(as: .error)]),
    ]
)
