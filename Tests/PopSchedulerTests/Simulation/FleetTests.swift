import PopCEL
import PopFleet
import PopRuleFiles
import PopScheduler
import PopSource
import Testing

/// What a replay says users saw, held against the naive model in front of a naive host.
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

    private static func rules() throws -> RuleSet {
        var sources = SourceSet()
        sources.add(path: "a.yaml", bytes: Array(text.utf8))
        let model = try RuleModel.check(sources).get()
        return try #require(RuleSet.compile(model).value)
    }

    /// Sessions of a shop: some looks, things put into the cart, a purchase now and then.
    private static func log(_ dice: inout Dice) -> [NaiveHost.Sent] {
        var events: [NaiveHost.Sent] = []
        var time = Int64(1_772_323_200 + dice.roll(500_000))
        for _ in 0..<(1 + dice.roll(7)) {
            for _ in 0..<(1 + dice.roll(14)) {
                let name = dice.pick(["looked", "looked", "added", "bought", "left", "other"])
                events.append(NaiveHost.Sent(time: time, name: name, value: Int64(dice.roll(40))))
                time += Int64(dice.roll(90))
            }
            time += Int64(1_000 + dice.roll(120_000))
        }
        return events
    }

    @Test func `a replay shows what the model shows, user by user`() throws {
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
            var replay = UserReplay(of: user, rules: ready)
            replay.play(events.reversed().map { Self.event($0, ready) }, into: &sink)
            var naive = NaiveHost(user: user, rules: rules, reply: reply)
            naive.play(events.sorted(by: Self.isBefore), timeout: Self.timeout)
            let lines = sink.lines(ready.popups)
            #expect(lines == naive.lines, "\(user)")
            for line in lines where line.hasPrefix("shown ") {
                seen[String(line.split(separator: " ")[1]), default: 0] += 1
            }
        }
        #expect(seen.count == rules.popups.count && seen.values.allSatisfy { $0 > 20 }, "\(seen)")
    }

    /// The order as it is documented; what nothing reads comes first.
    private static func isBefore(_ one: NaiveHost.Sent, _ other: NaiveHost.Sent) -> Bool {
        func rank(_ sent: NaiveHost.Sent) -> String { sent.name == "other" ? "" : sent.name }
        return (one.time, rank(one), one.value) < (other.time, rank(other), other.value)
    }

    private static func event(_ sent: NaiveHost.Sent, _ rules: ReplayRules) -> LogEvent {
        let reading = rules.plan.reading(of: sent.name)
        let fields = rules.plan.readings[reading].fields.map { _ in LogScalar.int(sent.value) }
        return LogEvent(
            time: sent.time * second, order: 0, reading: reading, fields: LogPlan.encode(fields))
    }

    private struct ShownRows: ReplaySink {
        var rows: [ReplayRow] = []

        mutating func add(_ row: ReplayRow) { rows.append(row) }
        mutating func wasThere(onDay day: Int, isNewDay: Bool, isNewWeek: Bool) {}

        /// As the model says them, each with its date.
        func lines(_ popups: [String]) -> [String] {
            rows.compactMap { row in
                let popup = popups[row.popup]
                let words: String? =
                    switch row.kind {
                    case .shown: "shown \(popup)"
                    case .ended(let reason): "dismissed \(popup) \(reason.rawValue)"
                    case .exposed(let arm, let isFirst):
                        "exposed \(popup) \(arm)\(isFirst ? " first" : "")"
                    case .converted(let goal, let arm): "converted \(popup) \(goal) \(arm ?? "-")"
                    case .keptAway: nil
                    }
                return words.map { "\($0) at \(row.date)" }
            }
        }
    }
}

/// A host and a person without a plan, in front of the model: every session from its beginning,
/// with the scheduler beside it for what the presenter is asked.
private struct NaiveHost {
    struct Sent {
        var time: Int64
        var name: String
        var value: Int64
    }

    private struct Reply {
        var due: Duration
        var popup: String
        var event: Event
    }

    let user: String
    let rules: RuleSet
    let reply: ReplyModel
    private(set) var lines: [String] = []
    private var history = History()
    private var context: [String: Value]
    private var counts: [String: Int] = [:]

    private var scheduler: Scheduler
    private var model: Model
    private var start = Moment(instant: .zero, date: Timestamp(seconds: 0))
    private var now: Moment
    private var replies: [Reply] = []

    init(user: String, rules: RuleSet, reply: ReplyModel) {
        (self.user, self.rules, self.reply) = (user, rules, reply)
        context = ["id": .string(user)]
        now = start
        scheduler = Scheduler(rules: rules, seed: 1, user: user, at: now)
        model = Model(rules, user: user, at: now)
    }

    mutating func play(_ events: [Sent], timeout: Int64) {
        var last: Int64?
        for event in events {
            if let before = last, event.time - before >= timeout { end(at: before + timeout) }
            let isNew = last.map { event.time - $0 >= timeout } ?? true
            if event.name == "added" { context["items"] = .int(event.value) }
            if isNew {
                begin(at: event.time)
            } else {
                advance(to: event.time)
            }
            play(event)
            last = event.time
        }
        if let last { end(at: last + timeout) }
    }

    private mutating func begin(at time: Int64) {
        start = Moment(instant: .zero, date: Timestamp(seconds: time))
        now = start
        replies = []
        scheduler = Scheduler(rules: rules, seed: 1, user: user, history: history, at: now)
        model = Model(rules, user: user, at: now)
        model.history = history
        handle(.update(context))
        handle(.started)
    }

    private mutating func play(_ event: Sent) {
        switch event.name {
        case "added": handle(.update(["items": .int(event.value)]))
        case "bought": handle(.send("bought", payload: ["total": .double(Double(event.value))]))
        case "looked": handle(.send("looked", payload: ["sku": .int(event.value)]))
        case "left": handle(.send("left"))
        default: break
        }
    }

    private mutating func end(at time: Int64) {
        advance(to: time)
        handle(.background)
        #expect(scheduler.history == model.history)
        history = model.history
    }

    private mutating func advance(to time: Int64) {
        let end = Duration.seconds(time - start.date.seconds)
        while true {
            let due = replies.min { $0.due < $1.due }
            let wake = scheduler.nextWake
            if let wake, wake <= end, wake <= due?.due ?? end {
                now = start.advanced(by: max(wake, now.instant))
                handle(.timePassed)
            } else if let due, due.due <= end {
                now = start.advanced(by: due.due)
                replies.removeAll { $0.popup == due.popup }
                handle(due.event)
            } else {
                break
            }
        }
        now = start.advanced(by: end)
    }

    private mutating func handle(_ event: Event) {
        var inbox = [event]
        var next = 0
        while next < inbox.count {
            let effects = scheduler.handle(inbox[next], at: now)
            let said = model.handle(inbox[next], at: now)
            next += 1
            for line in said { note(line) }
            for effect in effects {
                switch effect {
                case .askWillShow(let presentation): inbox.append(.answered(presentation.id, .show))
                case .present(let presentation): inbox.append(.didPresent(presentation.id))
                case .dismiss(let id): inbox.append(.didDismiss(id))
                case .record, .emit: break
                }
            }
        }
    }

    private mutating func note(_ line: String) {
        let words = line.split(separator: " ").map { String($0) }
        if ["shown", "dismissed", "exposed", "converted"].contains(words[0]) {
            lines.append("\(line) at \(now.date)")
        }
        if ["willDismiss", "dismissed"].contains(words[0]) {
            replies.removeAll { $0.popup == words[1] }
        }
        guard words[0] == "shown" else { return }
        counts[words[1], default: 0] += 1
        draw(words[1])
    }

    /// What the person does, drawn as is documented.
    private mutating func draw(_ popup: String) {
        func share(_ purpose: UInt8) -> Double {
            var hash = StableHash()
            hash.add(byte: purpose)
            hash.add(number: 1)
            hash.add(Array("\(user)\0\(popup)\0".utf8))
            hash.add(number: UInt64(counts[popup] ?? 0))
            return Double(hash.value >> 11) / Double(UInt64(1) << 53)
        }
        let isSheet = rules.popups.first { $0.id == popup }?.template == "sheet"
        let model = isSheet ? reply : ReplyModel()
        let span = model.after.upperBound - model.after.lowerBound
        let part = Double(span.components.seconds * 1_000 + 1) * share(1)
        let late = span == .zero ? Duration.zero : .milliseconds(Int64(part))
        let place = share(0) * 100
        let due = now.instant + model.after.lowerBound + late
        let accepted = model.closed + (model.acted["accept"] ?? 0)
        if place < model.closed {
            replies.append(Reply(due: due, popup: popup, event: .userClosed(popup)))
        } else if place < accepted {
            replies.append(Reply(due: due, popup: popup, event: .acted(popup, action: "accept")))
        } else if place < accepted + (model.acted["never"] ?? 0) {
            replies.append(Reply(due: due, popup: popup, event: .acted(popup, action: "never")))
        }
    }
}
