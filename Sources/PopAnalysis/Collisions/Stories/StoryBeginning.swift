package import PopCEL
internal import PopLogic
internal import PopScheduler

/// What a user and an app are like when a story begins.
package struct StoryBeginning: Sendable {
    /// What the app has set.
    package var context: [String: Value] = [:]
    /// By popup, how long before the beginning it was shown each time, the longest first.
    package var impressions: [String: [Duration]] = [:]
    /// By popup and action, how long before the beginning it ended by that.
    package var actions: [String: [String: Duration]] = [:]
    /// By event, how long before the beginning it was sent each time, the longest first.
    package var events: [String: [Duration]] = [:]
    /// When it begins.
    package var start: Timestamp

    /// The date at which a story begins where nothing asks for another: 2026-01-01T09:00:00Z.
    package static let usualStart = Timestamp(seconds: 1_767_258_000)

    /// A user of whom nothing is known.
    package init(start: Timestamp = Self.usualStart) { self.start = start }

    /// What the scheduler begins with.
    var history: History {
        var history = History()
        for (popup, times) in impressions {
            for time in times {
                guard let date = start.subtracting(time) else { continue }
                history.apply(.impression(popup: popup, date: date))
                history.apply(.dismissal(popup: popup, reason: .userClosed, date: date))
            }
        }
        for (popup, acts) in actions {
            for (action, time) in acts {
                guard let date = start.subtracting(time) else { continue }
                history.apply(.impression(popup: popup, date: date))
                history.apply(
                    .acted(popup: popup, action: action, date: date, isClosing: false))
                history.apply(.endedByAction(popup: popup, action: action, date: date))
                history.apply(.dismissal(popup: popup, reason: .acted, date: date))
            }
        }
        for (event, times) in events {
            for time in times {
                guard let date = start.subtracting(time) else { continue }
                history.apply(.event(name: event, date: date))
            }
        }
        return history
    }
}

extension StoryBeginning {
    /// Takes over what is so for a witness, as far as a story can begin with it; returns the
    /// payloads of events.
    mutating func take(
        _ witness: Witness, _ meanings: [SlotTable.Entry: SlotMeaning], of rules: RuleSet
    ) -> [EventIndex: [String: Value]] {
        var payloads: [EventIndex: [String: Value]] = [:]
        for fact in witness.facts {
            guard case .now? = meanings[fact.entry], case .timestamp(let date)? = fact.value else {
                continue
            }
            start = date
        }
        for fact in witness.facts {
            guard let meaning = meanings[fact.entry], let value = fact.value else { continue }
            switch (meaning, value) {
            case (.key(let place), _):
                let key = rules.keys[place]
                if key.defaultValue != value { context[key.name] = value }
            case (.payloadField(let event, let field), _):
                payloads[event, default: [:]][rules.events[event].fields[field].name] = value
            case (.shownCount(let popup), .int(let count)) where count > 0:
                let id = rules.popups[popup].id
                let known = impressions[id]?.last ?? Self.day
                impressions[id] = Self.times(min(Int(count), Self.mostTimes), last: known)
            case (.lastShown(let popup), .timestamp(let date)) where date < start:
                let id = rules.popups[popup].id
                let count = max(1, impressions[id]?.count ?? 0)
                impressions[id] = Self.times(count, last: start.duration(since: date))
            case (.eventCount(let event, _), .int(let count)) where count > 0:
                let known = events[event]?.count ?? 0
                events[event] = Self.times(
                    max(known, min(Int(count), Self.mostTimes)), last: .seconds(60),
                    apart: .seconds(60))
            default: break
            }
        }
        return payloads
    }

    /// So many times, the last one so long ago and each a day before the next.
    private static func times(
        _ count: Int, last: Duration, apart: Duration = Self.day
    ) -> [Duration] {
        (0..<count).reversed().map { last + apart * $0 }
    }

    private static let day = Duration.seconds(86_400)
    /// What happened more often before a story is not told.
    private static let mostTimes = 100

    /// A popup that another one comes after was there.
    mutating func add(_ predecessor: Predecessor, _ id: String) {
        let time = predecessor.since + Self.day
        if let action = predecessor.action {
            actions[id, default: [:]][action] = time
        } else if impressions[id] == nil {
            impressions[id] = [time]
        }
    }
}
