internal import PopCEL

/// One scheduler of the rule set: its screen, what comes on it next, its rest between two popups.
struct Lane: Sendable {
    private(set) var rule: SchedulerRule
    private(set) var screen = Screen.free
    /// What comes on the screen next, once something is chosen.
    private(set) var chosen: Chosen?
    /// Until when it rests after a dismissal.
    private(set) var gapEnds: Duration?
    /// The number of the task that is to show here whatever its rule says: the one that was forced
    /// last, which may be over.
    private(set) var forced: Int?
    private(set) var isSuspended = false
    /// Whether the app is in the background.
    private(set) var isAway = false
    /// Whether `dismiss_when` of the popup on the screen may come to something else than before.
    private(set) var mustCheckDismissCondition = false
    /// What `dismiss_when` of the popup on the screen depends on.
    private var post = Watchers.Post()

    init(_ rule: SchedulerRule) { self.rule = rule }

    /// Whether the pass would choose from the queue.
    var isReady: Bool {
        guard case .free = screen else { return false }
        return chosen == nil && gapEnds == nil && !isHeld
    }

    /// Whether nothing may be chosen for it.
    var isHeld: Bool { isSuspended || isAway }

    /// Why nothing is chosen for it, whatever waits; nil when nothing stands in the way.
    var holding: ReasonCode? { isSuspended ? .suspended : isAway ? .background : nil }

    var isOccupied: Bool {
        if case .occupied = screen { true } else { false }
    }

    /// A reload brings another rule of the same name.
    mutating func take(_ rule: SchedulerRule) { self.rule = rule }

    mutating func suspend(_ isSuspended: Bool) { self.isSuspended = isSuspended }
}

// Visible time stands still in the background.
extension Lane {
    mutating func goAway() { isAway = true }

    /// What counts visible time ends that much later.
    mutating func comeBack(after absence: Duration) {
        isAway = false
        gapEnds = gapEnds.map { $0 + absence }
        if let chosen, case .settling(let until) = chosen.phase {
            self.chosen?.phase = .settling(until: until + absence)
        }
        guard case .occupied(var occupant) = screen, case .showing(let since) = occupant.phase
        else { return }
        occupant.phase = .showing(since: since + absence)
        screen = .occupied(occupant)
    }
}

// What comes on the screen next.
extension Lane {
    mutating func choose(_ chosen: Chosen) { self.chosen = chosen }

    mutating func unchoose() { chosen = nil }

    /// Which task is to show whatever its rule says; nil for none.
    mutating func force(_ number: Int?) { forced = number }

    /// Rests from a dismissal on; nil for not at all.
    mutating func rest(until end: Duration?) { gapEnds = end }
}

// The screen.
extension Lane {
    /// What was chosen comes on the screen.
    mutating func present(_ occupant: Screen.Occupant) {
        chosen = nil
        screen = .occupied(occupant)
        mustCheckDismissCondition = occupant.subject.hasDismissCondition
    }

    /// What is on the screen is so still, in another state.
    mutating func update(_ occupant: Screen.Occupant) { screen = .occupied(occupant) }

    mutating func clear() { screen = .free }
}

// When the popup on the screen is to be looked at again.
extension Lane {
    mutating func recheckDismissCondition() { mustCheckDismissCondition = true }

    mutating func dismissConditionChecked() { mustCheckDismissCondition = false }

    /// Watches exactly these slots from now on, as the lane at this place.
    mutating func watch(
        _ slots: ArraySlice<SlotIndex>, as lane: LaneIndex, with conditions: inout Conditions
    ) {
        conditions.watch(slots, as: .lane(lane), at: &post)
    }

    /// The popup on the screen needs no looking at any more.
    mutating func stopWatching(with conditions: inout Conditions) {
        conditions.leave(post)
        mustCheckDismissCondition = false
    }

    /// Nobody watches anything any more, and all values may be others.
    mutating func watchAfresh() {
        post = Watchers.Post()
        mustCheckDismissCondition = true
    }
}
