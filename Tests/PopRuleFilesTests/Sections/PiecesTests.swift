import PopSource
import Testing

@testable import PopRuleFiles

@Suite struct PiecesTests {
    private static let head = """
        poprules: 1
        context:
          user.plan: { type: string, default: free }
        popups:

        """

    private func popup(_ number: Int) -> String {
        """
          popup_\(number):
            priority: \(number % 7)
            when: user.plan == "p\(number % 11)"
            content: { title: "Number \(number)" }

        """
    }

    private func parsed(
        _ text: String, pieceLength: Int, limits: RuleFileLimits = .standard
    ) -> Checked<RuleFile> {
        RuleFile.parse(
            SourceFile(path: "rules.yaml", text: text), limits: limits,
            known: KnownExpressions(), pieceLength: pieceLength)
    }

    private func shown(_ file: RuleFile) -> [String] {
        file.popups.map { popup in
            let when = popup.when.map { "\($0.value.form) \($0.value.range.bytes)" } ?? ""
            return "\(popup.name) \(String(describing: popup.priority)) \(when)"
        } + file.context.map { "\($0.name)" } + file.groups.map { "\($0.name)" }
    }

    private func text(_ count: Int) -> String {
        Self.head + (0..<count).map(popup).joined() + "groups:\n  all: {}\n"
    }

    @Test func `a file read in pieces says the same as the whole`() throws {
        let text = text(60)
        let whole = parsed(text, pieceLength: .max)
        #expect(whole.diagnostics.list == [])
        for length in [1, 100, 1_000] {
            let file = SourceFile(path: "rules.yaml", text: text)
            let inPieces = try #require(
                RuleFile.parseInPieces(
                    file, limits: .standard, known: KnownExpressions(), pieceLength: length))
            #expect(shown(inPieces) == shown(try #require(whole.value)))
        }
    }

    @Test func `too many entries are found as in the whole`() {
        var limits = RuleFileLimits.standard
        limits.entries = 50
        let whole = parsed(text(60), pieceLength: .max, limits: limits)
        #expect(whole.diagnostics.hasErrors)
        let found = parsed(text(60), pieceLength: 1, limits: limits)
        #expect(found.diagnostics == whole.diagnostics)
    }

    @Test(arguments: [
        ("popup_7:", "popup_50:"), ("popup_7:", "true:"), ("user.plan == \"p3\"", "user.plan =="),
        ("    priority: 5\n", "    prioritty: 5\n"), ("poprules: 1", "poprules: 2"),
        ("groups:", "context:"), ("context:", "poprules_test: 1\ncontext:"),
        ("popup_30:\n", "popup_30:\n  "), ("Number 40\"", "Number 40"),
        ("  popup_20:\n", "  <<: { other: { priority: 1 } }\n  popup_20:\n"),
    ])
    func `what is wrong in one piece is found as in the whole`(right: String, wrong: String) {
        let text = text(60).replacing(right, with: wrong, maxReplacements: 1)
        #expect(text.contains(wrong))
        let whole = parsed(text, pieceLength: .max)
        for length in [1, 200, 2_000] {
            let found = parsed(text, pieceLength: length)
            #expect(found.diagnostics == whole.diagnostics)
            #expect(found.value.map(shown) == whole.value.map(shown))
        }
    }
}
