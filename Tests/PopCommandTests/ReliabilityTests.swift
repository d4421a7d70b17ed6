import Foundation
import Testing

@Suite struct `The Reliability page` {
    private static let page = "docs/contributing/reliability.md"

    /// Returns the names after `test:` on the page.
    private func named() throws -> [String] {
        try Repository.text(Self.page).split(separator: "\n").compactMap { line in
            line.firstMatch(of: /^ *- test: `(.+)`$/).map { String($0.1) }
        }
    }

    @Test func `names only tests that exist`() throws {
        var sources = ""
        for file in Repository.swiftFiles(in: "Tests") where !file.contains("/.build/") {
            sources += try Repository.text(file)
        }
        // Tests of pages: only of their scripts, and in a browser.
        let scripts = try Repository.text("Web/tests/places.test.mjs")
        let browser = try Repository.text("Web/tests/page.py")
        for name in try named() {
            let isThere =
                sources.contains("func `\(name)`(") || scripts.contains("test(\"\(name)\"")
                || browser.contains("\"\"\"\(name).\"\"\"")
            #expect(isThere, "there is no test `\(name)`")
        }
    }

    @Test func `names a test under every promise`() throws {
        let lines = try Repository.text(Self.page).split(separator: "\n").map(String.init)
        for (line, next) in zip(lines, lines.dropFirst() + [""]) where line.hasPrefix("- ") {
            // The promise may go on in the next lines.
            let rest = lines.drop { $0 != line }.dropFirst()
            let behind = rest.first { !$0.hasPrefix("  ") || $0.hasPrefix("  - ") } ?? next
            #expect(behind.hasPrefix("  - test: `"), "no test under: \(line)")
        }
        #expect(try named().count > 40)
    }
}
