import PopCEL
import PopRuleFiles
import PopScheduler
import PopSource
import Testing

struct RuleSetTests {
    @Test func `an empty set has the main scheduler`() throws {
        let rules = try checked("").get()
        #expect(rules.schedulers == [SchedulerRule(name: "main")])
        #expect(rules.popups.isEmpty)
    }

    @Test func `schedulers have the order of their declarations`() throws {
        let rules = try checked(
            """
            schedulers: { toast: { strategy: fifo }, main: { strategy: lifo } }
            popups: { a: {}, b: { scheduler: toast }, c: { priority: high, hide_after: 1s } }
            """
        ).get()
        #expect(rules.schedulers.map(\.name) == ["toast", "main"])
        #expect(rules.schedulers.map(\.strategy) == [.fifo, .lifo])
        #expect(rules.popups.map(\.scheduler) == [1, 0, 1])
    }

    @Test func `an undeclared main scheduler is the first scheduler`() throws {
        let rules = try checked("schedulers: { toast: { strategy: fifo } }").get()
        #expect(rules.schedulers.map(\.name) == ["main", "toast"])
    }

    @Test func `every key of a popup is compiled`() throws {
        let rules = try checked(
            """
            schedulers: { toast: { gap: [1s, 3s], max_waiting: 20, cap: { max: 5, per: 1h } } }
            context: { user.id: { type: string, default: "" } }
            groups: { onboarding: { when: true, cap: { max: 2, per: calendar_week } } }
            templates: { sheet: { required: { title: string }, optional: { size: double } } }
            popups:
              first: {}
              all:
                description: d
                owner: o
                tags: [x, y]
                enabled: false
                scheduler: toast
                group: onboarding
                priority: high
                trigger: [manual, { changed: user.id }]
                when: user.id != ""
                untriggered: discard
                switch: latent
                after: [first]
                delay: 1s
                grace: 300ms
                min_show: 2s
                hide_after: 30s
                dismiss_when: user.id == ""
                max_wait: 10m
                cap: { lifetime: 3, per_session: 1, every: 1d, windows: [{ max: 2, per: 7d }] }
                rollout: { percent: 12.5, by: user.id, salt: s }
                template: sheet
                content: { title: t, size: 3 }
            """
        ).get()
        let popup = rules.popups[1]
        #expect(
            popup.texts.description == "d" && popup.texts.owner == "o"
                && popup.texts.tags == ["x", "y"])
        #expect(!popup.isEnabled && popup.scheduler == 1 && popup.group == 0)
        #expect(
            popup.priority == 1000 && popup.triggers.count == 2 && popup.after == [Predecessor(0)])
        #expect(popup.when != nil && popup.dismissWhen != nil)
        #expect(popup.untriggered == .discard && popup.switch == .latent)
        #expect(popup.timing.delay == .seconds(1) ... .seconds(1))
        #expect(popup.timing.grace == .milliseconds(300))
        #expect(popup.timing.minShow == .seconds(2) && popup.timing.hideAfter == .seconds(30))
        #expect(popup.timing.maxWait == .seconds(600))
        let week = WindowCap(max: 2, per: .rolling(.seconds(7 * 86_400)))
        #expect(
            popup.caps
                == Caps(lifetime: 3, perSession: 1, every: .seconds(86_400), windows: [week]))
        #expect(popup.audience.rollout == Rollout(share: .range(0..<12.5), key: 0, salt: "s"))
        #expect(popup.template == "sheet")
        #expect(
            popup.content == .map([.string("title"): .string("t"), .string("size"): .double(3)]))
        #expect(rules.schedulers[1].gap == .seconds(1) ... .seconds(3))
        #expect(rules.groups[0].caps == [WindowCap(max: 2, per: .calendar(.week))])
    }

    @Test func `the steps of a rollout start at midnight of its zone, the earliest first`() throws {
        let rules = try checked(
            """
            context: { user.id: string }
            popups:
              a:
                rollout:
                  by: user.id
                  zone: Europe/Berlin
                  steps: { 2027-07-10: 25, 2027-01-10: 5, 2027-08-01T12:00:00Z: 100 }
            """
        ).get()
        guard case .steps(let steps)? = rules.popups[0].audience.rollout?.share else {
            Issue.record("no steps")
            return
        }
        #expect(
            steps.map { "\($0.begins) \($0.percent)" } == [
                "2027-01-09T23:00:00Z 5.0", "2027-07-09T22:00:00Z 25.0",
                "2027-08-01T12:00:00Z 100.0",
            ])
    }

    @Test func `the default salt of a rollout is the id of the popup`() throws {
        let rules = try checked(
            """
            context: { user.id: string }
            popups: { a: { rollout: { percent: 5, by: user.id } } }
            """
        ).get()
        #expect(rules.popups[0].audience.rollout?.salt == "a")
    }

    @Test func `an experiment assigns by its own key or that of a named one, within its layer`()
        throws
    {
        let rules = try checked(
            """
            context: { id: string, user.id: string }
            layers: { offers: { by: user.id } }
            experiments:
              tone: { layer: offers, range: [0, 50], control: 10, variants: { short: 2, long: 1 } }
            popups:
              a: { content: { t: 1, u: 2 }, experiment: { of: tone, variants: { short: { content: { t: 3 } } } } }
              b: { experiment: { by: id, share: 5, variants: { as_is: {} } } }
            """
        ).get()
        let tone = Assignment(
            key: 1, salt: "tone",
            layer: Assignment.LayerPart(of: "offers", salt: "offers", range: 0..<50), control: 10,
            arms: [Assignment.Arm("short", weight: 2), Assignment.Arm("long")])
        let short = Experiment.Variant("short", content: .map(["t": .int(3), "u": .int(2)]))
        #expect(
            rules.popups.map(\.audience.experiment) == [
                Experiment(tone, variants: [short], name: "tone"),
                Experiment(
                    Assignment(key: 0, salt: "b", share: 5, arms: [Assignment.Arm("as_is")]),
                    variants: [Experiment.Variant("as_is")]),
            ])
    }

    @Test func `a date means midnight of its zone`() throws {
        func bounds(_ schedule: String) throws -> [String] {
            let rules = try checked("popups: { a: { schedule: { \(schedule) } } }").get()
            let schedule = rules.popups[0].timing.schedule.first
            return [schedule?.from, schedule?.until].compactMap { bound in
                bound.map { "\(LocalCalendar.utc.start($0))" }
            }
        }
        #expect(
            try bounds("from: 2026-11-01, until: 2026-12-01T00:00:00+01:00")
                == ["2026-11-01T00:00:00Z", "2026-11-30T23:00:00Z"])
        #expect(
            try bounds("from: 2026-03-29, until: 2026-03-30, zone: Europe/Berlin")
                == ["2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"])
        #expect(
            try bounds("from: 2026-11-01, zone: Pacific/Kiritimati") == ["2026-10-31T10:00:00Z"])
        #expect(try bounds("from: 2026-11-01, zone: Pacific/Pago_Pago") == ["2026-11-01T11:00:00Z"])
        #expect(try bounds("from: 2026-11-01, zone: '-11:30'") == ["2026-11-01T11:30:00Z"])
    }

    @Test func `a time without an offset is a local time of its zone`() throws {
        func bounds(_ schedule: String) throws -> [Schedule.Bound?] {
            let text = """
                context: { user.zone: { type: string, default: "" } }
                popups: { a: { schedule: { \(schedule) } } }
                """
            let entry = try checked(text).get().popups[0].timing.schedule.first
            return [entry?.from, entry?.until]
        }
        let summer = try #require(Timestamp(parsing: "2027-07-14T16:00:00Z"))
        // The second of two: clocks are put back at 3.
        let autumn = try #require(Timestamp(parsing: "2027-10-31T01:30:00Z"))
        #expect(
            try bounds("from: 2027-07-14T18:00, until: 2027-10-31T02:30:00, zone: Europe/Berlin")
                == [.moment(summer), .moment(autumn)])
        #expect(
            try bounds("from: 1970-01-02T00:01, until: 1970-01-03, zone: local")
                == [.reading(86_460), .day(2)])
        #expect(try bounds("from: 1970-01-02, zone: user.zone") == [.day(1), nil])
        #expect(try bounds("from: 1970-01-02T00:01, zone: user.zone") == [.reading(86_460), nil])
    }

    @Test func `a schedule is a map or a list, each with a zone and a condition`() throws {
        let rules = try checked(
            """
            context: { user.zone: string, user.region: { type: string, default: eu } }
            popups:
              a:
                schedule:
                  - { days: [sat], zone: user.zone, when: user.region == "eu" }
                  - { hours: 08:00-22:00, zone: local }
            """
        ).get()
        let schedule = rules.popups[0].timing.schedule
        #expect(schedule.map(\.zone) == [.key(0), .local])
        #expect(schedule.map { $0.when != nil } == [true, false])
    }

    @Test func `days wrap around the week`() throws {
        let rules = try checked(
            "popups: { a: { schedule: { days: [sat-mon, wed], hours: 22:00-06:00, zone: UTC } } }"
        ).get()
        let schedule = rules.popups[0].timing.schedule.first
        #expect(schedule?.days == [.saturday, .sunday, .monday, .wednesday])
        #expect(schedule?.hours == Schedule.Hours(from: 22 * 60, until: 6 * 60))
    }

    @Test func `events, counts and payload fields get slots`() throws {
        let rules = try checked(
            """
            events: { bought: { total: double }, opened: }
            popups:
              a:
                trigger: { event: bought, where: event.total > 5.0, every: 3 }
                when: >-
                  event_count("opened") > 2 && event_count("opened", duration("1h")) > 1
                  && has(popups.a.last_shown) && now > session.started
            """
        ).get()
        let expected: Set<SlotMeaning> = [
            .payloadField(event: 0, field: 0), .eventCount(event: "opened", within: nil),
            .eventCount(event: "opened", within: .seconds(3600)), .lastShown(popup: 0), .now,
            .session(.started),
        ]
        #expect(Set(rules.slots) == expected)
        guard case .event(let trigger) = rules.popups[0].triggers[0] else {
            Issue.record("no event")
            return
        }
        #expect(trigger.event == 0 && trigger.occurrence == .every(3) && trigger.where != nil)
    }
}
