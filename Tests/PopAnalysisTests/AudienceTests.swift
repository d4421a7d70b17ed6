import Foundation
import PopAnalysis
import PopCEL
import PopLogic
import PopRuleFiles
import PopScheduler
import PopSource
import PopTestSupport
import Testing

@Suite struct AudienceTests {
    private static let context = """
        context:
          user.plan: { type: string, values: [free, pro, team], default: free }
          user.launches: { type: int, min: 0 }
          user.country: string
          user.online: bool
          user.score: double
          user.tags: list<string>
          user.name: string
          user.minimum: { type: int, default: 1 }
          user.ends: timestamp
          user.began: timestamp
          app.version: version

        """

    /// S-M2: a condition that popups share is asked once for all of them.
    @Test func `four times as many popups with one condition take the same number of logic steps`()
        throws
    {
        func steps(_ count: Int) throws -> Int {
            let parts = (0..<30).map { "k == \($0)" }.joined(separator: " || ")
            let popups = (0..<count).map { "  p\($0): { when: *a }\n" }.joined()
            let rules = try RuleSet.parse(
                "context: { k: { type: int, default: 0 } }\n"
                    + "popups:\n  first: { when: &a '\(parts)' }\n\(popups)")
            let budget = WorkBudget([.logicSteps: 1_000_000_000])
            let audiences = Audience.all(
                of: Array(rules.popups.places), in: rules, limits: AnalysisLimits(budget: budget))
            #expect(Set(audiences.map(\.users.texts)).count == 1)
            return 1_000_000_000 - budget.rest(of: .logicSteps)
        }
        #expect(try steps(20) == steps(80))
    }

    @Test func `durations are written as in files, and bounds are the bounds of the condition`()
        throws
    {
        let rules = try RuleSet.parse(
            """
            context: { idle: duration, joined: timestamp }
            popups:
              a: { when: 'has(idle) && idle > duration("1h") && idle <= duration("90m")' }
              b: { when: 'has(idle) ? has(joined) : true' }
              c: { when: 'has(idle) && idle > duration("1500ms") && idle < duration("1600ms")' }
            """)
        let text = Audience(of: 0, in: rules).text
        #expect(text.contains("idle is above 1 hour and at most 1h 30m"), "\(text)")
        #expect(text.contains("example    context: { idle: 1h1s }"), "\(text)")
        #expect(Audience(of: 1, in: rules).text.contains("joined has a value"))
        #expect(Audience(of: 2, in: rules).text.contains("idle: 1501ms"))
    }

    private static func rules(when condition: String, more: String = "") throws -> RuleSet {
        try .parse(
            context + "popups:\n  seen: {}\n  a:\n    when: '\(condition)'\n\(more)")
    }

    private static func audience(when condition: String, more: String = "") throws -> Audience {
        Audience(of: 1, in: try rules(when: condition, more: more))
    }

    @Test(arguments: [
        (
            "user.plan in [\"pro\", \"team\"] && user.launches >= 3 && user.country != \"de\"",
            ["user.plan is not free, user.launches is at least 3, user.country is not de"]
        ),
        ("user.plan == \"pro\"", ["user.plan is pro"]),
        ("user.launches < 3", ["user.launches is below 3"]),
        ("user.launches >= 3 && user.launches <= 5", ["user.launches is 3 to 5"]),
        ("user.launches == 4", ["user.launches is 4"]),
        ("user.online", ["user.online"]),
        ("!user.online", ["not user.online"]),
        ("has(user.online)", ["user.online has a value"]),
        ("!has(user.online)", ["user.online is missing"]),
        ("user.score > 2.5", ["user.score is above 2.5"]),
        ("user.score >= 2.5", ["user.score is at least 2.5"]),
        // NaN is among these.
        ("!(user.score > 2.5)", ["user.score is not above 2.5"]),
        ("user.score != 2.5", ["user.score is not 2.5"]),
        (
            "!(user.score < 1.0) && !(user.score > 2.5)",
            ["user.score is neither below 1.0 nor above 2.5"]
        ),
        ("!(user.score > 2.5 || user.score == 0.0)", ["user.score is neither 0.0 nor above 2.5"]),
        (
            "app.version >= version(\"1.2\") && app.version < version(\"2.0\")",
            ["app.version is 1.2 or later and earlier than 2.0"]
        ),
        ("user.name.startsWith(\"An\")", ["user.name starts with \"An\""]),
        ("\"beta\" in user.tags", ["user.tags has beta"]),
        (
            "!has(popups.seen.last_shown) || now - popups.seen.last_shown > duration(\"48h\")",
            ["seen never shown", "seen last shown more than 2 days ago"]
        ),
        ("user.launches >= user.minimum", ["user.launches is at least user.minimum"]),
        ("user.launches < user.minimum", ["user.launches is below user.minimum"]),
        ("user.launches - user.minimum > 3", ["user.launches is at least 4 above user.minimum"]),
        ("user.launches != user.minimum", ["user.launches is not equal to user.minimum"]),
        ("has(user.ends) && user.ends > now", ["user.ends is in the future"]),
        ("has(user.ends) && user.ends <= now", ["user.ends is not in the future"]),
        (
            "has(user.ends) && user.ends - now < duration(\"336h\") && user.ends > now",
            ["user.ends is in the future and less than 14 days ahead"]
        ),
        (
            "has(user.ends) && has(user.began) && user.ends - user.began > duration(\"72h\")",
            ["user.ends is more than 3 days after user.began"]
        ),
        (
            "has(user.ends) && now - user.ends >= duration(\"72h\")",
            ["user.ends is at least 3 days ago"]
        ),
        (
            "!(user.plan in [\"free\", \"pro\"]) && !(user.country in [\"de\", \"at\"])",
            ["user.plan is team, user.country is neither de nor at"]
        ),
        ("user.name != \"\"", ["user.name is not empty"]),
        (
            "popups.seen.last_reason in [\"USER_CLOSED\"]",
            ["seen last ended as USER_CLOSED"]
        ),
        ("user.launches * 2 > 7", ["`user.launches * 2 > 7`"]),
        (
            "user.plan == \"pro\" || user.launches > 4 && user.plan != \"free\"",
            ["user.plan is pro", "user.plan is team, user.launches is at least 5"]
        ),
    ])
    func `a condition is described in short words`(condition: String, lines: [String]) throws {
        let audience = try Self.audience(when: condition)
        #expect(audience.users.lines.sorted() == lines.sorted())
    }

    @Test func `an audience of almost everyone is described by its exceptions`() throws {
        let audience = try Self.audience(
            when:
                "!(has(user.country) && has(user.name) || user.plan == \"pro\" && has(user.online))"
        )
        #expect(audience.users.isExcept)
        #expect(
            audience.users.lines == [
                "user.plan is pro, user.online has a value",
                "user.country has a value, user.name has a value",
            ])
    }

    @Test func `an audience has an example user inside and one just outside`() throws {
        let audience = try Self.audience(when: "user.launches >= 3")
        #expect(audience.text.contains("example    context: { user.launches: 3 }"))
        #expect(audience.text.contains("not shown  context: { user.launches: 2 }"))
    }

    @Test(arguments: [
        ("user.score <= 2.5", "2.51"), ("user.score <= 0.0", "0.01"),
        ("user.score >= 1.0", "0.99"), ("user.score > 1.0", "1.0"),
        ("!(user.score > 10000000000.0)", "10000000000.01"),
    ])
    func `the example user just outside has a number that people would write`(
        condition: String, score: String
    ) throws {
        let text = try Self.audience(when: condition).text
        #expect(text.contains("not shown  context: { user.score: \(score) }"), "\(text)")
    }

    /// Lines are evaluated separately, value by value, and compared with the condition.
    @Test func `the lines of an audience are true exactly if its condition is true`() throws {
        var random = SeededGenerator(seed: 7)
        let atoms = [
            "user.plan == \"pro\"", "user.plan != \"free\"", "user.launches >= 3",
            "user.launches < 7", "user.country == \"de\"", "user.country != \"at\"",
            "user.online", "has(user.country)", "user.score > 1.5", "has(user.launches)",
        ]
        func formula(_ depth: Int) -> String {
            guard depth > 0 else { return atoms.randomElement(using: &random) ?? "true" }
            switch Int.random(in: 0..<5, using: &random) {
            case 0: return "!(\(formula(depth - 1)))"
            case 1, 2: return "(\(formula(depth - 1)) && \(formula(depth - 1)))"
            default: return "(\(formula(depth - 1)) || \(formula(depth - 1)))"
            }
        }
        var covered = 0
        for _ in 0..<150 {
            let condition = formula(3)
            let rules = try Self.rules(when: condition)
            let program = try #require(rules.popups[1].when?.program)
            let demand = Requirement([program])
            var logic = Logic(of: [program], declarations: Declarations(rules))
            let found = (logic.cover(of: demand), logic.cover(ofAllBut: demand))
            let (cover, others) = (try #require(found.0), try #require(found.1))
            covered += 1
            for _ in 0..<60 {
                let person = Self.person(&random)
                var filled = person
                if filled["user.plan"] == nil { filled["user.plan"] = .string("free") }
                let truth = program.isTrue(program.slotValues(filled)) == .yes
                #expect(cover.contains(filled) == truth, "\(condition) \(person)")
                #expect(others.contains(filled) != truth, "\(condition) \(person)")
            }
        }
        #expect(covered == 150)
    }

    private static func person(_ random: inout SeededGenerator) -> [String: Value] {
        var values: [String: Value] = [:]
        let choices: [String: [Value]] = [
            "user.plan": ["free", "pro", "team"].map { .string($0) },
            "user.launches": (0..<9).map { .int($0) },
            "user.country": ["de", "at", "fr"].map { .string($0) },
            "user.online": [.bool(true), .bool(false)],
            "user.score": [.double(1.5), .double(1.6), .double(-4), .double(.nan)],
        ]
        for key in choices.keys.sorted() where Int.random(in: 0..<4, using: &random) > 0 {
            values[key] = choices[key]?.randomElement(using: &random)
        }
        return values
    }
}

extension Cover {
    fileprivate func contains(_ values: [String: Value]) -> Bool {
        lines.contains { $0.allSatisfy { $0.isMet(values) } }
    }
}

extension PopLogic.Test {
    fileprivate func isMet(_ values: [String: Value]) -> Bool {
        guard case .value(.variable(let name), _) = subject else { return false }
        guard let value = values[name] else {
            if case .missing = self.values { return true }
            return orMissing
        }
        if case .double(let number) = value, number.isNaN {
            if case .present = self.values { return true }
            return orNaN
        }
        switch self.values {
        case .truth(let truth): return value == .bool(truth)
        case .among(let known): return known.contains(value)
        case .except(let known): return !known.contains(value)
        case .present: return true
        case .missing, .outcomes: return false
        case .ranges(let ranges):
            return ranges.contains { bounds in
                func isPast(_ bound: Bounds.Bound?, _ wanted: NumericOrder) -> Bool {
                    guard let bound else { return true }
                    let order = value.numericOrder(bound.value)
                    return order == wanted || bound.isIncluded && order == .equal
                }
                return isPast(bounds.lower, .greater) && isPast(bounds.upper, .less)
            }
        }
    }
}

extension AudienceTests {
    private static let young = """
        context:
          joined: { type: timestamp, default: 2000-01-01T00:00:00Z }
          began: timestamp
        popups:
          young: { when: 'now - joined < duration("672h")' }
          old: { when: 'now - joined >= duration("672h")' }
          other: { when: 'joined >= now - duration("336h")' }
          known: { when: 'has(began) && now - began < duration("672h")' }
        """

    /// (R2)
    @Test func `examples for an age are users who exist, one second outside the bound`() throws {
        let rules = try RuleSet.parse(Self.young)
        let all = rules.popups.places.map { Audience(of: $0, in: rules).text }
        #expect(
            all[0].contains(
                "not shown  context: { joined: 2025-12-04T00:00:00Z },"
                    + " with now = 2026-01-01T00:00:00Z"
            ), "\(all[0])")
        #expect(
            all[1].contains("not shown  context: { joined: 2025-12-04T00:00:01Z }"), "\(all[1])")
        #expect(all[2].contains("to         joined is at most 14 days ago"), "\(all[2])")
        #expect(all[3].contains("began is less than 28 days ago"), "\(all[3])")
        for text in all {
            #expect(!text.contains(".0000") && !text.contains("2318") && !text.contains(" 00"))
        }
    }

    /// (A8)
    @Test func `an event that was never sent counts as longer ago than any duration`() throws {
        let rules = try RuleSet.parse(
            """
            events: { filed: {} }
            popups:
              a: { when: 'since("filed") > duration("2d")' }
              b: { when: 'event_count("filed") > 0 && since("filed") > duration("2d")' }
              c: { when: 'since("filed") < duration("2d")' }
            """)
        let all = rules.popups.places.map { Audience(of: $0, in: rules).users.lines }
        #expect(all[0] == ["filed never sent, or last sent more than 2 days ago"])
        #expect(all[1] == ["filed sent at least once, filed last sent more than 2 days ago"])
        #expect(all[2] == ["filed last sent less than 2 days ago"])
    }

    /// (R8)
    @Test func `a missing or different value is not described with a double negation`() throws {
        #expect(
            try Self.audience(when: "!has(user.name) || user.name != \"pro\"").users.lines
                == ["user.name is missing or other than pro"])
        #expect(
            try Self.audience(when: "!has(user.online) || !user.online").users.lines
                == ["user.online is missing or false"])
    }

    /// (A13)
    @Test func `dates are shown in the time zone of the schedule`() throws {
        let rules = try RuleSet.parse(
            """
            popups:
              xmas: { schedule: { from: 2026-12-24, until: 2026-12-31, zone: Europe/Berlin } }
              sale: { schedule: { until: 2026-12-31T18:00:00, zone: Europe/Berlin } }
            """)
        let all = rules.popups.places.map { Audience(of: $0, in: rules).text }
        #expect(
            all[0].contains("from 2026-12-24, before 2026-12-31, zone Europe/Berlin"),
            "\(all[0])")
        #expect(all[1].contains("before 2026-12-31T18:00:00, zone Europe/Berlin"), "\(all[1])")
    }

    private static func audience(_ when: String) throws -> Audience {
        let rules = try RuleSet.parse(Self.past + "popups: { tour: {}, a: { when: '\(when)' } }")
        return Audience(of: 1, in: rules)
    }

    private static let past = """
        context:
          orders: { type: int, default: 0 }
          app.version: { type: version, default: 1.0.0 }
          app.minimum: { type: version, default: 1.0.0 }
        events: { x: { n: int } }

        """

    @Test(
        "parts about one event are not independent of each other (A117)",
        arguments: [
            (#"event_count("x") == 0 && since("x") < duration("2d")"#, ["nobody"]),
            (#"event_count("x", duration("7d")) == 0 && since("x") < duration("2d")"#, ["nobody"]),
            (#"event_count("x", duration("1d")) > 0 && since("x") > duration("2d")"#, ["nobody"]),
            (#"!has(last_event("x")) && since("x") < duration("2d")"#, ["nobody"]),
            (#"event_sum("x", "n", duration("7d")) > 0 && event_count("x") == 0"#, ["nobody"]),
            ("session.count == 1 && has(session.previous_end)", ["nobody"]),
            (#"event_count("x") == 0 && since("x") > duration("2d")"#, ["x never sent"]),
            (
                #"event_count("x") == 0 || since("x") < duration("2d")"#,
                ["x never sent", "x last sent less than 2 days ago"]
            ),
            (
                "popups.tour.shown_count == 0 && !has(popups.tour.last_shown)", ["tour never shown"]
            ),
        ])
    func partsOfOneEvent(when: String, lines: [String]) throws {
        #expect(try Self.audience(when).users.lines == lines)
    }

    @Test("an example repeats none of its parts (A117)")
    func repeatedParts() throws {
        for when in [
            #"event_count("x") == 0 || since("x") < duration("2d")"#,
            "popups.tour.shown_count == 0 && !has(popups.tour.last_shown)",
        ] {
            for line in try Self.audience(when).text.split(separator: "\n") {
                let parts = line.components(separatedBy: ", ").map {
                    $0.replacingOccurrences(of: "  example    ", with: "")
                }
                #expect(Set(parts).count == parts.count, "\(line)")
            }
        }
    }

    @Test("a condition on two versions has an example (A117)")
    func twoVersions() throws {
        let text = try Self.audience("app.version < app.minimum").text
        #expect(text.contains("example    context: { app.version:"), "\(text)")
        let equal = try Self.audience("app.version == app.minimum").text
        #expect(equal.contains("example "), "\(equal)")
    }

    @Test(
        "examples have plausible values near the bound (A32)",
        arguments: [
            ("orders == 0", "{ orders: 0 }", "{ orders: 1 }"),
            ("orders < 3", "{ orders: 0 }", "{ orders: 3 }"),
            (
                #"app.version >= version("2.1")"#, #"{ app.version: "2.1" }"#,
                #"{ app.version: "2.0" }"#
            ),
            (
                #"app.version < version("3.0.0")"#, #"{ app.version: "2.9" }"#,
                #"{ app.version: "3" }"#
            ),
        ])
    func nearExamples(when: String, inside: String, outside: String) throws {
        let text = try Self.audience(when).text
        #expect(text.contains("example    context: \(inside)"), "\(text)")
        #expect(text.contains("not shown  context: \(outside)"), "\(text)")
    }

    @Test("example users have only possible histories, even just outside (A117)")
    func likelyPasts() throws {
        let text = try Self.audience(
            "popups.tour.shown_count > 0 && popups.tour.closed_count > 0"
        ).text
        #expect(text.contains("not shown  with tour shown once, with tour never closed"), "\(text)")
        let never = try Self.audience("popups.tour.shown_count == 0").text
        #expect(!never.contains("0001"), "\(never)")
    }

    /// The scheduler evaluates each condition for a user with the past of the example.
    @Test(
        "examples satisfy the condition, and near misses do not, with a possible history (A117)",
        arguments: [
            #"event_count("x") == 0 || since("x") < duration("2d")"#,
            #"event_count("x") > 2 && since("x") >= duration("5d")"#,
            #"event_count("x", duration("7d")) >= 2 && since("x") > duration("2d")"#,
            #"event_sum("x", "n", duration("7d")) > 10 && since("x") > duration("1d")"#,
            #"since("x") > duration("2d")"#,
            #"has(last_event("x")) && now - last_event("x") > duration("3d")"#,
            #"event_count("x") == 0 ? popups.tour.shown_count == 0 : since("x") < duration("1h")"#,
            "popups.tour.shown_count > 1 && has(popups.tour.last_shown)",
            "app.version < app.minimum && popups.tour.shown_count == 0",
        ])
    func examplesAreTrue(when: String) throws {
        let rules = try RuleSet.parse(Self.past + "popups: { tour: {}, a: { when: '\(when)' } }")
        let program = try #require(rules.popups[1].when?.program)
        var logic = Logic(of: [program], declarations: Declarations(rules).whileShowing())
        let demand = Requirement([program])
        let found = (logic.witness(meeting: demand), logic.witness(justOutside: demand))
        let (inside, outside) = (try #require(found.0), try #require(found.1))
        #expect(Self.truth(of: program, for: inside, rules))
        #expect(!Self.truth(of: program, for: outside, rules))
    }

    private static func truth(of program: Program, for witness: Witness, _ rules: RuleSet) -> Bool {
        var meanings: [SlotTable.Entry: SlotMeaning] = [:]
        for (slot, entry) in program.slotEntries { meanings[entry] = rules.slots[slot] }
        var beginning = ScenarioStart()
        beginning.take(events: witness.facts, meanings: meanings, of: rules)
        let moment = Moment(instant: .zero, date: beginning.start)
        var scheduler = Scheduler(
            rules: rules, seed: 0, user: "", history: beginning.history, at: moment)
        _ = scheduler.handle(.update(beginning.context), at: moment)
        let slots = scheduler.slotValues(program.slots, at: moment)
        return program.isTrue(slots) == .yes
    }
}
