internal import PopCEL

/// One scheduler of the rule set: its screen, the popup that comes next, and its gap between two
/// popups.
struct Lane: Sendable {
    private(set) var rule: SchedulerRule
    private(set) var screen = Screen.free
    /// The task that comes on the screen next; nil if none is chosen.
    private(set) var chosen: Chosen?
    /// The end of its gap after a dismissal; nil if there is no gap.
    private(set) var gapEnds: Duration?
    /// The number of the task that is to show here regardless of its rule: the task that was forced
    /// last, which may have ended.
    private(set) var forced: Int?
    private(set) var isSuspended = false
    /// True while the app is in the background.
    private(set) var isAway = false
    /// True if `dismiss_when` of the popup on the screen may have another result than before.
    private(set) var mustCheckDismissCondition = false
    /// The slots that `dismiss_when` of the popup on the screen depends on.
    private var post = Watchers.Post()

    init(_ rule: SchedulerRule) { self.rule = rule }

    /// True if the pass would choose from the queue.
    var isReady: Bool {
        guard case .free = screen else { return false }
        return chosen == nil && gapEnds == nil && !isHeld
    }

    /// True if nothing may be chosen for the lane.
    var isHeld: Bool { isSuspended || isAway }

    /// The reason why nothing is chosen for the lane, whatever waits; nil if nothing prevents it.
    var holding: ReasonCode? { isSuspended ? .suspended : isAway ? .background : nil }

    var isOccupied: Bool {
        if case .occupied = screen { true } else { false }
    }

    /// Takes another rule of the same name after a reload.
    mutating func take(_ rule: SchedulerRule) { self.rule = rule }

    mutating func suspend(_ isSuspended: Bool) { self.isSuspended = isSuspended }
}

// Visible time doesn't run in the background.
extension Lane {
    mutating func goAway() { isAway = true }

    /// Delays everything that counts visible time by the length of the absence.
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

// The task that comes on the screen next.
extension Lane {
    mutating func choose(_ chosen: Chosen) { self.chosen = chosen }

    mutating func unchoose() { chosen = nil }

    /// Sets the task that is to show regardless of its rule; nil for none.
    mutating func force(_ number: Int?) { forced = number }

    /// Starts the gap after a dismissal; nil for no gap.
    mutating func rest(until end: Duration?) { gapEnds = end }
}

// The screen.
extension Lane {
    /// Puts the chosen task on the screen.
    mutating func present(_ occupant: Screen.Occupant) {
        chosen = nil
        screen = .occupied(occupant)
        mustCheckDismissCondition = occupant.subject.hasDismissCondition
    }

    /// Updates the state of the popup on the screen.
    mutating func update(_ occupant: Screen.Occupant) { screen = .occupied(occupant) }

    mutating func clear() { screen = .free }
}

// The times at which the popup on the screen is checked again.
extension Lane {
    mutating func recheckDismissCondition() { mustCheckDismissCondition = true }

    mutating func dismissConditionChecked() { mustCheckDismissCondition = false }

    /// Watches exactly these slots from now on, as the lane at this place.
    mutating func watch(
        _ slots: ArraySlice<SlotIndex>, as lane: LaneIndex, with conditions: inout Conditions
    ) {
        conditions.watch(slots, as: .lane(lane), at: &post)
    }

    /// Ends the checks of the popup on the screen.
    mutating func stopWatching(with conditions: inout Conditions) {
        conditions.leave(post)
        mustCheckDismissCondition = false
    }

    /// Resets the watched slots when all watchers are removed and all values may have changed.
    mutating func watchAfresh() {
        post = Watchers.Post()
        mustCheckDismissCondition = true
    }
}

/// The schedulers of the rules with their screens, and the suspensions.
///
/// They are in the order of the rules, followed by schedulers that a reload removed while a popup
/// was on their screen.
struct Lanes: Sendable {
    private var lanes: TypedArray<LaneIndex, Lane>
    /// The suspensions in force, with their owners.
    private(set) var suspensions: Set<Suspension> = []

    init(_ rules: [SchedulerRule]) { lanes = TypedArray(rules.map { Lane($0) }) }

    var indices: Range<LaneIndex> { lanes.indices }

    /// The lane at an index; it is changed only by its own methods.
    subscript(lane: LaneIndex) -> Lane {
        @inline(__always) get { lanes[lane] }
        @inline(__always) _modify { yield &lanes[lane] }
    }

    /// The rules of all lanes, including former ones.
    var rules: [SchedulerRule] { lanes.map { $0.rule } }

    /// Changes the rules. Schedulers keep their state by name; a removed scheduler stays after the
    /// others while a popup is on its screen.
    mutating func rulesChanged(to rules: [SchedulerRule]) {
        let isAway = lanes.contains { $0.isAway }
        let installed = rules.map { rule in
            var lane = lanes.first { $0.rule.name == rule.name } ?? Lane(rule)
            if isAway { lane.goAway() }
            lane.take(rule)
            return lane
        }
        let leaving = lanes.filter { lane in
            lane.isOccupied && !rules.contains { $0.name == lane.rule.name }
        }
        lanes = TypedArray(installed + leaving)
        applySuspensions()
    }
}

// Lookup of lanes.
extension Lanes {
    /// Returns the lane on whose screen the current user's task of a popup is.
    func showing(_ id: String) -> LaneIndex? {
        lanes.indices.first { lane in
            guard case .occupied(let occupant) = lanes[lane].screen else { return false }
            return occupant.presentation.task.popup == id && !occupant.isDetached
        }
    }

    /// Returns the lane on whose screen a popup is, for any user.
    func occupied(by id: String) -> LaneIndex? {
        lanes.indices.first { lanes[$0].screen.subject?.popup.id == id }
    }

    /// Returns the lane on whose screen a presentation is.
    func presenting(_ id: PresentationID) -> LaneIndex? {
        lanes.indices.first { lanes[$0].screen.subject?.presentation == id }
    }
}

extension Lanes {
    /// Returns true if there is a lane with that name.
    func contains(_ name: String) -> Bool { lanes.contains { $0.rule.name == name } }

    mutating func suspend(_ suspension: Suspension) {
        suspensions.insert(suspension)
        applySuspensions()
    }

    /// Lifts the suspension of the same owner, and no other. Returns true if it was in force.
    mutating func resume(_ suspension: Suspension) -> Bool {
        let wasSuspended = suspensions.remove(suspension) != nil
        applySuspensions()
        return wasSuspended
    }

    mutating func goAway() {
        for lane in lanes.indices { lanes[lane].goAway() }
    }

    mutating func comeBack(after absence: Duration) {
        for lane in lanes.indices { lanes[lane].comeBack(after: absence) }
    }

    private mutating func applySuspensions() {
        for lane in lanes.indices {
            let name = lanes[lane].rule.name
            lanes[lane].suspend(
                suspensions.contains { $0.scheduler == nil || $0.scheduler == name })
        }
    }
}
