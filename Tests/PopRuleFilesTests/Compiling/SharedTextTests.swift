import PopRuleFiles
import PopScheduler
import PopSource
import Testing

/// S-M2: a condition that many popups have by `defaults` or an alias is compiled once. Findings are
/// counted and not measured: a condition that is compiled for each popup reports each of them as
/// often as there are popups.
struct SharedTextTests {
    private static let parts = 40
    private static let keys =
        "context:\n" + (0..<parts).map { "  k\($0): int\n" }.joined()
        + "events: { go: { n: { type: int, optional: true } } }\n"

    /// Parts that may have no value, each of which is a finding.
    private static func text(_ name: (Int) -> String) -> String {
        (0..<parts).map { "\(name($0)) != \($0)" }.joined(separator: " && ")
    }

    private static let shared: [String: String] = [
        "defaults": "defaults: { when: '\(text { "k\($0)" })' }\npopups:\n",
        "list in defaults":
            "defaults: { when: { all: ["
            + (0..<parts).map { "k\($0) != 1" }.joined(separator: ", ") + "] } }\npopups:\n",
        "dismiss_when": "defaults: { dismiss_when: '\(text { "k\($0)" })' }\npopups:\n",
        "where":
            "defaults: { trigger: { event: go,"
            + " where: '\(text { "event.n + k\($0)" })' } }\npopups:\n",
    ]

    private func findings(_ text: String, popups: Int) throws -> Int {
        var sources = SourceSet()
        let list = (0..<popups).map { "  p\($0): {}\n" }.joined()
        sources.add(
            path: "rules.yaml", bytes: Array("poprules: 1\n\(Self.keys)\(text)\(list)".utf8))
        let model = try #require(RuleModel.check(sources).value)
        return RuleSet.compile(model).diagnostics.list.count
    }

    @Test(arguments: shared.keys.sorted())
    func `a condition that all popups share is compiled once`(name: String) throws {
        let text = try #require(Self.shared[name])
        let few = try findings(text, popups: 10)
        #expect(few >= Self.parts)
        #expect(try findings(text, popups: 40) <= few + 30)
    }

    @Test func `a condition that aliases repeat is compiled once`() throws {
        let text = "popups:\n  first: { when: &shared '\(Self.text { "k\($0)" })' }\n"
        let repeated = (0..<40).map { "  again\($0): { when: *shared }\n" }.joined()
        #expect(try findings(text + repeated, popups: 0) < 2 * Self.parts)
    }

    /// In a shared condition, findings about only one popup are still reported for that popup.
    @Test func `a shared condition that reads the history of one popup is an error of that popup`()
        throws
    {
        var sources = SourceSet()
        let text = """
            poprules: 1
            defaults:
              when: >-
                popups.b.last_reason == "USER_CLOSED" || popups.b.last_reason == "ACTED" ||
                popups.b.last_reason == "TIMED_OUT" || popups.b.last_reason == "DISMISSED"
            popups: { a: {}, b: {} }

            """
        sources.add(path: "rules.yaml", bytes: Array(text.utf8))
        let model = try #require(RuleModel.check(sources).value)
        let messages = RuleSet.compile(model).diagnostics.list.map(\.message)
        #expect(
            messages.contains(
                "`b` can never show, because its condition needs `popups.b.last_reason`, which"
                    + " has no value before the first impression"))
    }
}
