import Foundation
import PopCEL
import Testing

@Suite struct `The page of conditions` {
    private let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    private var page: String { get throws { try text("docs/reference/conditions.md") } }

    /// The contents of the fenced blocks of a language.
    private func blocks(_ language: String) throws -> [String] {
        try page.matches(of: #/```(\w+)\n((?s).*?)```/#)
            .filter { $0.1 == language }.map { String($0.2) }
    }

    @Test func `shows code that the examples compile`() throws {
        let examples = try text("Tests/PopAdviceTests/Documentation/PageExamples.swift")
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("        ") ? String($0.dropFirst(8)) : String($0) }
            .joined(separator: "\n")
        let blocks = try blocks("swift")
        #expect(blocks.count >= 4)
        for block in blocks { #expect(examples.contains(block), "\(block)") }
    }

    @Test func `shows the output that an author really reads`() throws {
        let shown = try #require(try blocks("text").first)
        let expression = #"user.plna == "pro" || user.launches > "2""#
        #expect(try page.contains("`\(expression)`"))
        let printed = `The examples of the page`.findings(in: expression)
        #expect(shown.trimmed == printed.trimmed, "\(printed)")
    }

    @Test func `lists every limit with its default`() throws {
        let rows = try page.matches(of: #/\| `(\w+)`: .* \| ([0-9,]+) \|/#)
        let listed = Dictionary(
            uniqueKeysWithValues: rows.map {
                (String($0.1), Int($0.2.filter { $0 != "," }))
            })
        for (name, value) in Mirror(reflecting: CELLimits.standard).children {
            let name = try #require(name)
            #expect(listed[name] == value as? Int, "\(name)")
        }
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
