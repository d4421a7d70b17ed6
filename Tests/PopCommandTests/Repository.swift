import Foundation
import Testing

/// The checkout that the tests were built from.
enum Repository {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The text of each page in a folder, by the name of its file without the ending.
    static func pages(in folder: String) throws -> [String: String] {
        let files = try FileManager.default.contentsOfDirectory(
            atPath: root.appending(path: folder).path)
        return try Dictionary(
            uniqueKeysWithValues: files.filter { $0.hasSuffix(".md") }.map {
                (String($0.dropLast(3)), try text("\(folder)/\($0)"))
            })
    }

    /// All Swift sources below a folder, as paths relative to the root, in name order.
    static func swiftFiles(in folder: String) -> [String] {
        let files = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
        let paths = (files?.allObjects ?? []).compactMap { $0 as? String }
        return paths.filter { $0.hasSuffix(".swift") }.sorted().map { "\(folder)/\($0)" }
    }
}

/// Files with expected output; with UPDATE_GOLDEN set they are rewritten instead of compared.
enum Golden {
    static let isBeingUpdated = ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil

    static func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: Repository.root.appending(path: path))
    }

    /// Compares a file of the repository with its expected content.
    static func compare(_ text: String, with path: String) throws {
        if isBeingUpdated {
            try write(text, to: path)
        } else {
            let kept = try Repository.text(path)
            #expect(kept == text, "\(path) is out of step; run the tests with UPDATE_GOLDEN=1")
        }
    }
}
