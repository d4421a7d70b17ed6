import PopCEL
import PopScheduler
import PopSource
import PopStories
import Testing

@Suite struct `The changes that would show a popup` {
    private let context = """
        context:
          plan: { type: string, values: [free, pro, team], default: free }
          launches: { type: int, min: 0, default: 0 }
          score: { type: double, default: 0.0 }
          tags: list<string>
          online: { type: bool, default: true }
          installed: timestamp
          screen: string

        """

    private func changes(_ when: String, _ values: [String: Value] = [:]) throws -> [String] {
        let rules = try rules(context + "popups:\n  a:\n    when: >-\n      \(when)\n")
        return ExplainQuery(rules, values).changes(for: "a")
    }

    @Test func `take the nearest value`() throws {
        #expect(try changes("launches >= 3") == ["`launches` = 3"])
        #expect(try changes("launches < 3", ["launches": .int(9)]) == ["`launches` = 2"])
        #expect(try changes("score > 2.5") == ["`score` = 3.0"])
        #expect(try changes("!online") == ["`online` = false"])
    }

    @Test func `offer every key that suffices by itself`() throws {
        let found = try changes(#"plan == "pro" || launches > 4"#)
        #expect(found == [#"`plan` = "pro""#, "`launches` = 5"])
    }

    @Test func `change two keys only if one key does not suffice`() throws {
        let found = try changes(#"plan == "team" && launches == 2 && online"#)
        #expect(found == [#"`launches` = 2 and `plan` = "team""#])
    }

    @Test func `contain values of all types`() throws {
        #expect(try changes(#"has(tags) && "beta" in tags"#) == [#"`tags` = ["beta"]"#])
        #expect(
            try changes(#"!("staff" in tags)"#, ["tags": .list([.string("staff")])])
                == ["`tags` = []"])
        #expect(try changes(#"!has(screen)"#, ["screen": "home"]) == ["`screen` without a value"])
        let old = try changes(#"has(installed) && now - installed > duration("720h")"#)
        #expect(old == [#"`installed` = timestamp("2026-01-01T00:00:00Z")"#])
    }

    @Test func `stay within the allowed values of a key`() throws {
        #expect(try changes("!(launches >= 0)") == [])
        #expect(try changes(#"plan.startsWith("gold")"#) == [])
    }

    @Test func `find nothing if the context isn't the reason`() throws {
        let rules = try rules("popups: { a: {}, b: { after: [a], when: 'true' } }")
        #expect(ExplainQuery(rules).changes(for: "b") == [])
    }

    @Test func `include named conditions and the group`() throws {
        let rules = try rules(
            context + """
                conditions: { paying: 'plan != "free"' }
                groups: { g: { when: launches > 1 } }
                popups: { a: { group: g, when: paying } }
                """)
        #expect(ExplainQuery(rules).changes(for: "a") == [#"`launches` = 2 and `plan` = "pro""#])
    }

    @Test func `name the popup that still occupies the screen`() throws {
        let rules = try rules(
            context + """
                popups:
                  a: { priority: high }
                  b: { when: plan == "pro" }
                  c: { scheduler: toast, when: plan == "pro" }
                schedulers: { toast: {} }
                """)
        let reports = PopupReport.all(
            ["b", "c"], question: ExplainQuery(rules), in: ExplainQuery(rules).played())
        #expect(
            reports.compactMap(\.answer.last) == [
                "it could show with `plan` = \"pro\" if `a` were not on the screen",
                "it could show with `plan` = \"pro\"",
            ])
    }

    @Test func `change the payload of the event that was sent`() throws {
        let rules = try rules(
            """
            events: { bought: { total: double } }
            popups: { a: { trigger: { event: bought, where: event.total > 50.0 } } }
            """)
        var question = ExplainQuery(rules)
        question.event = "bought"
        #expect(question.changes(for: "a") == ["`event.total` = 51.0"])
    }

    @Test func `find nothing if another event is needed`() throws {
        let rules = try rules(
            """
            context: { n: { type: int, default: 5 } }
            events: { bought: { total: double } }
            popups: { a: { trigger: { event: bought, where: event.total > 50.0, nth: 3 }, when: n > 0 } }
            """)
        var question = ExplainQuery(rules)
        question.event = "bought"
        question.payload = ["total": .double(80)]
        let report = try #require(question.report(on: "a"))
        #expect(report.changes == [])
        #expect(
            report.answer == [
                "`a` does not show: TRIGGER_COUNTING, its trigger fires only for some events (`nth`"
                    + " or `every`), and not for this one",
                "this was occurrence 1 of the event; its trigger is occurrence 3 of the event"
                    + " `bought` where `event.total > 50.0`",
            ])
    }

    private func answer(_ popup: String, _ values: [String: Value] = [:]) throws -> [String] {
        let rules = try rules(context + "popups:\n  a: \(popup)\n")
        return try #require(ExplainQuery(rules, values).report(on: "a")).answer
    }

    @Test func `are reported if dismiss_when is the reason`() throws {
        let popup = "{ when: launches >= 0, dismiss_when: online }"
        #expect(try answer(popup).contains("it could show with `online` = false"))
    }

    @Test func `are reported if the schedule is the reason, for any of several windows`() throws {
        #expect(
            try answer("{ schedule: { when: launches > 3 } }")
                .contains("it could show with `launches` = 4"))
        let several = "{ schedule: [{ when: popups.a.shown_count > 5 }, { when: plan == 'pro' }] }"
        #expect(try answer(several).contains("it could show with `plan` = \"pro\""))
    }

    @Test func `are searched in as many windows of a schedule as the budget allows`() throws {
        let windows = (0..<50).map { "{ days: [mon], when: popups.a.shown_count > \($0 + 5) }" }
        let popup = "{ schedule: [\(windows.joined(separator: ", ")), { when: plan == 'pro' }] }"
        let rules = try rules(context + "popups:\n  a: \(popup)\n")
        let budget = WorkBudget([.judgedPopups: 1_000])
        _ = ExplainQuery(rules, within: budget).changes(for: "a")
        #expect(budget.isUsedUp)
        #expect(try answer(popup).contains("it could show with `plan` = \"pro\""))
    }

    @Test func `are reported for the history if the app cannot change it`() throws {
        #expect(
            try answer("{ when: 'popups.a.shown_count > 1 && launches > 2' }").last
                == "its conditions would be met with `popups.a.shown_count` = 2 and `launches` = 3")
        #expect(
            try answer("{ when: session.count >= 3 }").last
                == "its conditions would be met with `session.count` = 3")
    }

    @Test func `are called the fewest only if fewer changes were refuted`() throws {
        let fewest = "it could show with `launches` = 2 and `plan` = \"pro\""
        #expect(
            try answer("{ when: plan == 'pro' && launches == 2 }").last
                == "\(fewest); fewer changes are not enough")
        let notKnown = "{ when: plan == 'pro' && launches == 2 || launches * launches == 7 }"
        #expect(try answer(notKnown).last == fewest)
        let windows = "{ schedule: [{ when: launches == 2 && plan == 'pro' }, { when: false }] }"
        #expect(try answer(windows).last == fewest)
    }

    @Test func `stay as near to strings and lists as they can`() throws {
        #expect(
            try changes("!(\"a\" in tags)", ["tags": .list([.string("a"), .string("b")])])
                == [#"`tags` = ["b"]"#])
        #expect(
            try changes("\"a\" in tags", ["tags": .list([.string("b")])])
                == [#"`tags` = ["b", "a"]"#])
        #expect(try changes(#"has(screen) && screen.startsWith("ho")"#) == [#"`screen` = "ho""#])
    }

    /// (A3, A25)
    @Test func `contain only events that can have been sent`() throws {
        let rules = try rules(
            """
            events: { order.placed: {} }
            popups:
              win_back:
                when: event_count("order.placed") > 0 && since("order.placed") >= duration("21d")
            """)
        let answer = try #require(ExplainQuery(rules).report(on: "win_back")).answer
        #expect(
            answer.last
                == "its conditions would be met with `event_count(\"order.placed\")` = 1 and"
                + " `since(\"order.placed\")` = duration(\"21d\")")
        #expect(!answer.joined().contains("1814400s"))
    }

    private func past(_ popups: String, _ history: History, of popup: String) throws -> [String] {
        var question = ExplainQuery(try rules("popups:\n" + popups))
        question.history = history
        let report = try #require(question.report(on: popup))
        return report.answer.filter { $0.hasPrefix("its conditions would be met") }
    }

    @Test("are reported only for a history that is still ahead (A93)")
    func aheadOnly() throws {
        var closed = History()
        closed.apply(.impression(popup: "a", date: Timestamp(seconds: nine.seconds - 90_000)))
        closed.apply(
            .dismissal(
                popup: "a", reason: .userClosed, date: Timestamp(seconds: nine.seconds - 86_400)))
        let reason = #"popups.a.last_reason != "USER_CLOSED""#
        let needs = "  b: { when: 'has(popups.a.last_reason) && \(reason)' }\n"
        // Nothing but the app and users end `a`, and the app only if a condition counts on it.
        #expect(try past("  a: { trigger: manual }\n" + needs, closed, of: "b") == [])
        #expect(
            try past("  a: { trigger: manual, hide_after: 30s }\n" + needs, closed, of: "b")
                == [
                    #"its conditions would be met with `popups.a.last_reason` = "TIMED_OUT""#
                ])
        // It never shows again.
        let once = "  a: { trigger: manual, hide_after: 30s, cap: { lifetime: 1 } }\n"
        #expect(try past(once + needs, closed, of: "b") == [])
        // Nothing that happened is undone.
        let unseen = "  a: { trigger: manual }\n  b: { when: popups.a.shown_count == 0 }\n"
        #expect(try past(unseen, closed, of: "b") == [])
        let named = #"  b: { when: 'popups.a.last_reason == "DISMISSED"' }"# + "\n"
        #expect(
            try past("  a: { trigger: manual }\n" + named, closed, of: "b")
                == [
                    #"its conditions would be met with `popups.a.last_reason` = "DISMISSED""#
                ])
    }

    @Test("fire the trigger of a key that changes after the start (A104)")
    func changedKey() throws {
        let rules = try rules(
            """
            context: { n: { type: int, default: 0 }, online: { type: bool, default: true } }
            popups:
              a: { trigger: { changed: n }, when: n == 2 }
              b: { scheduler: toast, trigger: { changed: online }, when: online }
            schedulers: { toast: {} }
            """)
        var question = ExplainQuery(rules, ["n": .int(2)])
        #expect(question.report(on: "a")?.explanation.reason == .notTriggered)
        question.changed = rules.keys.places.filter { question.canChange($0) }
        #expect(question.report(on: "a")?.explanation.state == .showing)
        // A key that keeps its default had another value before.
        #expect(question.report(on: "b")?.explanation.state == .showing)
    }

    @Test("read local hours in the requested time zone (A90)")
    func zoneOfDevice() throws {
        let rules = try rules(
            """
            popups:
              a: { schedule: { hours: 09:00-12:00, zone: local } }
              b: { scheduler: toast, schedule: { hours: 09:00-12:00, zone: UTC } }
            schedulers: { toast: {} }
            """)
        var question = ExplainQuery(rules)
        #expect(question.report(on: "a")?.explanation.state == .showing)
        #expect(question.report(on: "a")?.zone == "UTC")
        #expect(question.report(on: "b")?.zone == nil)
        question.zone = "America/New_York"
        #expect(question.report(on: "a")?.explanation.reason == .outsideHours)
        #expect(question.report(on: "a")?.zone == "America/New_York")
    }
}
