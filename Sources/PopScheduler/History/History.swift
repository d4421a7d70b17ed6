public import PopCEL
internal import PopSource

/// The record of what one user has seen and done: the data for caps, `after`, `event_count` and
/// occurrence counts.
///
/// A value type; a scheduler starts with it and reports every change as a `HistoryRecord`.
public struct History: Sendable, Hashable {
    /// The record of one popup.
    public struct Popup: Sendable, Hashable {
        /// The number of all impressions ever, including those whose dates are no longer kept.
        public var shownCount = 0
        /// The dates of impressions, ascending; the oldest may have been pruned.
        public var impressions: [Timestamp] = []
        /// The date of the last impression, kept when `impressions` is pruned; nil before the
        /// first.
        public var lastShown: Timestamp?
        /// The dates, ascending, at which places under its caps were reserved for presentations
        /// that aren't visible yet. Reservations of a terminated process stay: they count for caps
        /// as impressions do.
        public var reservations: [Timestamp] = []
        /// The number of its tasks that were shown and ended.
        public var dismissals = 0
        /// The reason of its last dismissal; nil before that.
        public var lastReason: ReasonCode?
        /// The calendar date of its last dismissal; nil before that.
        public var lastDismissed: Timestamp?
        private var sharedExposures = Shared<Exposures>()

        /// The exposures of the user to its experiment.
        public var exposures: Exposures {
            get { sharedExposures.value }
            set { sharedExposures.value = newValue }
        }
        /// True if its experiment never exposed the user to anything.
        var isNeverExposed: Bool { sharedExposures.isUsual }
        /// The action of closing it, which is the only action of many popups. Stored outside of the
        /// dictionary, it needs no memory of its own.
        var closing: Action?
        /// The other actions of the user, by name.
        var otherActions: [String: Action] = [:]
        /// The number of tasks in which the user closed or refused it; at most one per task.
        public var closedCount = 0
        /// The action that was last reported in its latest shown task; nil without an action.
        public var lastAction: String?
        /// The conversions of the user under its goals, by name.
        public var goals: [String: Goal] = [:]

        /// Creates a popup that was never shown.
        public init() {}
    }

    /// The record of one event.
    public struct SentEvent: Sendable, Hashable {
        /// The number of times it was ever sent.
        public var count = 0
        /// The dates, ascending; the oldest may have been pruned.
        public var dates: [Timestamp] = []
        /// The date at which it was last sent, kept when `dates` is pruned; nil before the first.
        public var last: Timestamp?
        /// By field of its payload, the numbers that it was sent with; only for fields that the
        /// rules summed up at that time.
        public var amounts: [String: Amounts] = [:]

        /// Creates an event that was never sent.
        public init() {}
    }

    /// The sessions of the user.
    public struct Sessions: Sendable, Hashable {
        /// The number of sessions that have begun.
        public var count = 0
        /// The date at which the first session began; nil before it.
        public var first: Timestamp?
        /// The date at which the last session began; nil before the first.
        public var began: Timestamp?
        /// The date at which the app last went to the background in the last session; nil if it
        /// hasn't.
        public var left: Timestamp?
        /// The date at which the previous session ended; nil in the first session.
        public var previousEnd: Timestamp?

        /// Creates sessions without any.
        public init() {}
    }

    /// The sessions of the user.
    public var sessions = Sessions()
    /// By popup id.
    public var popups: [String: Popup] = [:]
    /// By event name.
    public var events: [String: SentEvent] = [:]
    /// By the name of the trigger, the number of events that passed its `where`.
    public var occurrences: [String: Int] = [:]
    /// The counts of caps for each value of a context key; few popups have any.
    public var values = ValueCounts()

    /// Creates the history of an unknown user.
    public init() {}
}

/// One change of a user's history.
public enum HistoryRecord: Sendable, Hashable {
    /// A popup became visible for the first time in its task; the given reservation ends.
    /// `isExposed`, here and below, means that the task was exposed to an arm.
    case impression(
        popup: String, date: Timestamp, reserved: Timestamp? = nil, isExposed: Bool = false)
    /// The presentation failed: the impression of that date is taken back.
    case impressionTakenBack(popup: String, date: Timestamp, isExposed: Bool = false)
    /// The host is asked whether a popup may show for the first time in its task. Recorded before
    /// that, so that no crash lets a cap be exceeded.
    case reservation(popup: String, date: Timestamp)
    /// The popup didn't become visible: the place of that date is free again.
    case reservationTakenBack(popup: String, date: Timestamp, isExposed: Bool = false)
    /// The host let a popup show, and its experiment exposed the user to an arm: a variant, or
    /// `control`. The task has the reservation of the date given.
    indirect case exposure(
        popup: String, variant: String, date: Timestamp, reserved: Timestamp? = nil)
    /// A popup that was visible is permanently gone.
    case dismissal(popup: String, reason: ReasonCode, date: Timestamp)
    /// The user used an action of a popup, or closed it, which is the action `close`. `isClosing`
    /// is true for the first action in its task that counts as closing.
    indirect case acted(popup: String, action: String, date: Timestamp, isClosing: Bool)
    /// A task ended by an action.
    indirect case endedByAction(popup: String, action: String, date: Timestamp)
    /// An event matched a goal of a popup. It converted the exposure, or the impression, of a date;
    /// nil if none was open.
    indirect case goalMatched(popup: String, goal: String, date: Timestamp, exposure: Timestamp?)
    /// The app sent an event that the rules count, with numbers in the fields of its payload that
    /// they sum up.
    case event(name: String, date: Timestamp, amounts: [String: Value] = [:])
    /// A session of the user began.
    case session(date: Timestamp)
    /// The app went to the background.
    case sessionLeft(date: Timestamp)
    /// The number of events that the `where` of a trigger with `nth` or `every` has let pass.
    case occurrence(trigger: String, count: Int)
    /// An impression or closing of a popup counts for the value of a context key.
    indirect case counted(popup: String, value: KeyedValue, change: ValueChange, date: Timestamp)
}

extension History {
    /// Adds a record. Logarithmic in the kept dates as long as the calendar doesn't go back.
    ///
    /// Removes the oldest dates of the popup or event once there are more than twice as many as are
    /// to be kept. So the cost of moving the other dates is spread over many records.
    public mutating func apply(
        _ record: HistoryRecord, keepingPerPopup popupDates: Int = .max,
        perEvent eventDates: Int = .max
    ) {
        switch record {
        case .impression(let popup, _, _, _), .dismissal(let popup, _, _),
            .reservation(let popup, _), .exposure(let popup, _, _, _),
            .acted(let popup, _, _, _), .endedByAction(let popup, _, _),
            .goalMatched(let popup, _, _, _):
            popups[popup, default: Popup()].apply(record, keeping: popupDates)
        case .impressionTakenBack(let popup, _, _), .reservationTakenBack(let popup, _, _):
            popups[popup]?.apply(record, keeping: popupDates)
            // A popup whose records were all taken back leaves no trace.
            if popups[popup] == Popup() { popups[popup] = nil }
        case .event(let name, let date, let amounts):
            events[name, default: SentEvent()].add(date, amounts: amounts, keeping: eventDates)
        case .session, .sessionLeft: sessions.apply(record)
        case .occurrence(let trigger, let count): occurrences[trigger] = count
        case .counted(let popup, let value, let change, let date):
            _ = values.add(change, of: popup, for: value, at: date)
        }
    }
}

extension History {
    /// Removes a popup, as though it had never been shown.
    package mutating func forget(popup: String) {
        popups[popup] = nil
        values.counts[popup] = nil
    }
}

extension History.Sessions {
    /// Adds a record that is about sessions.
    mutating func apply(_ record: HistoryRecord) {
        switch record {
        case .session(let date):
            previousEnd = left ?? began
            first = first ?? date
            count += 1
            (began, left) = (date, nil)
        case .sessionLeft(let date): left = date
        case .impression, .impressionTakenBack, .reservation, .reservationTakenBack, .dismissal,
            .exposure, .acted, .endedByAction, .goalMatched, .event, .occurrence, .counted:
            break
        }
    }
}

extension Array<Timestamp> {
    mutating func keepLatest(_ kept: Int) {
        if count / 2 >= Swift.max(kept, 1) { removeFirst(count - kept) }
    }
}

extension History.Popup {
    /// Adds a record that is about the popup.
    mutating func apply(_ record: HistoryRecord, keeping kept: Int) {
        switch record {
        case .impression(_, let date, let reserved, let isExposed):
            if let reserved {
                reservations.removeSorted(reserved)
                if isExposed { exposures.places.removeSorted(reserved) }
            }
            add(date, keeping: kept)
            if isExposed || !isNeverExposed {
                exposures.shown(isExposed: isExposed, place: date)
            }
        case .impressionTakenBack(_, let date, let isExposed):
            if isExposed { exposures.takeBackPlace(at: date) }
            takeBack(date)
        case .reservation(_, let date): reserve(date, keeping: kept)
        case .reservationTakenBack(_, let date, let isExposed):
            if isExposed { exposures.takeBackPlace(at: date) }
            reservations.removeSorted(date)
        case .exposure(_, let variant, let date, let reserved):
            exposures.add(variant, at: date, place: reserved, keeping: kept)
        case .dismissal(_, let reason, let date): dismissed(reason, at: date)
        case .acted(_, let action, let date, let isClosing):
            acted(action, at: date, isClosing: isClosing)
        case .endedByAction(_, let action, let date): ended(by: action, at: date)
        case .goalMatched(_, let goal, let date, let exposure):
            matched(goal, at: date, exposure: exposure)
        case .event, .session, .sessionLeft, .occurrence, .counted: break
        }
    }

    mutating func reserve(_ date: Timestamp, keeping kept: Int = .max) {
        reservations.insertSorted(date)
        reservations.keepLatest(kept)
    }

    mutating func add(_ date: Timestamp, keeping kept: Int = .max) {
        shownCount += 1
        impressions.insertSorted(date)
        impressions.keepLatest(kept)
        lastShown = max(lastShown ?? date, date)
        lastAction = nil
    }

    /// Takes back an impression. An older impression whose date is pruned may come before it; then
    /// `lastShown` stays.
    private mutating func takeBack(_ date: Timestamp) {
        guard let index = impressions.lastIndex(of: date) else { return }
        impressions.remove(at: index)
        shownCount -= 1
        if lastShown == date, !impressions.isEmpty || shownCount == 0 {
            lastShown = impressions.last
        }
    }

    private mutating func dismissed(_ reason: ReasonCode, at date: Timestamp) {
        dismissals += 1
        lastReason = reason
        lastDismissed = date
    }
}

extension History.SentEvent {
    mutating func add(_ date: Timestamp, amounts new: [String: Value], keeping kept: Int) {
        count += 1
        dates.insertSorted(date)
        dates.keepLatest(kept)
        last = max(last ?? date, date)
        if new.isEmpty { return }
        for (field, value) in new {
            amounts[field, default: Amounts()].add(value, at: date, keeping: kept)
        }
    }
}
