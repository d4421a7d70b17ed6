import PopExplanations
import PopReports
import PopScheduler
import PopSource
import PopStories
import Testing

/// S2: conditions that use each other twice are evaluated and printed once.
@Suite struct `A named condition that is used more than once` {
    private func report(_ text: String) throws -> PopupReport {
        try #require(ExplainQuery(rules(text)).report(on: "p"))
    }

    private func tree(_ text: String) throws -> [String] {
        try #require(report(text).conditions.first).tree(marksDeciding: true)
    }

    /// Sixty links, each of which uses the next one twice.
    private func links(_ form: String) -> String {
        let links = (0..<60).map { "  c\($0): \(form.replacing("X", with: "c\($0 + 1)"))\n" }
            .joined()
        return """
            context: { k: { type: bool, default: false } }
            conditions:
            \(links)  c60: k
            popups: { p: { when: c0 } }

            """
    }

    @Test func `is expanded where it is used first`() throws {
        let text = """
            context: { k: { type: bool, default: true } }
            conditions: { c: k }
            popups: { p: { when: c && c } }

            """
        #expect(
            try tree(text) == [
                "true  c && c", "true    c", "true      k", "true    c  (its parts: see above)",
            ])
    }

    @Test func `is expanded where it decides`() throws {
        let text = """
            context: { k: { type: bool, default: false }, j: { type: bool, default: true } }
            conditions: { c: k }
            popups: { p: { when: (j || c) && c } }

            """
        #expect(
            try tree(text) == [
                "false    (j || c) && c",
                "true       j || c",
                "true         j",
                "(false)      c  (its parts: see below)",
                "false      c",
                "false        k  <- decides",
            ])
    }

    @Test(arguments: ["X && X", "{ all: [X, X] }", "X || X"])
    func `is printed once in every format`(form: String) throws {
        let text = links(form)
        let report = try report(text)
        let condition = try #require(report.conditions.first)
        #expect(condition.tree(marksDeciding: true).count < 4 * 61)
        #expect(condition.facts.count <= 1)
        #expect(report.mermaid.count < 20_000)
        var sources = SourceSet()
        sources.add(path: "rules.yaml", bytes: Array("poprules: 1\n\(text)".utf8))
        var places = SourcePlaces(sources)
        #expect(report.json(&places).compact.count < 100_000)
        #expect(report.changes.map(\.text) == ["`k` = true"])
    }

    @Test func `is shown in part if it is too large, and the rest is counted`() throws {
        let operands = (0..<500).map { "n == \($0)" }.joined(separator: " || ")
        let tree = try tree(
            "context: { n: { type: int, default: -1 } }\npopups: { p: { when: \"\(operands)\" } }\n"
        )
        #expect(tree.count == PrintLimits.parts + 1)
        #expect(tree.last?.hasPrefix("… ") == true)
        #expect(tree.last?.hasSuffix(" more parts") == true)
    }
}
