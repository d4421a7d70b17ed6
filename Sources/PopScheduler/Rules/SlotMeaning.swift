package import PopCEL
package import PopSource

/// The source of a slot's value.
public enum SlotMeaning: Sendable, Hashable {
    /// A declared context key.
    case key(KeyIndex)
    /// A named condition: a bool, or the error of its evaluation.
    case condition(ConditionIndex)
    /// The current calendar date.
    case now
    /// A fact about the sessions of the user.
    case session(SessionFact)
    /// `popups.ID.shown_count`: impressions of the popup in the history, an int.
    case shownCount(popup: PopupIndex)
    /// `popups.ID.last_shown`: a timestamp, missing before the first impression.
    case lastShown(popup: PopupIndex)
    /// `popups.ID.last_reason`: the reason of its last dismissal, a string, missing before that.
    case lastReason(popup: PopupIndex)
    /// `popups.ID.variant`: the arm of the latest task that was exposed or shown, a string; empty
    /// before, and if that task was in none.
    case variant(popup: PopupIndex)
    /// `popups.ID.exposed_count`: exposures to an arm of its experiment in the history, an int.
    case exposedCount(popup: PopupIndex)
    /// `popups.ID.last_action`: the last action of the user in its latest task, a string that is
    /// empty if there was no action.
    case lastAction(popup: PopupIndex)
    /// `popups.ID.closed_count`: the number of times the user closed or refused it, an int.
    case closedCount(popup: PopupIndex)
    /// `popups.ID.converted`: true if an exposure to it was converted under its first goal, a bool.
    case converted(popup: PopupIndex)
    /// `acted("popup", "action")`: the number of times the user used the action, an int.
    case acted(popup: PopupIndex, action: String)
    /// `last_acted("popup", "action")`: a timestamp, missing before the first time.
    case lastActed(popup: PopupIndex, action: String)
    /// `event_count("name")` and `event_count("name", duration)`: an int.
    case eventCount(event: String, within: Duration?)
    /// `last_event("name")`: a timestamp, missing when the event was never sent.
    case lastEvent(String)
    /// `since("name")`: the time since it was last sent, a duration, infinite if it was never sent.
    case sinceEvent(String)
    /// `event_sum("name", "field", duration)`: the sum of a field of its payload in that period; a
    /// number of the field's type.
    indirect case eventSum(EventSum)
    /// `schedule.open`: true if the schedule of the popup of a `dismiss_when` is open, a bool;
    /// missing in other conditions.
    case scheduleOpen
    /// `event`: the payload of the event being sent, as a map; missing outside a trigger's `where`.
    case payload
    /// `event.FIELD`: one field of the payload of the event being sent.
    case payloadField(event: EventIndex, field: Int)
}

/// The facts about the sessions of the user that conditions can read; the raw values are their
/// names.
public enum SessionFact: String, Sendable, Hashable, CaseIterable {
    /// The date at which this session began, a timestamp.
    case started = "session.started"
    /// The number of sessions, including this one, an int.
    case count = "session.count"
    /// The date at which the previous session ended, a timestamp: when the app last went to the
    /// background in it, or when that session began if the app never did. Missing in the first
    /// session.
    case previousEnd = "session.previous_end"
    /// The date at which the user was first seen, a timestamp.
    case firstSeen = "first_seen"
}

extension SessionFact {
    /// The type of its value.
    package var type: CELType {
        switch self {
        case .started, .previousEnd, .firstSeen: .timestamp
        case .count: .int
        }
    }

    /// True if the fact may have no value.
    package var mayBeMissing: Bool { self == .previousEnd }
}

extension SlotMeaning {
    /// True if the value is computed from other slots, from dates or from `now`. A condition
    /// without such slots needs no preparation, and its result holds until one of its slots is set.
    var isComputed: Bool {
        switch self {
        case .condition, .now, .eventCount(_, within: _?), .sinceEvent, .eventSum: true
        case .key, .session, .shownCount, .lastShown, .lastReason, .variant, .exposedCount,
            .lastAction,
            .closedCount, .converted, .acted, .lastActed,
            .eventCount(_, within: nil), .lastEvent, .scheduleOpen, .payload, .payloadField:
            false
        }
    }

    /// The popup whose history the slot reads; nil for other slots.
    package var popup: PopupIndex? {
        switch self {
        case .shownCount(let popup), .lastShown(let popup), .lastReason(let popup),
            .variant(let popup), .exposedCount(let popup), .lastAction(let popup),
            .closedCount(let popup), .converted(let popup), .acted(let popup, _),
            .lastActed(let popup, _):
            popup
        case .key, .condition, .now, .session, .eventCount, .lastEvent, .sinceEvent, .eventSum,
            .scheduleOpen, .payload, .payloadField:
            nil
        }
    }

    /// The maximum age of the sent events that the slot counts; nil for no maximum and for other
    /// slots.
    package var window: Duration? {
        switch self {
        case .eventCount(_, let window): window
        case .eventSum(let sum): sum.within
        case .key, .condition, .now, .session, .shownCount, .lastShown, .lastReason,
            .variant, .exposedCount, .lastAction, .closedCount, .converted, .acted, .lastActed,
            .lastEvent, .sinceEvent, .scheduleOpen, .payload, .payloadField:
            nil
        }
    }

    /// The event whose history the slot reads; nil for other slots.
    package var event: String? {
        switch self {
        case .eventCount(let event, _), .lastEvent(let event), .sinceEvent(let event): event
        case .eventSum(let sum): sum.event
        case .key, .condition, .now, .session, .shownCount, .lastShown, .lastReason,
            .variant, .exposedCount, .lastAction,
            .closedCount, .converted, .acted, .lastActed, .scheduleOpen, .payload, .payloadField:
            nil
        }
    }
}

extension SlotDeclaration {
    /// Returns the declaration of `event_sum("name", "field", duration)`, whose type is the
    /// field's.
    package static func eventSum(
        typeOfField: @escaping @Sendable (_ name: String, _ event: String) -> CELType?,
        check: @escaping @Sendable (Environment.SlotCall) -> [Diagnostic] = { _ in [] }
    ) -> Self {
        SlotDeclaration(
            "event_sum", parameters: [.string, .string, .duration], result: .dyn,
            resultOf: { arguments in
                guard case .string(let event)? = arguments.first,
                    case .string(let field)? = arguments.dropFirst().first,
                    let type = typeOfField(field, event), type.isNumeric
                else { return nil }
                return type
            }, check: check)
    }
}

extension SlotMeaning {
    /// The name by which `dismiss_when` reads if the schedule of its popup is open.
    package static let scheduleOpenName = "schedule.open"

    /// The names that rules could once declare themselves: a declaration in rules takes precedence.
    package static let namesOfSchedule = ["schedule", scheduleOpenName]

    /// Creates the meaning of a call of a function about events, or about actions of users on
    /// popups. `popup` returns the place of an id, `field` the type of a field of an event.
    package init?(
        function: String, arguments: [Value], popup: (String) -> PopupIndex?,
        field: (_ name: String, _ event: String) -> CELType?
    ) {
        guard case .string(let name)? = arguments.first else { return nil }
        switch (function, arguments.dropFirst().first) {
        case ("event_count", .duration(let within)?):
            self = .eventCount(event: name, within: within)
        case ("event_count", nil): self = .eventCount(event: name, within: nil)
        case ("last_event", nil): self = .lastEvent(name)
        case ("since", nil): self = .sinceEvent(name)
        case ("event_sum", .string(let added)?):
            guard case .duration(let within)? = arguments.last, let type = field(added, name),
                type.isNumeric
            else { return nil }
            self = .eventSum(EventSum(of: added, in: name, type: type, within: within))
        case ("acted", .string(let action)?):
            guard let popup = popup(name) else { return nil }
            self = .acted(popup: popup, action: action)
        case ("last_acted", .string(let action)?):
            guard let popup = popup(name) else { return nil }
            self = .lastActed(popup: popup, action: action)
        default: return nil
        }
    }
}
