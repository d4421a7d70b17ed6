import PopCEL
import PopExplanations
import PopScheduler
import PopStories
import Testing

@Suite struct `The deciding part of a condition` {
    private let declarations = """
        context:
          plan: { type: string, default: free }
          launches: { type: int, default: 7 }
          screen: string
        conditions:
          newcomer: launches <= 3
          welcome: newcomer && plan == "free"

        """

    private func report(_ when: String) throws -> ConditionReport {
        let rules = try rules(declarations + "popups:\n  a:\n    when: >-\n      \(when)\n")
        return try #require(ExplainQuery(rules).report(on: "a")?.conditions.first)
    }

    @Test func `is the smallest part with the result of the whole`() throws {
        let report = try report(#"launches > 3 && (plan == "pro" && launches < 9)"#)
        #expect(report.decision == #"`plan == "pro"` is false"#)
        #expect(report.facts == [#"`plan` is "free""#])
    }

    @Test func `is found in named conditions`() throws {
        let report = try report("welcome")
        #expect(report.decision == "`launches <= 3` is false, and so is `newcomer`")
        #expect(report.facts == ["`launches` is 7"])
    }

    @Test func `is the whole if several parts decide together`() throws {
        let report = try report(#"plan == "pro" || launches < 3"#)
        #expect(report.decision == #"`plan == "pro" || launches < 3` is false"#)
        #expect(report.facts == [#"`plan` is "free""#, "`launches` is 7"])
    }

    @Test func `is the missing value`() throws {
        let report = try report(#"launches > 3 && screen == "home""#)
        #expect(report.decision == "`screen` has no value")
        #expect(report.facts == [])
    }

    @Test func `is marked in the tree, which has unneeded parts in parentheses`() throws {
        let report = try report(#"newcomer && plan == "free""#)
        #expect(
            report.tree(marksDeciding: true) == [
                #"false     newcomer && plan == "free""#,
                "false       newcomer",
                "false         launches <= 3  <- decides",
                "7               launches",
                #"(true)      plan == "free""#,
                #"("free")      plan"#,
            ])
    }
}

@Suite struct `The first lines of an explanation` {
    @Test func `report what happened to a popup that has ended`() throws {
        let rules = try rules("popups: { a: { hide_after: 3s } }")
        var question = ExplainQuery(rules)
        question.after = .seconds(5)
        #expect(
            question.report(on: "a")?.answer == [
                "`a` does not show: NOT_TRIGGERED, nothing has triggered it since it ended",
                "it last ended with TIMED_OUT: its display time is over (`hide_after`); its"
                    + " `hide_after` is 3s; its trigger is the start of the app",
            ])
    }

    @Test func `report which popup occupies the screen`() throws {
        let rules = try rules("popups: { a: {}, b: { priority: low } }")
        let report = try #require(ExplainQuery(rules).report(on: "b"))
        #expect(report.explanation.reason == .slotBusy)
        #expect(
            report.details == [
                "`a` stays on the screen: its priority is normal, but the priority of `b` is only"
                    + " low; to replace it, `b` needs a higher priority, and also either"
                    + " `urgent: true` or, in `a`, `switch: latent` or `switch: discard`"
            ])
        #expect(report.ranking.map(\.popup) == ["a", "b"])
    }

    @Test func `report for how long`() throws {
        let rules = try rules("popups: { a: { delay: 90s } }")
        let report = try #require(ExplainQuery(rules).report(on: "a"))
        #expect(
            report.details == [
                "its `delay` is 1m 30s",
                "blocked until 2026-11-20T09:01:30Z (UTC), 1m 30s from now",
            ])
    }
}
