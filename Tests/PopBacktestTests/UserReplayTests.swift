import PopBacktest
import PopCEL
import PopScheduler
import PopSource
import PopTestSupport
import Testing

/// The output of replays, one after the other.
struct Rows: ReplaySink {
    var rows: [ReplayRow] = []
    var days: [Int] = []

    mutating func add(_ row: ReplayRow) { rows.append(row) }
    mutating func wasThere(onDay day: Int, isNewDay: Bool, isNewWeek: Bool) {
        if isNewDay { days.append(day) }
    }
}

struct UserReplayTests {
    static let second: Int64 = 1_000_000_000
    static let rules = """
        context: { plan: { type: string, default: free } }
        events: { bought: { total: double }, looked: {} }
        popups:
          hello: { trigger: start, cap: { lifetime: 1 } }
          thanks: { trigger: { event: bought, where: event.total > 10.0 }, cap: { per_session: 1 } }
          upgrade: { trigger: { event: looked }, when: 'plan == "free"' }
        """

    static func ready(_ mapping: LogMapping = LogMapping()) throws -> ReplayRules {
        let rules = try RuleSet.parse(rules)
        return ReplayRules(rules, plan: LogPlan(mapping, rules: [rules]))
    }

    static func event(
        _ name: String, at seconds: Int64, _ fields: [LogScalar] = [], insertion: UInt64 = 0,
        in rules: ReplayRules
    ) -> LogEvent {
        LogEvent(
            time: seconds * second, reading: rules.plan.reading(of: name), insertion: insertion,
            fields: LogPlan.encode(fields))
    }

    /// Returns the rows of impressions, endings, exposures and conversions, in words.
    static func told(_ rows: [ReplayRow], of rules: ReplayRules) -> [String] {
        rows.map { row in
            let time = "\(rules.popups[row.popup]) \(row.date.seconds)"
            return switch row.kind {
            case .shown(let impression): "\(time) shown \(impression.ordinal)"
            case .ended(let reason), .keptAway(let reason): "\(time) \(reason.rawValue)"
            case .exposed(let variant, _): "\(time) exposed \(variant)"
            case .converted(let goal, _): "\(time) converted \(goal)"
            }
        }
    }

    static func play(_ events: [LogEvent], _ rules: ReplayRules) -> [String] {
        var replay = UserReplay(of: "ada", rules: rules, budget: WorkBudget())
        var rows = Rows()
        replay.play(events, into: &rows)
        return told(rows.rows, of: rules)
    }

    @Test func `an app starts with each session, and users close a visible popup after 5 s`() throws
    {
        let rules = try Self.ready()
        let events = [
            Self.event("bought", at: 10, [.double(20)], in: rules),
            Self.event("other", at: 20, in: rules),
            Self.event("bought", at: 4_000, [.int(30)], in: rules),
            Self.event("bought", at: 4_002, [.int(1)], in: rules),
        ]
        #expect(
            Self.play(events, rules) == [
                "hello 10 shown 1", "hello 15 USER_CLOSED", "thanks 15 shown 1",
                "thanks 20 USER_CLOSED", "hello 4000 LIFETIME_CAP", "thanks 4000 shown 2",
                "thanks 4002 TRIGGER_FILTERED", "thanks 4005 USER_CLOSED",
            ])
    }

    @Test
    func `events are replayed once, in the order of their times, whatever the order of the log`()
        throws
    {
        let rules = try Self.ready()
        let events = [
            Self.event("bought", at: 30, [.int(20)], insertion: 7, in: rules),
            Self.event("looked", at: 2, in: rules),
            Self.event("looked", at: 1, in: rules),
            Self.event("bought", at: 31, [.int(20)], insertion: 7, in: rules),
        ]
        let told = Self.play(events, rules)
        #expect(told == Self.play(events.reversed(), rules))
        #expect(told.filter { $0.hasPrefix("thanks") }.count == 2)
    }

    @Test func `an event first sets context keys, and is then sent`() throws {
        var mapping = LogMapping()
        mapping.context = ["plan": .field(LogPath("plan"), events: ["signed"])]
        mapping.events["looked"] = LogMapping.SentEvent()
        mapping.events["looked"]?.names = ["signed", "Page viewed"]
        let rules = try Self.ready(mapping)
        let events = [
            Self.event("Page viewed", at: 1, in: rules),
            Self.event("signed", at: 100, [.text("pro")], in: rules),
        ]
        let told = Self.play(events, rules).filter { $0.hasPrefix("upgrade") }
        #expect(
            told == ["upgrade 6 shown 1", "upgrade 11 USER_CLOSED", "upgrade 1900 CONDITION_FALSE"])
    }

    @Test func `days that are split between sessions give the same result as one run`() throws {
        let rules = try Self.ready()
        var events: [LogEvent] = []
        for number in Int64(0)..<400 {
            let name = ["bought", "looked", "other"][Int(number % 3)]
            let time = number * 977 + (number % 7) * 400
            events.append(
                Self.event(name, at: time, name == "bought" ? [.int(number)] : [], in: rules))
        }
        var whole = Tally()
        var replay = UserReplay(of: "ada", rules: rules, budget: WorkBudget())
        replay.play(events, into: &whole)

        var parts = Tally()
        var state = UserState()
        for day in Int64(0)...10 {
            let range = (day * 86_400 * Self.second)..<((day + 1) * 86_400 * Self.second)
            var part = UserReplay(of: "ada", rules: rules, state: state, budget: WorkBudget())
            part.play(
                events.filter { range.contains($0.time) },
                until: day < 10 ? range.upperBound : .max, into: &parts)
            state = part.state
        }
        #expect(whole.days.values.reduce(0) { $0 + $1.users } == 5)
        #expect(whole == parts)
    }

    /// The number of pairs grows with the square of the number of popups that a user has seen.
    @Test func `only pairs of the first hundred popups that a user saw are counted`() throws {
        let popups = (0..<120).map {
            "  p\($0): { trigger: { event: looked }, cap: { lifetime: 1 } }"
        }
        let rules = try RuleSet.parse(
            "events: { looked: {} }\npopups:\n" + popups.joined(separator: "\n"))
        let ready = ReplayRules(rules, plan: LogPlan(LogMapping(), rules: [rules]))
        var tally = Tally()
        var replay = UserReplay(of: "ada", rules: ready, budget: WorkBudget())
        replay.play([Self.event("looked", at: 1, in: ready)], into: &tally)
        var again = UserReplay(of: "ada", rules: ready, state: replay.state, budget: WorkBudget())
        again.play([Self.event("looked", at: 90_000, in: ready)], into: &tally)
        #expect(
            tally.days.values.reduce(0) { $0 + $1.popups.values.reduce(0) { $0 + $1.shown } } == 120
        )
        #expect(tally.overlaps.values.reduce(0) { $0 + $1.count } == 100 * 99 / 2)
        #expect(tally.usersBeyondPairs == 1)
    }

    @Test func `the first event of a session sets its keys once the app has started`() throws {
        let rules = try RuleSet.parse(
            """
            context:
              plan: { type: string, default: free }
              country: { type: string, default: "" }
            popups:
              upgraded: { trigger: { changed: plan }, hide_after: 1s }
              moved: { trigger: { changed: country }, hide_after: 1s }
              abroad: { trigger: start, when: 'country != "DE"', untriggered: discard }
            """)
        var mapping = LogMapping()
        mapping.context = [
            "plan": .field(LogPath("plan"), events: nil), "country": .column(LogPath("country")),
        ]
        let ready = ReplayRules(rules, plan: LogPlan(mapping, rules: [rules]))
        func event(_ plan: LogScalar, _ country: String, at seconds: Int64) -> LogEvent {
            // In the order of the places' names.
            LogEvent(
                time: seconds * Self.second, reading: 0,
                fields: LogPlan.encode([.text(country), plan]))
        }
        let places = ready.plan.readings[0].fields.map { $0.description }
        #expect(places == ["country", "payload.plan"])
        let told = Self.play(
            [
                event(.text("pro"), "DE", at: 0), event(.text("pro"), "AT", at: 10_000),
                event(.text("free"), "AT", at: 20_000), event(.missing, "AT", at: 30_000),
            ], ready)
        #expect(
            told.filter { $0.hasSuffix("shown 1") || $0.hasSuffix("shown 2") } == [
                "upgraded 0 shown 1", "moved 10000 shown 1", "abroad 20000 shown 1",
                "upgraded 20005 shown 2", "abroad 30000 shown 2",
            ])
    }

    @Test func `the session timeout is taken from the mapping, or else from the rules`() throws {
        func sessions(_ text: String, _ timeout: Duration? = nil) throws -> Int {
            let rules = try RuleSet.parse(text + "popups: { hello: { trigger: session } }")
            var mapping = LogMapping()
            mapping.sessionTimeout = timeout
            let ready = ReplayRules(rules, plan: LogPlan(mapping, rules: [rules]))
            var tally = Tally()
            var replay = UserReplay(of: "ada", rules: ready, budget: WorkBudget())
            let events = [0, 900, 3_000].map { LogEvent(time: $0 * Self.second, reading: 0) }
            replay.play(events, into: &tally)
            return tally.total(of: 0).shown
        }
        let short = "session: { timeout: 10m }\n"
        #expect(try sessions(short) == 3)
        #expect(try sessions(short, .seconds(1_200)) == 2)
        #expect(try sessions(short, .seconds(7_200)) == 1)
        #expect(try sessions("") == 2)
    }

    /// Each session counts all impressions again for the caps that popups share. For a log of one
    /// user with many sessions, the time would grow with the square of their number.
    @Test func `impressions counted again for caps in each session are charged to the budget`()
        throws
    {
        let rules = try RuleSet.parse(
            """
            limits: [{ max: 100000, per: 36500d }]
            events: { go: {} }
            popups: { a: { trigger: { event: go } }, b: { trigger: { event: go } } }
            """)
        let ready = ReplayRules(rules, plan: LogPlan(LogMapping(), rules: [rules]))
        let sessions = 2_000
        let events = (0..<sessions).map { Self.event("go", at: Int64($0) * 7_200, in: ready) }
        var whole = UserReplay(
            of: "ada", rules: ready,
            budget: FleetLimits.standard.budget(events: sessions, popups: [2]))
        var rows = Rows()
        whole.play(events, into: &rows)
        #expect(whole.undecided == nil)
        #expect(rows.rows.count { $0.kind.isShown } == 2 * sessions)
        #expect(whole.judged > sessions * sessions / 64)
        var cut = UserReplay(
            of: "ada", rules: ready, budget: WorkBudget([.judgedPopups: 50_000]))
        cut.play(events, into: &rows)
        #expect(cut.undecided != nil)
    }

    /// A condition on the seconds is evaluated once a second, in a session of half an hour.
    @Test func `each stop of the clock is charged to the budget`() throws {
        let rules = try RuleSet.parse(
            """
            context: { k: { type: int, default: 61 } }
            events: { go: {} }
            popups: { p: { trigger: { event: go }, when: now.getSeconds() == k } }
            """)
        let ready = ReplayRules(rules, plan: LogPlan(LogMapping(), rules: [rules]))
        let events = [Self.event("go", at: 7_200, in: ready)]
        var rows = Rows()
        var whole = UserReplay(
            of: "ada", rules: ready, budget: FleetLimits.standard.budget(events: 1, popups: [1]))
        whole.play(events, into: &rows)
        #expect(whole.undecided == nil)
        let stops = 1_800
        #expect(whole.judged >= stops * 27, "a stop, its input and an evaluation")
        var cut = UserReplay(
            of: "ada", rules: ready, budget: WorkBudget([.judgedPopups: stops * 26]))
        cut.play(events, into: &rows)
        #expect(cut.undecided != nil)
    }

    @Test func `copies are counted separately, and the times of events are known`() throws {
        let rules = try Self.ready()
        let events = [86_000, 86_300, 86_300].map { seconds in
            Self.event("looked", at: seconds, insertion: seconds == 86_300 ? 7 : 0, in: rules)
        }
        var tally = Tally()
        var replay = UserReplay(of: "ada", rules: rules, budget: WorkBudget())
        replay.play(events, into: &tally)
        tally.add(replay, events: events.count)
        #expect((tally.users, tally.events, tally.copies) == (1, 2, 1))
        #expect(tally.times == 86_000 * Self.second...86_300 * Self.second)
        #expect(Tally(tally.json(popups: rules.popups), popups: rules.popups) == tally)
    }

    @Test func `random times are different in each session of a user`() throws {
        let rules = try RuleSet.parse("popups: { late: { trigger: start, delay: [1s, 40m] } }")
        let ready = ReplayRules(rules, plan: LogPlan(LogMapping(), rules: [rules]))
        let events = (0..<200).map { LogEvent(time: $0 * 86_400 * Self.second, reading: 0) }
        var tally = Tally()
        var replay = UserReplay(of: "ada", rules: ready, budget: WorkBudget())
        replay.play(events, into: &tally)
        // A session of one event lasts 30 of the 40 minutes.
        #expect((130...170).contains(tally.total(of: 0).shown))

        var parts = Tally()
        var state = UserState()
        for event in events {
            var part = UserReplay(of: "ada", rules: ready, state: state, budget: WorkBudget())
            part.play([event], into: &parts)
            state = part.state
        }
        #expect(parts.days == tally.days)
    }

    @Test func `durations are counted with a precision of an eighth, or of a second`() {
        let lengths: [Int64] = [0, 1, 2, 3, 5, 7, 8, 60, 120, 127, 128, 1_000, 86_400, 10_000_000]
        for seconds in lengths {
            var counts = DurationCounts()
            counts.add(.seconds(seconds))
            let bound = counts.quantile(0.5)?.components.seconds ?? 0
            let longest = seconds < 8 ? seconds : seconds + seconds / 8 + 1
            #expect(bound >= seconds && bound <= longest, "\(seconds)")
        }
    }

    @Test func `sessions whose events no rule reads are skipped and counted`() throws {
        let text = """
            context: { id: { type: string, default: "" } }
            events: { bought: {} }
            popups: { thanks: { trigger: { event: bought }, when: session.count > 2 && id == "ada" } }
            """
        let started = text.replacing(
            "popups: {", with: "popups: { none: { trigger: start, enabled: false },")
        var mapping = LogMapping()
        mapping.context["id"] = .user
        var played: [(UserState, Tally)] = []
        for text in [text, started] {
            let rules = try RuleSet.parse(text)
            let ready = ReplayRules(rules, plan: LogPlan(mapping, rules: [rules]))
            let events = [10, 20, 90_000, 170_000, 200_000].map { time in
                Self.event(time == 200_000 ? "bought" : "other", at: time, in: ready)
            }
            var replay = UserReplay(of: "ada", rules: ready, budget: WorkBudget())
            var tally = Tally()
            replay.play(events, into: &tally)
            played.append((replay.state, tally))
        }
        #expect(played[0].0.history.sessions == played[1].0.history.sessions)
        #expect(played[0].1.days.mapValues { $0.users } == played[1].1.days.mapValues { $0.users })
        #expect(played[0].1.userWeeks == played[1].1.userWeeks)
        #expect([played[0].1.total(of: 0).shown, played[1].1.total(of: 1).shown] == [1, 1])
    }

    @Test func `users who would take an action that a popup lacks close the popup`() throws {
        var mapping = LogMapping()
        mapping.otherReplies.closed = 0
        mapping.otherReplies.acted = ["accept": 60, "refuse": 40]
        let rules = try RuleSet.parse(
            """
            events: { looked: {} }
            templates: { t: { actions: [refuse] } }
            popups:
              plain: { trigger: { event: looked } }
              asking: { template: t, trigger: { event: looked } }
            """)
        let ready = ReplayRules(rules, plan: LogPlan(mapping, rules: [rules]))
        var tally = Tally()
        for user in 0..<200 {
            var replay = UserReplay(of: "\(user)", rules: ready, budget: WorkBudget())
            replay.play([Self.event("looked", at: 1, in: ready)], into: &tally)
        }
        let (plain, asking) = (tally.total(of: 0).ended, tally.total(of: 1).ended)
        #expect(plain.count { $0 == .userClosed } == 200)
        #expect(asking.count { $0 == .acted } > 50 && asking.count { $0 == .userClosed } > 90)
        #expect(asking.count { $0 == .acted || $0 == .userClosed } == 200)
    }

    @Test func `among events of the same time the events that start the app come first`() throws {
        var mapping = LogMapping()
        mapping.starts = ["session_start"]
        let ready = try Self.ready(mapping)
        for names in [["bought", "other", "session_start"], ["session_start", "other", "bought"]] {
            let events = names.map {
                Self.event($0, at: 10, $0 == "bought" ? [.double(20)] : [], in: ready)
            }
            var replay = UserReplay(of: "ada", rules: ready, budget: WorkBudget())
            var rows = Rows()
            replay.play(events, into: &rows)
            #expect(replay.state.history.sessions.count == 1)
            #expect(Self.told(rows.rows, of: ready).first == "hello 10 shown 1")
        }
    }

    @Test func `the shares of replies are the shares of the mapping`() throws {
        var model = ReplyModel()
        model.closed = 50
        model.acted = ["accept": 20]
        var mapping = LogMapping()
        mapping.replies["upgrade"] = model
        let rules = try RuleSet.parse(
            """
            events: { looked: {} }
            templates: { t: { actions: [accept] } }
            popups: { upgrade: { template: t, trigger: { event: looked }, hide_after: 1m } }
            """)
        let ready = ReplayRules(rules, plan: LogPlan(mapping, rules: [rules]))
        var tally = Tally()
        for user in 0..<1_000 {
            var replay = UserReplay(of: "\(user)", rules: ready, budget: WorkBudget())
            replay.play([Self.event("looked", at: 1, in: ready)], into: &tally)
        }
        let ended = tally.total(of: 0).ended
        let counts = [ReasonCode.userClosed, .acted, .timedOut].map { reason in
            ended.count { $0 == reason }
        }
        #expect(counts.reduce(0, +) == 1_000)
        #expect(abs(counts[0] - 500) < 50 && abs(counts[1] - 200) < 40)
    }
}

extension ReplayRow.Kind {
    fileprivate var isShown: Bool {
        if case .shown = self { true } else { false }
    }
}
