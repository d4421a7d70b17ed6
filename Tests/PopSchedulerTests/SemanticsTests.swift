import Foundation
import PopScheduler
import Testing

/// Every row of the scheduler's specification has a test, which is found by name.
struct SemanticsTests {
    private static let tests = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The rows of the list, each with the names of its tests.
    private static func rows() throws -> [(row: String, tests: [String])] {
        let file = tests.appending(path: "PopSchedulerTests/Semantics.txt")
        var rows: [(row: String, tests: [String])] = []
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        where !line.hasPrefix("#") {
            if line.hasPrefix("test: ") {
                rows[rows.endIndex - 1].tests.append(String(line.dropFirst(6)))
            } else {
                rows.append((String(line), []))
            }
        }
        return rows
    }

    private static func functions() throws -> Set<String> {
        var names: Set<String> = []
        for folder in ["PopSchedulerTests", "PopEngineTests"] {
            let root = tests.appending(path: folder)
            let files = FileManager.default.enumerator(atPath: root.path)
            for case let path as String in files ?? .init() where path.hasSuffix(".swift") {
                let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
                for match in text.matches(of: /func `([^`]+)`/) { names.insert(String(match.1)) }
            }
        }
        return names
    }

    @Test func `every row has a test, and every test of a row exists`() throws {
        let functions = try Self.functions()
        for (row, tests) in try Self.rows() {
            #expect(!tests.isEmpty, "\(row) has no test")
            for test in tests where !functions.contains(test) {
                Issue.record("\(row): there is no test `\(test)`")
            }
        }
    }

    @Test func `every reason code has a row`() throws {
        let words = Set(
            try Self.rows().flatMap { row in
                ([row.row] + row.tests).flatMap { $0.split { $0 != "_" && !$0.isLetter } }
            })
        for reason in ReasonCode.allCases where reason != .notTriggered {
            #expect(words.contains(Substring(reason.rawValue)), "\(reason.rawValue) has no row")
        }
    }
}
