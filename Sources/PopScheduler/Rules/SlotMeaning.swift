package import PopCEL

/// What a slot's value is taken from.
public enum SlotMeaning: Sendable, Hashable {
    /// A declared context key.
    case key(KeyIndex)
    /// A named condition: a bool, or the error of its evaluation.
    case condition(ConditionIndex)
    /// The calendar date of the moment.
    case now
    /// What is known of the sessions of the user.
    case session(SessionFact)
    /// `popups.ID.shown_count`: impressions of the popup in the history, an int.
    case shownCount(popup: PopupIndex)
    /// `popups.ID.last_shown`: a timestamp, missing before the first impression.
    case lastShown(popup: PopupIndex)
    /// `popups.ID.last_reason`: why it was last dismissed, a string, missing before that.
    case lastReason(popup: PopupIndex)
    /// `popups.ID.variant`: the arm of the latest task that was exposed or shown, a string; empty
    /// before, and where that task was in none.
    case variant(popup: PopupIndex)
    /// `popups.ID.exposed_count`: exposures to an arm of its experiment in the history, an int.
    case exposedCount(popup: PopupIndex)
    /// `popups.ID.last_action`: what a person did in its latest task, a string, empty without.
    case lastAction(popup: PopupIndex)
    /// `popups.ID.closed_count`: how often people closed or refused it, an int.
    case closedCount(popup: PopupIndex)
    /// `popups.ID.converted`: whether an exposure to it was converted under its first goal, a bool.
    case converted(popup: PopupIndex)
    /// `acted("popup", "action")`: how often people used the action, an int.
    case acted(popup: PopupIndex, action: String)
    /// `last_acted("popup", "action")`: a timestamp, missing before the first time.
    case lastActed(popup: PopupIndex, action: String)
    /// `event_count("name")` and `event_count("name", duration)`: an int.
    case eventCount(event: String, within: Duration?)
    /// `last_event("name")`: a timestamp, missing when the event was never sent.
    case lastEvent(String)
    /// `since("name")`: how long ago it was sent last, a duration, endless when it never was.
    case sinceEvent(String)
    /// `event_sum("name", "field", duration)`: what a field of its payload was in that time, added
    /// up; a number of the field's type.
    indirect case eventSum(EventSum)
    /// `schedule.open`: whether the schedule of the popup that a `dismiss_when` is about is open, a
    /// bool; missing in other conditions.
    case scheduleOpen
    /// `event`: the payload of the event being sent, as a map; missing outside a trigger's `where`.
    case payload
    /// `event.FIELD`: one field of the payload of the event being sent.
    case payloadField(event: EventIndex, field: Int)
}

/// What conditions can read of the sessions of the user, by the name that they read it by.
public enum SessionFact: String, Sendable, Hashable, CaseIterable {
    /// When this session began, a timestamp.
    case started = "session.started"
    /// How many sessions there were, this one included, an int.
    case count = "session.count"
    /// When the session before this one ended, a timestamp: when the app went to the background the
    /// last time in it, or when it began where the app never did. Missing in the first session.
    case previousEnd = "session.previous_end"
    /// When the user was seen first, a timestamp.
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

    /// Whether there may be none.
    package var mayBeMissing: Bool { self == .previousEnd }
}

extension SlotMeaning {
    /// Whether its value is worked out from others, from dates or from `now`. What reads no such
    /// slot is evaluated at once and holds until one of its slots is set.
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

    /// The popup whose history it tells of.
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

    /// How far it looks back at the times at which an event was sent.
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

    /// The event whose history it tells of.
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
