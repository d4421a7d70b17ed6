import PopRuleFiles
import PopScheduler
import PopSource
import Testing

/// A4: what may have no value, and what makes sure that it has one.
@Suite struct `Values that may be missing` {
    private let head = """
        context: { ends: timestamp, on: { type: bool, default: false } }
        conditions:
          running: has(ends) && now < ends
          soon: ends - now < duration("1d")

        """

    private func messages(_ popups: String) -> [String] {
        checked(head + "popups:\n" + popups).diagnostics.sorted.map(\.message)
    }

    @Test func `are guarded by a named condition`() {
        #expect(
            messages("  a: { when: running && ends > now, dismiss_when: has(ends) && soon }\n")
                .isEmpty)
        #expect(messages("  a: { when: { all: [running, soon] } }\n").isEmpty)
    }

    @Test func `are reported if one use of a condition has no guard`() {
        #expect(
            messages("  a: { when: has(ends) && soon }\n  b: { when: soon }\n")
                == ["`ends` may have no value here"])
        #expect(
            messages("  a: { when: running || soon }\n") == ["`ends` may have no value here"])
    }

    @Test func `are reported for a popup that reads its own history and can't show a first time`()
        throws
    {
        let found = checked(
            "popups: { a: { when: \"popups.a.last_reason != 'USER_CLOSED' && true\" } }\n"
        ).diagnostics.sorted
        let first = try #require(found.first)
        #expect(
            first.message
                == "`a` can never show, because its condition needs `popups.a.last_reason`, which"
                + " has no value before the first impression"
        )
        #expect(first.level == .error)
        #expect(first.secondary.isEmpty)
        #expect(first.help.first?.contains("!has(popups.a.last_reason) || ") == true)
    }

    @Test func `are found through shared conditions in linear time`() {
        // Were each path followed by itself, there would be 3 to the power of 40 of them.
        let conditions = (1...40).map { number in
            "  c\(number): c\(number - 1) && c\(number - 1) || c\(number - 1)\n"
        }
        let text = "context: { ends: timestamp }\nconditions:\n  c0: ends > now\n"
        #expect(
            checked(text + conditions.joined() + "popups: { a: { when: has(ends) && c40 } }\n")
                .diagnostics.isEmpty)
    }

    @Test func `are guarded by a map condition of another file`() {
        var sources = SourceSet()
        let context = "poprules: 1\ncontext: { plan: string, team: string }\n"
        sources.add(path: "a.yaml", bytes: Array(context.utf8))
        let comment = String(repeating: "# Behind the end of the first file.\n", count: 5)
        let conditions = "conditions: { paid: { plan: pro, team: red }, free: plan != 'x' }\n"
        let popups = "popups: { a: { when: paid && free } }\n"
        sources.add(
            path: "b.yaml", bytes: Array("poprules: 1\n\(comment)\(conditions)\(popups)".utf8))
        #expect(RuleSet.check(sources).diagnostics.list.map(\.message) == [])
    }

    @Test func `are found through a long chain of conditions`() {
        let conditions = (1...9_000).map { "  c\($0): c\($0 - 1)\n" }
        let text = "context: { ends: timestamp }\nconditions:\n  c0: ends > now\n"
        let found = checked(text + conditions.joined()).diagnostics.list.map(\.check)
        #expect(found == [.conditionMayError, .conditionCost])
    }

    @Test func `are not reported for a comparison with nothing`() {
        #expect(
            messages("  a: { when: { on: {} } }\n").contains("`on` has no comparison"))
    }

    @Test func `are not suggested for a NaN of a bounded key`() {
        let text = "context: { share: { type: double, max: 1, default: .nan } }\npopups: {}\n"
        #expect(checked(text).diagnostics.list.map(\.check) == [.schemaRange])
    }
}
