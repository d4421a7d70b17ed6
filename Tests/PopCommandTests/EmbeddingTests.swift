import Foundation
import Testing

/// The README's example as a new user would try it (F2, F3 of the findings): a package with only
/// the product PopEngine.
@Suite struct `The embedding example of the README` {
    /// Kept between runs, so that only the first builds everything.
    private static let folder = Repository.root.appending(path: ".build/readme-example")

    @Test func `builds in a package of its own, which resolves no other package`() throws {
        let code = try #require(
            Block.all(in: Repository.text("README.md")).first { $0.file == "main.swift" }?.text)
        let sources = Self.folder.appending(path: "Sources/Example")
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        // Written again each time: a newer manifest makes the build look for new files.
        let manifest = Self.folder.appending(path: "Package.swift")
        try Data(Self.manifest.utf8).write(to: manifest)
        try Data(code.utf8).write(to: sources.appending(path: "main.swift"))
        let outcome = try Program.shell("swift build", in: Self.folder)
        #expect(outcome.status == 0, "\(outcome.output)")
        let checkouts = Self.folder.appending(path: ".build/checkouts").path
        let others = try? FileManager.default.contentsOfDirectory(atPath: checkouts)
        #expect(others ?? [] == [])
    }

    private static let manifest = """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "example", platforms: [.macOS(.v15)],
            dependencies: [.package(name: "poprules", path: "\(Repository.root.path)", traits: [])],
            targets: [
                .executableTarget(
                    name: "Example",
                    dependencies: [.product(name: "PopEngine", package: "poprules")])
            ])
        """
}
