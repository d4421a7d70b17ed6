import PopScheduler
import PopSource
import PopStories
import Testing

@Suite struct `The coverage of rules` {
    func report(_ rulesText: String, _ testsText: String) throws -> CoverageReport {
        let rules = try rules(rulesText)
        let tests = try tests(testsText, of: rules)
        var coverage: Coverage? = Coverage()
        for test in tests.tests {
            _ = TestRunner.run(test, of: tests, coverage: &coverage, within: .ofCommand())
        }
        return CoverageReport(try #require(coverage), of: [rules])
    }

    /// The outcomes that were seen, such as "+a -b".
    private func outcomes(_ report: CoverageReport) -> String {
        report.items.filter { $0.count > 0 }.compactMap { item in
            item.outcome.map { ($0 ? "+" : "-") + item.text.replacing(" ", with: "") }
        }.joined(separator: " ")
    }

    private let flags =
        "context: { a: { type: bool, default: false }, b: { type: bool, default: true } }\n"

    @Test func `counts only parts that were evaluated`() throws {
        let report = try report(
            flags + "popups: { p: { when: a && b } }", "tests: { t: { steps: [{ poke: true }] } }")
        #expect(outcomes(report) == "-a&&b -a")
    }

    @Test func `includes the condition of a popup that shows immediately`() throws {
        let report = try report(
            flags + "popups: { p: { when: b } }", "tests: { t: { steps: [{ poke: true }] } }")
        #expect(outcomes(report) == "+b")
        #expect(report.share(of: .popups) == CoverageReport.Share(seen: 1, total: 1))
    }

    @Test func `includes the condition for which a popup is dismissed`() throws {
        let rules = flags + "popups: { p: { dismiss_when: a } }"
        let steps = "[{ poke: true }, { set: { a: true } }]"
        #expect(outcomes(try report(rules, "tests: { t: { steps: \(steps) } }")) == "+a -a")
    }

    @Test(arguments: [
        ("{ after: 100ms }, { after: 1s }", "`grace` of `p` (chosen, but not on the screen yet)"),
        (
            "{ after: 1s, dismiss: p }",
            "`min_show` of `p` (stays until its `min_show` is over, although it was dismissed)"
        ),
    ])
    func `includes a duration while it runs, not only its end`(steps: String, behaviour: String)
        throws
    {
        let rules = "popups: { p: { grace: 300ms, min_show: 2s } }"
        func seen(_ steps: String) throws -> [String] {
            try report(rules, "tests: { t: { steps: [\(steps)] } }").items
                .filter { $0.kind == .behaviours && $0.count > 0 }.map(\.text)
        }
        #expect(try seen(steps).contains(behaviour))
        #expect(
            try seen("{ after: 5s, close: p }") == [
                "`grace` of `p` (chosen, but not on the screen yet)"
            ])
    }

    @Test func `includes the arms of users and the goals that they reached`() throws {
        let rules = """
            context: { id: { type: string, default: u } }
            events: { paid: {} }
            popups:
              p:
                experiment: { by: id, variants: { a: {}, b: {}, c: { weight: 0 } } }
                goals: [{ name: buy, event: paid, within: 1d }]
            """
        let tests = """
            personas: { u: { variant: { p: b } } }
            tests: { t: { persona: u, steps: [{ after: 1s }, { send: paid }] } }
            """
        let items = try report(rules, tests).items.filter { $0.kind == .behaviours }
        #expect(
            items.map { "\($0.count) \($0.text)" } == [
                "0 `experiment.variants.a` of `p` (a user in `a`)",
                "1 `experiment.variants.b` of `p` (a user in `b`)",
                "1 `goals.buy` of `p` (reached in time)",
            ])
    }

    @Test func `counts a negation as the condition that it negates`() throws {
        let report = try report(
            flags + "popups: { p: { when: '!a' } }", "tests: { t: { steps: [{ poke: true }] } }")
        #expect(outcomes(report) == "-a")
        #expect(report.share(of: .conditions).total == 2)
    }

    @Test func `includes parts of named conditions and filters`() throws {
        let report = try report(
            flags + """
                conditions: { c: a }
                events: { e: { n: int } }
                popups: { p: { when: c }, q: { trigger: { event: e, where: event.n > 1 } } }
                """,
            "tests: { t: { steps: [{ send: { e: { n: 1 } } }, { send: { e: { n: 2 } } }] } }")
        #expect(outcomes(report) == "-a -c +event.n>1 -event.n>1")
    }

    @Test func `includes a condition only while its popup waits`() throws {
        let report = try report(
            flags + "popups: { p: { trigger: manual, when: a } }",
            "tests: { t: { steps: [{ set: { a: true } }] } }")
        #expect(outcomes(report) == "")
    }

    @Test func `includes the behaviors of the keys of a popup`() throws {
        let report = try report(
            "popups: { p: { delay: 1s, hide_after: 3s, cap: { lifetime: 1 } } }",
            "tests: { t: { steps: [{ after: 5s }, { enqueue: p }] } }")
        #expect(report.share(of: .behaviours) == CoverageReport.Share(seen: 3, total: 3))
        #expect(
            report.items.last { $0.kind == .reasonCodes && $0.count == 0 }?.text == "USER_CLOSED")
    }

    @Test func `is compared exactly and never rounded up`() throws {
        let share = CoverageReport.Share(seen: 2, total: 3)
        #expect(share.text == "66.6 %")
        #expect(share.reaches(try #require(.init("66.66"))))
        #expect(!share.reaches(try #require(.init("66.67"))))
        #expect(CoverageReport.Share(seen: 9_999, total: 10_000).text == "99.9 %")
        #expect(
            !CoverageReport.Share(seen: 9_999, total: 10_000).reaches(try #require(.init("100"))))
        #expect(CoverageReport.Share(seen: 0, total: 0).reaches(try #require(.init("100"))))
    }

    @Test(arguments: ["", "x", "101", "-1", "1.234", "100.1", "1.", ".5", "1e2", "५"])
    func `refuses a threshold that isn't a percentage`(text: String) {
        #expect(CoverageReport.Percentage(text) == nil)
    }

    /// Returns the untried cases, such as "a: to plan is pro; at n = 3".
    private func untried(_ report: CoverageReport) -> [String] {
        report.untried.map { untried in
            let texts = untried.audiences.map { "to \($0)" } + untried.bounds.map { "at \($0)" }
            return "\(untried.popup): " + texts.joined(separator: "; ")
        }
    }

    private let people = """
        context:
          plan: { type: string, values: [free, pro, team], default: free }
          n: { type: int, min: 0, default: 0 }
          total: { type: double, default: 0.0 }

        """

    @Test func `names the audiences without a test user`() throws {
        let rules =
            people + """
                conditions: { paying: plan != "free" }
                popups: { p: { when: paying || n == 7 }, q: { trigger: manual, when: paying } }
                """
        let tests = "tests: { t: { context: { plan: pro }, steps: [{ poke: true }] } }"
        #expect(
            untried(try report(rules, tests)) == [
                "p: to n is 7; at n = 7; at n = 6; at n = 8", "q: to plan is not free",
            ])
        let more = """
            tests:
              t: { context: { plan: pro }, steps: [{ enqueue: q }] }
              u: { context: { n: 7 }, steps: [{ poke: true }] }
              v: { context: { n: 6 }, steps: [{ poke: true }] }
              w: { context: { n: 8 }, steps: [{ poke: true }] }
            """
        #expect(untried(try report(rules, more)) == [])
    }

    @Test func `names the sides of bounds that were not tested`() throws {
        let rules = people + "popups: { p: { when: n >= 3 }, q: { when: total > 50.0 } }\n"
        func untried(_ contexts: String...) throws -> [String] {
            let tests = contexts.enumerated().map {
                "  t\($0.offset): { context: { \($0.element) }, steps: [{ poke: true }] }\n"
            }
            return self.untried(try report(rules, "tests:\n" + tests.joined()))
        }
        #expect(
            try untried("n: 5") == [
                "p: at n = 3; at n = 2", "q: to total is above 50.0; at total above 50.0",
            ])
        #expect(
            try untried("n: 3, total: 99.0") == ["p: at n = 2", "q: at total at most 50.0"])
        #expect(try untried("n: 3, total: 99.0", "n: 2") == [])
    }

    @Test func `includes how long before or after a time a user is`() throws {
        let rules = """
            context: { exam: timestamp, left: duration, used: duration }
            popups:
              p: { when: has(exam) && exam > now && exam - now <= duration("336h") }
              q: { when: has(exam) && now - exam > duration("1h") }
              r: { when: has(left) && has(used) && used < left }

            """
        func untried(_ context: String) throws -> [String] {
            let test =
                "{ start: 2027-01-13T18:00:00Z, context: { \(context) }, steps: [{ poke: true }] }"
            return self.untried(try report(rules, "tests: { t: \(test) }")).map {
                String($0.prefix { $0 != ":" })
            }
        }
        #expect(try untried("exam: 2027-01-20T09:00:00Z") == ["q", "r"])
        #expect(try untried("exam: 2027-02-20T09:00:00Z") == ["p", "q", "r"])
        #expect(try untried("exam: 2027-01-13T12:00:00Z, left: 9s, used: 3s") == ["p"])
        #expect(try untried("exam: 2027-01-13T12:00:00Z, left: 3s, used: 9s") == ["p", "r"])
    }

    @Test func `omits audiences without a condition or without a short description`() throws {
        let rules = people + "popups: { p: {}, q: { when: 'total * 2.0 > 3.0' } }\n"
        #expect(
            untried(try report(rules, "tests: { t: { steps: [{ poke: true }] } }")) == [])
    }
}

extension `The coverage of rules` {
    /// Finding E: coverage begins with what matters most.
    @Test func `lists the popups that were never shown in a few lines`() throws {
        let popups = (0..<100).map { "  p\($0): { trigger: manual, when: k == \($0) }" }
        let report = try report(
            "context: { k: { type: int, default: 0 } }\npopups:\n"
                + popups.joined(separator: "\n"),
            "tests: { t: { steps: [{ enqueue: p0 }, { enqueue: p9 }] } }")
        var sources = SourceSet()
        sources.add(path: "rules.yaml", bytes: Array("poprules: 1\n".utf8))
        var places = SourcePlaces(sources)
        let text = report.text(&places)
        #expect(text.hasPrefix("coverage "))
        #expect(text.contains(": 99 popups were never shown\n"))
        #expect(text.contains("… and 93 more"))
        #expect(text.split(separator: "\n").count < 25)
        #expect(report.text(&places, isWhole: true).split(separator: "\n").count > 150)
    }

    /// (A4)
    @Test(arguments: ["discard", "await"])
    func `includes a condition that was false when a task was dropped`(untriggered: String) throws {
        let report = try report(
            """
            events: { go: {} }
            popups:
              rate:
                trigger: { event: go }
                untriggered: \(untriggered)
                when: event_count("go") >= 3
            """,
            "tests: { t: { steps: [{ send: go }, { send: go }, { after: 1m, send: go }] } }")
        #expect(report.share(of: .conditions) == CoverageReport.Share(seen: 2, total: 2))
    }
}
