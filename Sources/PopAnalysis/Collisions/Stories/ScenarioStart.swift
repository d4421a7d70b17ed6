package import PopCEL
internal import PopExplanations
package import PopLogic
internal import PopScenario
package import PopScheduler

/// The state of a user and an app at the beginning of a scenario.
package struct ScenarioStart: Sendable {
    /// The context keys that the app has set.
    package var context: [String: Value] = [:]
    /// By popup, the time between each impression and the beginning, the longest first.
    package var impressions: [String: [Duration]] = [:]
    /// By popup and action, the time between the end by that action and the beginning.
    package var actions: [String: [String: Duration]] = [:]
    /// By popup, the arm of its experiment that the user always saw.
    package var variants: [String: String] = [:]
    /// By popup, the reason for its last end if that wasn't a close by the user.
    package var reasons: [String: ReasonCode] = [:]
    /// By event, the time between each send and the beginning, the longest first.
    package var events: [String: [Duration]] = [:]
    /// By event and field, the values that the last of these events carried.
    package var amounts: [String: [String: Value]] = [:]
    /// The date of the beginning.
    package var start: Timestamp

    /// The date at which a scenario begins if nothing requires another one: 2026-01-01T09:00:00Z.
    package static let usualStart = Timestamp(seconds: 1_767_258_000)

    /// Creates the state of a user without a history.
    package init(start: Timestamp = Self.usualStart) { self.start = start }

    /// The history with which the scheduler begins.
    package var history: History {
        var history = History()
        for popup in popupsSeen {
            for date in timesSeen(popup).compactMap(start.subtracting) {
                let variant = variants[popup]
                if let variant {
                    let place = variant == Assignment.control ? nil : date
                    history.apply(
                        .exposure(popup: popup, variant: variant, date: date, reserved: place))
                    if place == nil { continue }
                }
                history.apply(
                    .impression(
                        popup: popup, date: date, reserved: variant.map { _ in date },
                        isExposed: variant != nil))
                history.apply(
                    .dismissal(popup: popup, reason: reasons[popup] ?? .userClosed, date: date))
            }
            for (action, time) in (actions[popup] ?? [:]).sorted(by: { $0.value > $1.value }) {
                guard let date = start.subtracting(time) else { continue }
                history.apply(.acted(popup: popup, action: action, date: date, isClosing: false))
                history.apply(.endedByAction(popup: popup, action: action, date: date))
                history.apply(.dismissal(popup: popup, reason: .acted, date: date))
            }
        }
        for (event, times) in events {
            for (place, time) in times.enumerated() {
                guard let date = start.subtracting(time) else { continue }
                let carried = place == times.count - 1 ? amounts[event] : nil
                history.apply(.event(name: event, date: date, amounts: carried ?? [:]))
            }
        }
        return history
    }
}

extension ScenarioStart {
    /// Adds the history of another beginning for popups and events that have none.
    mutating func keep(_ other: ScenarioStart) {
        impressions.merge(other.impressions) { known, _ in known }
        actions.merge(other.actions) { known, _ in known }
        variants.merge(other.variants) { known, _ in known }
        reasons.merge(other.reasons) { known, _ in known }
        events.merge(other.events) { known, _ in known }
        amounts.merge(other.amounts) { known, _ in known }
    }

    /// The ids of popups that were seen before.
    var popupsSeen: [String] {
        Set(impressions.keys).union(actions.keys).union(variants.keys).union(reasons.keys).sorted()
    }

    /// Returns the time between each impression of a popup and the beginning, the longest first.
    func timesSeen(_ popup: String) -> [Duration] {
        let acts = (actions[popup] ?? [:]).values
        let times = Set(impressions[popup] ?? []).union(acts)
        return times.isEmpty ? [Self.day] : times.sorted(by: >)
    }

    /// Adds the facts about a witness, as far as a scenario can begin with them. Returns the
    /// payloads of events.
    mutating func take(
        _ facts: [Witness.Fact], meanings: [SlotTable.Entry: SlotMeaning], of rules: RuleSet
    ) -> [EventIndex: [String: Value]] {
        var payloads: [EventIndex: [String: Value]] = [:]
        for fact in facts {
            guard case .now? = meanings[fact.entry], case .timestamp(let date)? = fact.value else {
                continue
            }
            start = date
        }
        for fact in facts {
            guard let meaning = meanings[fact.entry], let value = fact.value else { continue }
            switch (meaning, value) {
            case (.key(let place), _):
                let key = rules.keys[place]
                context[key.name] = key.defaultValue == value ? nil : value
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
            case (.exposedCount(let popup), .int(let count)) where count > 0:
                let id = rules.popups[popup].id
                impressions[id] =
                    impressions[id] ?? Self.times(min(Int(count), Self.mostTimes), last: Self.day)
            case (.variant(let popup), .string(let arm)):
                guard let experiment = rules.popups[popup].experiment, !arm.isEmpty,
                    experiment.has(arm: arm)
                else { continue }
                variants[rules.popups[popup].id] = arm
            case (.lastReason(let popup), .string(let text)):
                guard let reason = ReasonCode(rawValue: text), reason.endsWhatShows,
                    reason != .acted
                else { continue }
                reasons[rules.popups[popup].id] = reason
            case (.acted(let popup, let action), .int(let count)) where count > 0:
                act(action, at: Self.day, on: rules.popups[popup].id)
            case (.lastAction(let popup), .string(let action)):
                if rules.actions(of: rules.popups[popup]).contains(where: { $0.name == action }) {
                    act(action, at: Self.day, on: rules.popups[popup].id)
                }
            case (.lastActed(let popup, let action), .timestamp(let date)) where date < start:
                act(action, at: start.duration(since: date), on: rules.popups[popup].id)
            case (.lastEvent(let event), .timestamp(let date)) where date < start:
                events[event] = Self.times(
                    max(1, events[event]?.count ?? 0), last: start.duration(since: date),
                    apart: .seconds(60))
            case (.eventCount(let event, _), .int(let count)) where count > 0:
                let known = events[event] ?? []
                events[event] = Self.times(
                    max(known.count, min(Int(count), Self.mostTimes)),
                    last: known.last ?? .seconds(60),
                    apart: .seconds(60))
            case (.sinceEvent(let event), .duration(let time))
            where time > .zero && time < .endless:
                events[event] = Self.times(
                    max(1, events[event]?.count ?? 0), last: time, apart: .seconds(60))
            case (.eventSum(let sum), .double), (.eventSum(let sum), .int),
                (.eventSum(let sum), .uint):
                events[sum.event] = events[sum.event] ?? [.seconds(60)]
                amounts[sum.event, default: [:]][sum.field] = value
            case (.condition, _), (.now, _), (.session, _), (.shownCount, _), (.lastShown, _),
                (.lastReason, _), (.variant, _), (.exposedCount, _), (.lastAction, _),
                (.closedCount, _), (.converted, _), (.acted, _), (.lastActed, _), (.eventCount, _),
                (.lastEvent, _), (.sinceEvent, _), (.eventSum, _), (.scheduleOpen, _),
                (.payload, _):
                break
            }
        }
        return payloads
    }

    /// Adds the number and times of events in the facts.
    package mutating func take(
        events facts: [Witness.Fact], meanings: [SlotTable.Entry: SlotMeaning], of rules: RuleSet
    ) {
        _ = take(facts, meanings: meanings, of: rules)
    }

    /// Returns `count` times before the beginning, the last one `last` ago and the others `apart`.
    private static func times(
        _ count: Int, last: Duration, apart: Duration = Self.day
    ) -> [Duration] {
        (0..<count).reversed().map { last + apart * $0 }
    }

    private static let day = Duration.seconds(86_400)
    /// The maximum number of times that something happened before a scenario.
    private static let mostTimes = 100

    private mutating func act(_ action: String, at time: Duration, on popup: String) {
        let known = actions[popup]?[action]
        if known == nil || time != Self.day { actions[popup, default: [:]][action] = time }
    }

    /// Adds the fact that a predecessor of a popup was shown and has ended.
    mutating func add(_ predecessor: Predecessor, id: String) {
        let time = predecessor.since + Self.day
        if let action = predecessor.action {
            actions[id, default: [:]][action] = time
        } else if impressions[id] == nil {
            impressions[id] = [time]
        }
    }
}

/// The fields of events that conditions read. A test sends all of them, as an app does.
package struct ReadFields: Sendable {
    private var fields: [String: [String: CELType]] = [:]

    /// Collects the fields that triggers and goals of popups read.
    package init(_ rules: RuleSet) {
        for popup in rules.popups {
            for (event, condition) in popup.eventConditions {
                for slot in condition.program.slots {
                    guard case .payloadField(event, let field) = rules.slots[slot] else { continue }
                    let declared = rules.events[event].fields[field]
                    fields[rules.events[event].name, default: [:]][declared.name] = declared.type
                }
            }
        }
    }

    /// Returns a payload with a value for each missing field that is read.
    package func completed(_ payload: [String: Value], ofEvent name: String) -> [String: Value] {
        var payload = payload
        for (field, type) in fields[name] ?? [:] where payload[field] == nil {
            payload[field] = type.emptyValue
        }
        return payload
    }
}

extension CELType {
    /// A simple value of the type; nil if no file can contain a value of it.
    package var emptyValue: Value? {
        switch self {
        case .bool: .bool(false)
        case .int: .int(0)
        case .uint: .uint(0)
        case .double: .double(0)
        case .string, .dyn: .string("")
        case .list: .list([])
        case .map: .map([:])
        case .timestamp: .timestamp(ScenarioStart.usualStart)
        case .duration: .duration(.zero)
        case .version: Version("1").map { .version($0) }
        case .null, .bytes, .optional, .type, .wrapper, .opaque, .parameter: nil
        }
    }
}

extension RuleSet {
    /// Returns the fields of a payload that the event with a name declares.
    package func declared(_ payload: [String: Value], ofEvent name: String) -> [String: Value] {
        guard let event = events.first(where: { $0.name == name }) else { return payload }
        return payload.filter { field in event.fields.contains { $0.name == field.key } }
    }
}
