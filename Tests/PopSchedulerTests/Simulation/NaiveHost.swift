import PopBacktest
import PopCEL
import PopScheduler
import Testing

/// A host and a random user, in front of the model. Every session is played from its beginning, and
/// the scheduler runs next to the model for the requests to the presenter.
struct NaiveHost {
    /// The effect of an event.
    struct Sent {
        /// Milliseconds since 1970.
        var time: Int64
        var updates: [String: Value] = [:]
        /// The events of the rules that it is.
        var events: [(name: String, payload: [String: Value])] = []
    }

    private struct UserResponse {
        var due: Duration
        var popup: String
        var event: Event
    }

    let user: String
    let rules: RuleSet
    /// By template.
    let replies: [String: ReplyModel]
    private(set) var lines: [String] = []
    private var history = History()
    private var context: [String: Value]
    private var counts: [String: Int] = [:]

    private var scheduler: Scheduler
    private var model: Model
    private var start = Moment(instant: .zero, date: Timestamp(seconds: 0))
    private var now: Moment
    private var pending: [UserResponse] = []

    /// `key` is the context key that holds the user's id.
    init(user: String, key: String, rules: RuleSet, replies: [String: ReplyModel]) {
        (self.user, self.rules, self.replies) = (user, rules, replies)
        context = [key: .string(user)]
        now = start
        scheduler = Scheduler(rules: rules, seed: 1, user: user, at: now)
        model = Model(rules, user: user, at: now)
    }

    /// `timeout` is in seconds.
    mutating func play(_ events: [Sent], timeout: Int64) {
        let timeout = timeout * 1_000
        var last: Int64?
        for event in events {
            if let before = last, event.time - before >= timeout { end(at: before + timeout) }
            let isNew = last.map { event.time - $0 >= timeout } ?? true
            if isNew {
                begin(at: event.time)
            } else {
                advance(to: event.time)
            }
            context.merge(event.updates) { $1 }
            if !event.updates.isEmpty { handle(.update(event.updates)) }
            for sent in event.events { handle(.send(sent.name, payload: sent.payload)) }
            last = event.time
        }
        if let last { end(at: last + timeout) }
    }

    private mutating func begin(at time: Int64) {
        start = Moment(instant: .zero, date: Self.date(time))
        now = start
        pending = []
        // The seed of a session, as it is documented.
        var hash = StableHash()
        hash.add(number: 1)
        hash.add(number: UInt64(time * 1_000_000))
        scheduler = Scheduler(
            rules: rules, seed: hash.value, user: user, history: history, at: now)
        model = Model(rules, user: user, at: now)
        model.seed = hash.value
        model.history = history
        handle(.update(context))
        handle(.started)
    }

    private static func date(_ milliseconds: Int64) -> Timestamp {
        Timestamp(
            seconds: milliseconds / 1_000, nanoseconds: Int32(milliseconds % 1_000 * 1_000_000))
    }

    private mutating func end(at time: Int64) {
        advance(to: time)
        handle(.background)
        #expect(scheduler.history == model.history)
        history = model.history
    }

    private mutating func advance(to time: Int64) {
        let end = Self.date(time).duration(since: start.date)
        while true {
            let due = pending.min { $0.due < $1.due }
            let wake = scheduler.nextWake
            if let wake, wake <= end, wake <= due?.due ?? end {
                now = start.advanced(by: max(wake, now.instant))
                handle(.timePassed)
            } else if let due, due.due <= end {
                now = start.advanced(by: due.due)
                pending.removeAll { $0.popup == due.popup }
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
            pending.removeAll { $0.popup == words[1] }
        }
        guard words[0] == "shown" else { return }
        counts[words[1], default: 0] += 1
        draw(words[1])
    }

    /// Chooses the reply of the user to a popup, by the documented random choices.
    private mutating func draw(_ popup: String) {
        func share(_ purpose: UInt8) -> Double {
            var hash = StableHash()
            hash.add(byte: purpose)
            hash.add(number: 1)
            hash.add(Array("\(user)\0\(popup)\0".utf8))
            hash.add(number: UInt64(counts[popup] ?? 0))
            return Double(hash.value >> 11) / Double(UInt64(1) << 53)
        }
        let template = rules.popups.first { $0.id == popup }?.template
        let model = template.flatMap { replies[$0] } ?? replies["others"] ?? ReplyModel()
        let span = model.after.upperBound - model.after.lowerBound
        let part = Double(span.components.seconds * 1_000 + 1) * share(1)
        let late = span == .zero ? Duration.zero : .milliseconds(Int64(part))
        let place = share(0) * 100
        let due = now.instant + model.after.lowerBound + late
        let accepted = model.closed + (model.acted["accept"] ?? 0)
        if place < model.closed {
            pending.append(UserResponse(due: due, popup: popup, event: .userClosed(popup)))
        } else if place < accepted {
            pending.append(
                UserResponse(due: due, popup: popup, event: .acted(popup, action: "accept")))
        } else if place < accepted + (model.acted["never"] ?? 0) {
            pending.append(
                UserResponse(due: due, popup: popup, event: .acted(popup, action: "never")))
        }
    }
}

extension ReplayRow {
    /// Returns the row in the model's words, with its date; nil for a row about a suppressed popup.
    func line(_ popup: String) -> String? {
        let words: String? =
            switch kind {
            case .shown: "shown \(popup)"
            case .ended(let reason): "dismissed \(popup) \(reason.rawValue)"
            case .exposed(let arm, let isFirst):
                "exposed \(popup) \(arm)\(isFirst ? " first" : "")"
            case .converted(let goal, let arm): "converted \(popup) \(goal) \(arm ?? "-")"
            case .keptAway: nil
            }
        return words.map { "\($0) at \(date)" }
    }
}
