import PopRuleFiles
import PopScheduler
import PopSource
import Testing

/// A few letters of a pattern, such as `.{0,1000}`, are ten thousand states, and each popup may
/// have many patterns.
@Suite struct `Patterns of many popups` {
    private func findings(popups: Int, pattern: String) -> [Diagnostic] {
        let list = (0..<popups).map { "  p\($0): { when: \"s.matches('\(pattern)x\($0)')\" }\n" }
        var sources = SourceSet()
        let text =
            "poprules: 1\ncontext: { s: { type: string, default: a } }\npopups:\n" + list.joined()
        sources.add(path: "rules.yaml", bytes: Array(text.utf8))
        return RuleModel.check(sources).then { RuleSet.compile($0) }.diagnostics.list
    }

    @Test func `patterns are refused if they have too many states together`() throws {
        let large = findings(popups: 200, pattern: ".{0,1000}")
        let refused = large.filter { $0.message.contains("the patterns of all conditions") }
        #expect(refused.count > 100 && refused.count < 200)
        #expect(refused.allSatisfy { $0.level == .error && $0.check == .conditionCost })
        #expect(large.count == refused.count)
    }

    @Test func `are accepted while they are small`() {
        #expect(findings(popups: 2_000, pattern: "^[a-z]{2}-[A-Z]{2}").isEmpty)
    }

    @Test func `in one condition count together too`() {
        let parts = (0..<200).map { "s.matches('.{0,1000}\($0)')" }.joined(separator: " || ")
        var sources = SourceSet()
        let text =
            "poprules: 1\ncontext: { s: { type: string, default: a } }\n"
            + "popups: { p: { when: \"\(parts)\" } }\n"
        sources.add(path: "rules.yaml", bytes: Array(text.utf8))
        #expect(RuleModel.check(sources).then { RuleSet.compile($0) }.diagnostics.hasErrors)
    }
}
