import Foundation
import Testing

@Suite struct `A package outside this one` {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    /// Kept between runs, so that only the first builds everything.
    private static let folder = root.appending(path: ".build/outside-package")

    private static let manifest = """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "App", platforms: [.macOS(.v15)],
            dependencies: [.package(name: "poprules", path: "\(root.path)")],
            targets: [
                .executableTarget(
                    name: "App", dependencies: [.product(name: "PopEngine", package: "poprules")])
            ])

        """

    private static let app = """
        import PopEngine

        @MainActor
        final class Screen: Presenter {
            func present(_ popup: Popup) async { print("show \\(popup.id)") }
            func dismiss(_ popup: Popup) async { print("hide \\(popup.id)") }
        }

        let engine = PopupEngine(rules: RuleSet(), presenter: Screen())
        engine.start()
        engine.enqueue(ForeignPopup(id: "alert"))
        for await event in engine.events {
            if case .scheduler(.shown(let task)) = event.kind, task.popup == "alert" { break }
        }

        """

    @Test
    func `an outside package embeds only the engine and links neither libyaml nor GRDB`() throws {
        let sources = Self.folder.appending(path: "Sources/App")
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        try Data(Self.manifest.utf8).write(to: Self.folder.appending(path: "Package.swift"))
        try Data(Self.app.utf8).write(to: sources.appending(path: "main.swift"))
        let build = try shell("swift build")
        try #require(build.status == 0, "\(build.output)")

        #expect(try compiled("PopEngine") > 0)
        for target in [
            "PopYAML", "PopRuleFiles", "PopHistorySQLite", "GRDB", "ArgumentParser", "Crypto",
            "CCryptoBoringSSL",
        ] {
            #expect(try compiled(target) == 0, "\(target) was built")
        }
        #if os(Linux)
            let linked = try shell("ldd .build/debug/App")
            #expect(linked.output.contains("libswiftCore"))
            #expect(!linked.output.contains("libyaml") && !linked.output.contains("libsqlite"))
        #endif
        let run = try shell(".build/debug/App")
        #expect(run.output == "show alert\n")
    }

    /// Returns the number of object files of a target.
    private func compiled(_ target: String) throws -> Int {
        let folder = Self.folder.appending(path: ".build/debug/\(target).build")
        let files = FileManager.default.enumerator(atPath: folder.path)
        return files?.filter { ("\($0)" as NSString).pathExtension == "o" }.count ?? 0
    }

    private func shell(_ command: String) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "exec 2>&1; \(command)"]
        process.currentDirectoryURL = Self.folder
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }
}
