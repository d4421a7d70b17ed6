import PopBacktest
import PopCEL
import PopRuleFiles
import PopScheduler
import PopSource
import Testing

/// The impressions in a replay, checked against the naive model with a naive host.
struct FleetTests {
    private static let second: Int64 = 1_000_000_000
    private static let timeout: Int64 = 1_800
    private static let text = """
        poprules: 1
        schedulers: { main: { strategy: priority, gap: 1s, cap: { max: 4, per: 1d } } }
        context:
          items: { type: int, default: 0 }
          id: { type: string, default: "" }
        events: { bought: { total: double }, looked: { sku: int }, left: {} }
        limits: [{ max: 9, per: 7d }]
        templates: { sheet: { actions: [accept, { never: { refusal: true } }] } }
        popups:
          hello: { template: sheet, trigger: start, cap: { lifetime: 2 }, delay: [1s, 20s] }
          thanks:
            template: sheet
            trigger: { event: bought, where: event.total > 20.0 }
            cap: { per_session: 1, after_close: 2d }
            priority: high
          cart: { trigger: { changed: items }, when: items > 1, hide_after: 20s, cap: { every: 1h } }
          third: { trigger: { event: looked, every: 3 }, max_wait: 10s, goals: [{ name: buys, event: bought, within: 1h }] }
          offer:
            trigger: { event: left }
            when: event_count("bought", duration("72h")) == 0 && event_count("looked") > 2
            experiment: { by: id, salt: s, control: 30, variants: { a: { weight: 1 }, b: { weight: 1 } } }
          late: { trigger: { event: looked }, when: 'popups.thanks.shown_count > 0', after: [hello] }
        """

    private struct Sent {
        var time: Int64
        var name: String
        var value: Int64

        var forHost: NaiveHost.Sent {
            var sent = NaiveHost.Sent(time: time * 1_000)
            switch name {
            case "added": sent.updates = ["items": .int(value)]
            case "bought": sent.events = [("bought", ["total": .double(Double(value))])]
            case "looked": sent.events = [("looked", ["sku": .int(value)])]
            case "left": sent.events = [("left", [:])]
            default: break
            }
            return sent
        }
    }

    private static func rules() throws -> RuleSet {
        var sources = SourceSet()
        sources.add(path: "a.yaml", bytes: Array(text.utf8))
        let model = try RuleModel.check(sources).get()
        return try #require(RuleSet.compile(model).value)
    }

    /// Sessions of a shop: some looks, things put into the cart, a purchase now and then.
    private static func log(_ dice: inout Dice) -> [Sent] {
        var events: [Sent] = []
        var time = Int64(1_772_323_200 + dice.roll(500_000))
        for _ in 0..<(1 + dice.roll(7)) {
            for _ in 0..<(1 + dice.roll(14)) {
                let name = dice.pick(["looked", "looked", "added", "bought", "left", "other"])
                events.append(Sent(time: time, name: name, value: Int64(dice.roll(40))))
                time += Int64(dice.roll(90))
            }
            time += Int64(1_000 + dice.roll(120_000))
        }
        return events
    }

    @Test func `a replay shows the same as the model, user by user`() throws {
        let rules = try Self.rules()
        var mapping = LogMapping()
        mapping.context = [
            "items": .field(LogPath("value"), events: ["added"]), "id": .user,
        ]
        mapping.events["bought"] = LogMapping.SentEvent()
        mapping.events["bought"]?.fields = ["total": LogPath("value")]
        // The seed of the model.
        mapping.seed = 1
        var reply = ReplyModel()
        reply.closed = 40
        reply.acted = ["accept": 20, "never": 20]
        reply.after = .seconds(2)...(.seconds(9))
        mapping.replies["sheet"] = reply
        let ready = ReplayRules(rules, plan: LogPlan(mapping, rules: [rules]))
        var dice = Dice(2_027)
        var seen: [String: Int] = [:]
        for number in 0..<400 {
            let user = "u\(number)"
            let events = Self.log(&dice)
            var sink = ShownRows()
            var replay = UserReplay(of: user, rules: ready, budget: WorkBudget())
            replay.play(events.reversed().map { Self.event($0, ready) }, into: &sink)
            var naive = NaiveHost(user: user, key: "id", rules: rules, replies: ["sheet": reply])
            naive.play(
                events.sorted(by: Self.isBefore).map { $0.forHost }, timeout: Self.timeout)
            let lines = sink.lines(ready.popups)
            #expect(lines == naive.lines, "\(user)")
            for line in lines where line.hasPrefix("shown ") {
                seen[String(line.split(separator: " ")[1]), default: 0] += 1
            }
        }
        #expect(seen.count == rules.popups.count && seen.values.allSatisfy { $0 > 20 }, "\(seen)")
    }

    /// The order as it is documented; what nothing reads comes first.
    private static func isBefore(_ one: Sent, _ other: Sent) -> Bool {
        func rank(_ sent: Sent) -> String { sent.name == "other" ? "" : sent.name }
        return (one.time, rank(one), one.value) < (other.time, rank(other), other.value)
    }

    private static func event(_ sent: Sent, _ rules: ReplayRules) -> LogEvent {
        let reading = rules.plan.reading(of: sent.name)
        let fields = rules.plan.readings[reading].fields.map { _ in LogScalar.int(sent.value) }
        return LogEvent(
            time: sent.time * second, order: 0, reading: reading, fields: LogPlan.encode(fields))
    }

    private struct ShownRows: ReplaySink {
        var rows: [ReplayRow] = []

        mutating func add(_ row: ReplayRow) { rows.append(row) }
        mutating func wasThere(onDay day: Int, isNewDay: Bool, isNewWeek: Bool) {}

        func lines(_ popups: [String]) -> [String] {
            rows.compactMap { $0.line(popups[$0.popup]) }
        }
    }
}
