package import PopCEL

extension Scheduler {
    /// The id of the popup on the screen of each scheduler that shows one, by the scheduler's name.
    public var showing: [String: String] {
        var result: [String: String] = [:]
        for lane in lanes.indices {
            result[lanes[lane].rule.name] = lanes[lane].screen.occupant?.popup.id
        }
        return result
    }

    /// The ids of the popups that wait on each scheduler, in order, by the scheduler's name; a
    /// popup that is chosen and not yet on the screen comes first. Sorts the waiting tasks.
    public var waiting: [String: [String]] {
        var result: [String: [String]] = [:]
        for lane in lanes.indices {
            result[lanes[lane].rule.name] = queue(lane).map { catalog.popups[$0].id }
        }
        return result
    }

    /// The popup on the screen of each settled scheduler, by the scheduler's name; nil if the
    /// screen is free. A scheduler is settled if only time or a call can change its screen: no
    /// popup is being dismissed, and the host isn't being asked about a chosen popup.
    package var settledScreens: [String: String?] {
        var result: [String: String?] = [:]
        for lane in lanes.indices {
            if lanes[lane].chosen?.isSettling == false { continue }
            if lanes[lane].screen.occupant?.isDismissing == true { continue }
            result.updateValue(
                lanes[lane].screen.occupant?.popup.id, forKey: lanes[lane].rule.name)
        }
        return result
    }

    /// Returns true if a popup of the user is on a screen, or is being presented, and isn't being
    /// dismissed.
    package func isOnScreen(_ id: String) -> Bool {
        guard let occupant = lanes.showing(id).flatMap({ lanes[$0].screen.occupant }) else {
            return false
        }
        return !occupant.isDismissing
    }

    /// True while the app is in the background.
    package var isInBackground: Bool { lanes.indices.contains { lanes[$0].isAway } }

    /// The rules that are in force.
    package var rules: RuleSet { catalog.rules }

    /// The user whose history decides.
    package var user: String { memory.user }

    /// The seed for random durations.
    package var seed: UInt64 { draws.seed }

    /// The values of the context keys that the app has set; keys at their defaults are absent.
    package var contextValues: [String: Value] { conditions.context }

    /// The forced arms of experiments, by popup.
    package var armsForced: [String: String] { forcedArms }

    /// The time zone of the host.
    package var zone: String { hostZone }

    /// True once the event `started` was received.
    package var isStarted: Bool { hasStarted }

    /// True if no task is live.
    public var isEmpty: Bool {
        lanes.indices.allSatisfy { lane in
            !lanes[lane].isOccupied && lanes[lane].chosen == nil && queues.waitingCount(lane) == 0
        }
    }

    /// Returns true if a popup is known, doesn't wait and isn't on a screen.
    package func isAbsent(_ id: String) -> Bool {
        guard let popup = catalog.place(of: id) else { return false }
        return queues.tasks[popup] == nil && lanes.occupied(by: id) == nil
    }

    /// Returns true if a popup is known and on no screen.
    package func isOffScreen(_ id: String) -> Bool {
        catalog.place(of: id) != nil && lanes.occupied(by: id) == nil
    }

    /// Returns the rule under which a popup is on a screen, even if those rules are no longer in
    /// force; nil if the popup is on no screen.
    package func shownRule(of id: String) -> PopupRule? {
        lanes.occupied(by: id).flatMap { lanes[$0].screen.subject?.popup }
    }

    /// The suspensions in force, with their owners.
    public var suspensions: Set<Suspension> { lanes.suspensions }

    /// The names of the schedulers that are suspended.
    public var suspended: Set<String> {
        Set(lanes.indices.filter { lanes[$0].isSuspended }.map { lanes[$0].rule.name })
    }

    /// The instant at which `timePassed` is due; nil when only an event can change anything.
    ///
    /// Exact except for conditions that use `now` in ways that can't be solved for it: those are
    /// checked every second while a task depends on them.
    public var nextWake: Duration? {
        var wake = queues.nextInstant
        if let date = queues.nextDate { wake = earlier(wake, instant(of: date)) }
        for lane in lanes.indices { wake = earlier(wake, nextWake(lane)) }
        return wake.map { max($0, now.instant) }
    }

    private func nextWake(_ lane: LaneIndex) -> Duration? {
        var settled: Duration?
        if let chosen = lanes[lane].chosen {
            if case .settling(let until) = chosen.phase, !lanes[lane].isAway { settled = until }
        } else if case .free = lanes[lane].screen {
            guard !lanes[lane].isHeld, queues.hasWork(lane) else { return nil }
            return lanes[lane].gapEnds
        }
        guard case .occupied(let occupant) = lanes[lane].screen else {
            return settled.map { max($0, lanes[lane].gapEnds ?? $0) }
        }
        let wake = nextWake(occupant, in: lane)
        guard let settled, let chosen = lanes[lane].chosen else { return wake }
        if ousts(chosen.popup, on: lane) { return earlier(wake, settled) }
        guard occupant.leaving == nil, let ends = occupant.minShowEnds else { return wake }
        return earlier(wake, max(settled, ends))
    }

    private func nextWake(_ occupant: Screen.Occupant, in lane: LaneIndex) -> Duration? {
        switch occupant.phase {
        case .dismissing(let timeout): return timeout
        case .presenting(let timeout):
            if occupant.leaving != nil { return timeout }
            return earlier(timeout, occupant.dismissConditionEnds.map(instant))
        case .showing:
            // Visible time doesn't run in the background.
            let isAway = lanes[lane].isAway
            if occupant.leaving != nil { return isAway ? nil : occupant.minShowEnds }
            var wake = earlier(
                isAway ? nil : occupant.hideDue, occupant.dismissConditionEnds.map(instant))
            if let ends = occupant.minShowEnds, ends > now.instant, awaitsSwitch(occupant, in: lane)
            {
                wake = earlier(wake, ends)
            }
            return wake
        }
    }

    private func awaitsSwitch(_ occupant: Screen.Occupant, in lane: LaneIndex) -> Bool {
        guard lanes[lane].chosen == nil, mayBeSwitched(occupant, in: lane),
            let next = queues.firstOpen(lane)
        else { return false }
        return next.key.outranks(
            order(of: occupant, lane), tieBreak: lanes[lane].rule.tieBreak)
    }
}
