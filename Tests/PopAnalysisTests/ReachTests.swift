import PopAnalysis
import PopRuleFiles
import PopScheduler
import PopTestSupport
import Testing

/// A user is gained or lost by a change of conditions only if the user may see the popup at all.
@Suite struct ReachTests {
    private static func lines(_ old: String, _ new: String) throws -> (
        lines: [RuleChanges.Line], isAffecting: Bool
    ) {
        let head = """
            context:
              plan: { type: string, values: [free, pro, team], default: free }
              launches: { type: int, min: 0, default: 0 }
              screen: { type: int, default: 0, momentary: true }
              id: { type: string, default: "" }
            events: { bought: { total: double } }
            templates: { ask: { actions: [yes_please, { later: { refusal: true } }] } }

            """
        let changes = RuleChanges(from: try .parse(head + old), to: try .parse(head + new))
        #expect(changes.isDecided)
        return (changes.entries.flatMap(\.lines), !changes.affected.isEmpty)
    }

    fileprivate struct Case: CustomTestStringConvertible {
        let key: String
        let old: String
        let new: String
        let rest: String

        var testDescription: String { "\(key): \(rest)" }

        init(_ key: String, _ old: String, _ new: String, _ rest: String) {
            (self.key, self.old, self.new, self.rest) = (key, old, new, rest)
        }

        var rules: [String] {
            [old, new].map { "popups: { a: { when: '\($0)', \(rest) } }" }
        }
    }

    fileprivate static let keptAway = [
        Case("cap", "popups.a.shown_count < 3", "popups.a.shown_count < 5", "cap: { lifetime: 1 }"),
        Case(
            "cap", "popups.a.shown_count < 3 || launches > 9",
            "popups.a.shown_count < 3 || launches > 9 && popups.a.shown_count != 7",
            "cap: { lifetime: 2 }"),
        Case(
            "cap", #"!has(popups.a.last_shown) || now - popups.a.last_shown > duration("1d")"#,
            #"!has(popups.a.last_shown) || now - popups.a.last_shown > duration("2d")"#,
            "cap: { every: 7d }"),
        Case(
            "cap", "popups.a.closed_count < 2", "popups.a.closed_count < 3",
            "template: ask, cap: { closes: 1 }"),
        Case("cap", "!has(popups.a.last_shown)", "launches >= 0", "cap: { lifetime: 1 }"),
        Case(
            "trigger", "launches > 3", "launches > 4",
            "trigger: { event: bought, where: launches > 5 && event.total > 1.0 }"),
        Case(
            "trigger", "launches > 3", "launches > 4",
            """
            trigger: [{ event: bought, where: launches > 5 }, \
            { event: bought, nth: 1, where: plan == "pro" && launches == 9 }]
            """),
        Case(
            "schedule", #"now < timestamp("2027-01-01T00:00:00Z")"#,
            #"now < timestamp("2028-01-01T00:00:00Z")"#, "schedule: { until: 2026-06-01 }"),
        Case(
            "schedule", #"now < timestamp("2027-01-01T00:00:00Z")"#,
            #"now < timestamp("2028-01-01T00:00:00Z")"#,
            "schedule: { from: 2029-01-01T00:00, zone: Europe/Berlin }"),
        Case("enabled", "launches > 3", "launches > 4", "enabled: false"),
        Case("rollout", "launches > 3", "launches > 4", "rollout: { percent: 0, by: id }"),
    ]

    @Test(arguments: keptAway)
    fileprivate func `a change for users who another key blocks gains and loses nobody`(
        example: Case
    ) throws {
        let (lines, isAffecting) = try Self.lines(example.rules[0], example.rules[1])
        #expect(lines.map(\.key) == ["when"], "\(lines)")
        #expect(!isAffecting)
        #expect(
            lines.first?.details.last
                == "none of these users sees the popup, because of `\(example.key)`")
    }

    fileprivate static let some = [
        Case(
            "newly shown to: a shown 3 times", "popups.a.shown_count < 3",
            "popups.a.shown_count < 9",
            "cap: { lifetime: 4 }"),
        Case(
            "newly shown to: launches is 5", "launches > 5", "launches > 2",
            "trigger: { event: bought, where: launches > 4 && event.total > 1.0 }"),
        Case(
            "newly shown to: launches is 3 to 5", "launches > 5", "launches > 2",
            "trigger: [{ event: bought, where: launches > 4 }, manual]"),
        Case(
            "newly shown to: screen is 3 to 5", "screen > 5", "screen > 2",
            "trigger: { event: bought, where: screen > 9 }"),
        Case(
            "newly shown to: now is at or after 2027-01-01T00:00:00Z and before 2027-06-01T00:00:00Z",
            #"now < timestamp("2027-01-01T00:00:00Z")"#,
            #"now < timestamp("2028-01-01T00:00:00Z")"#, "schedule: { until: 2027-06-01 }"),
    ]

    @Test(arguments: some)
    fileprivate func `the report names the users who remain after other keys block some`(
        example: Case
    ) throws {
        let (lines, isAffecting) = try Self.lines(example.rules[0], example.rules[1])
        #expect(lines.map(\.key) == ["audience"], "\(lines)")
        #expect(isAffecting)
        #expect(lines.first?.details.first == example.key, "\(lines)")
    }

    @Test func `a change of dismiss_when is reported even if the popup can't show again`() throws {
        let (lines, _) = try Self.lines(
            "popups: { a: { dismiss_when: popups.a.shown_count > 1, cap: { lifetime: 1 } } }",
            "popups: { a: { dismiss_when: popups.a.shown_count > 0, cap: { lifetime: 1 } } }")
        #expect(!lines.isEmpty)
    }

    @Test func `a disabled popup loses no users by a changed condition`() throws {
        let (lines, _) = try Self.lines(
            "popups: { a: { when: launches > 3 } }",
            "popups: { a: { when: launches > 2, enabled: false } }")
        #expect(lines.map(\.key).sorted() == ["enabled", "when"], "\(lines)")
    }
}
