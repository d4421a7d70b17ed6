internal import PopCEL

/// The schedulers of the rules with their screens, and the suspensions.
///
/// They are in the order of the rules, followed by schedulers that a reload removed while a popup
/// was on their screen.
struct Lanes: Sendable {
    private var lanes: ParallelArray<LaneIndex, Lane>
    /// The suspensions in force, with their owners.
    private(set) var suspensions: Set<Suspension> = []

    init(_ rules: [SchedulerRule]) { lanes = ParallelArray(rules.map { Lane($0) }) }

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
        lanes = ParallelArray(installed + leaving)
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
