internal import PopCEL
internal import PopSource

extension Scheduler {
    mutating func dismiss(_ id: String) {
        if let lane = lanes.showing(id) {
            forgetRemembered(on: lane, for: .dismissedBeforeShown)
            leave(lane, leaving: Screen.Leaving(reason: .dismissed))
        } else {
            endOffScreen(id) { $0.claim.wasShown ? .dismissed : .dismissedBeforeShown }
        }
    }

    mutating func remove(_ id: String) {
        if let lane = lanes.showing(id) {
            forgetRemembered(on: lane, for: .removed)
            leave(lane, leaving: Screen.Leaving(reason: .removed, isImmediate: true))
        } else {
            endOffScreen(id) { _ in .removed }
        }
    }

    private mutating func endOffScreen(_ id: String, for reason: (LiveTask) -> ReasonCode) {
        guard let popup = catalog.place(of: id) else { return reportIfUnknown(id) }
        if let task = queues.tasks[popup] { discard(popup, for: reason(task)) }
    }

    mutating func removeAll() {
        for lane in lanes.indices {
            for popup in queue(lane) { discard(popup, for: .removed) }
            forgetRemembered(on: lane, for: .removed)
            leave(lane, leaving: Screen.Leaving(reason: .dismissed))
        }
    }

    mutating func suspend(_ suspension: Suspension) {
        if !isKnown(suspension.scheduler) { return }
        lanes.suspend(suspension)
    }

    /// Lifts the suspension of the same owner, and no other; also for a scheduler that a reload has
    /// removed in the meantime.
    mutating func resume(_ suspension: Suspension) {
        if !lanes.resume(suspension) { isKnown(suspension.scheduler) }
    }

    @discardableResult
    private mutating func isKnown(_ scheduler: String?) -> Bool {
        guard let scheduler, !lanes.contains(scheduler) else { return true }
        emit(.rejected(.unknownScheduler(scheduler)))
        return false
    }

    /// Handles the host's report that the popup is off the screen, in whatever state the popup was.
    mutating func didDisappear(_ id: String) {
        guard let lane = lanes.showing(id) ?? lanes.occupied(by: id) else {
            return reportIfUnknown(id)
        }
        guard var occupant = lanes[lane].screen.occupant else { return }
        if occupant.leaving == nil {
            occupant.leaving = Screen.Leaving(reason: .disappeared)
            lanes[lane].update(occupant)
        }
        // A popup that disappeared from the screen must have been on it.
        makeImpression(lane)
        finishDismissal(lane)
    }

    /// A popup that a reload removed is still known while it leaves the screen.
    mutating func reportIfUnknown(_ id: String) {
        guard catalog.place(of: id) == nil, lanes.occupied(by: id) == nil else { return }
        emit(.rejected(.unknownPopup(id)))
    }

    /// The popups that wait on a scheduler, in order; a chosen one first.
    func queue(_ lane: LaneIndex) -> [PopupIndex] {
        let waiting = queues.tasks.indices.filter {
            queues.tasks.isWaiting($0) && catalog.traits[$0].lane == lane
        }
        .ordered { queues.tasks.order(of: $0) < queues.tasks.order(of: $1) }
        return (lanes[lane].chosen.map { [$0.popup] } ?? []) + waiting
    }

    /// Returns the position of a waiting popup in the queue of its scheduler, from 1. Linear in the
    /// popups.
    func place(of popup: PopupIndex) -> Int {
        let lane = catalog.traits[popup].lane
        if lanes[lane].chosen?.popup == popup { return 1 }
        let ahead = queues.tasks.indices.count {
            queues.tasks.isWaiting($0) && catalog.traits[$0].lane == lane
                && queues.tasks.order(of: $0) < queues.tasks.order(of: popup)
        }
        return (lanes[lane].chosen == nil ? 0 : 1) + ahead + 1
    }
}
