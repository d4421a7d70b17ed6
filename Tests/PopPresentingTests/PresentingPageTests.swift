import Foundation
import Testing

/// The package's parts for SwiftUI and UIKit, and the examples of two pages, compiled with stubs of
/// Apple's modules.
@Suite struct `The page on presenting` {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The fenced blocks of a page that have the name of a file, except manifests.
    private func examples(of page: String) throws -> [(name: String, text: String)] {
        let text = try String(contentsOf: Self.root.appending(path: page), encoding: .utf8)
        return text.matches(of: /<!-- file: (\S+) -->\n```swift\n((?s).*?)```/).map {
            (String($0.1), String($0.2))
        }.filter { $0.0 != "Package.swift" }
    }

    @Test(
        .enabled(if: !Self.isApple, "Apple's own modules are here"),
        arguments: [
            ("docs/how-to/present-popups.md", 6), ("docs/learn/first-popup-in-an-app.md", 3),
        ])
    func `shows examples that match the documentation of Apple`(page: String, count: Int) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let examples = try examples(of: page)
        #expect(examples.count == count)
        for (name, text) in examples {
            try Data(text.utf8).write(to: folder.appending(path: name))
        }
        let files = examples.map { folder.appending(path: $0.name).path }
        let check = try run(files)
        #expect(check.status == 0, "\(check.output)")

        // Code with a wrong type must fail.
        let wrong = folder.appending(path: "Wrong.swift")
        try Data("import SwiftUI\nlet view = Text(1)\n".utf8).write(to: wrong)
        #expect(try run([wrong.path]).status != 0)
    }

    @Test func `covers files of less than 80 lines each`() throws {
        for folder in ["SwiftUI", "UIKit"] {
            let path = Self.root.appending(path: "Sources/PopPresenting/\(folder)")
            let files = try FileManager.default.contentsOfDirectory(
                at: path, includingPropertiesForKeys: nil)
            #expect(!files.isEmpty)
            for file in files {
                let lines = try String(contentsOf: file, encoding: .utf8).split(
                    separator: "\n", omittingEmptySubsequences: false)
                #expect(lines.count <= 80, "\(file.lastPathComponent)")
            }
        }
    }

    private static var isApple: Bool {
        #if canImport(Darwin)
            true
        #else
            false
        #endif
    }

    private func run(_ files: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = Self.root.appending(path: ".ci/apple")
        process.arguments = files
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }
}
