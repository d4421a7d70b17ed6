// swift-tools-version: 6.2
import PackageDescription

// An app that does no more than load a bundle, whose size `./size` measures: a package of its own,
// as any app is.
let package = Package(
    name: "size",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "poprules", path: "../..", traits: [])],
    targets: [
        .executableTarget(
            name: "App", dependencies: [.product(name: "PopEngine", package: "poprules")])
    ]
)
