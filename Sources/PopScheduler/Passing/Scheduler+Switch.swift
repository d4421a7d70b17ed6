internal import PopCEL

extension Scheduler {
    /// Takes the visible popup down when a better one may show and its `switch` lets it go.
    mutating func considerSwitch(_ lane: Int) -> Bool {
        if lanes[lane].open.isEmpty { return false }
        guard let occupant = lanes[lane].screen.occupant, canBeSwitched(occupant, lane),
            let better = firstThatOutranks(occupant, lane)
        else { return false }
        let requeues =
            occupant.popup.switch == .latent && popups[better].priority > occupant.popup.priority
        startDismissal(lane, Screen.Leaving(reason: .preempted, requeues: requeues))
        return true
    }

    /// Whether a better task would be let in now, `min_show` being over.
    private func canBeSwitched(_ occupant: Screen.Occupant, _ lane: Int) -> Bool {
        guard mayBeSwitched(occupant, lane), let ends = occupant.minShowEnds else { return false }
        return ends <= now.instant
    }

    /// Whether a better task will be let in.
    func mayBeSwitched(_ occupant: Screen.Occupant, _ lane: Int) -> Bool {
        lanes[lane].rule.strategy == .priority && !lanes[lane].isSuspended
            && occupant.popup.switch != .await && occupant.leaving == nil
    }

    /// The first eligible task, if it outranks the visible one. Nothing is dropped on the way.
    private mutating func firstThatOutranks(_ occupant: Screen.Occupant, _ lane: Int) -> Int? {
        let order = self.order(of: occupant, lane)
        while let next = lanes[lane].open.first,
            next.key.outranks(order, tieBreak: lanes[lane].rule.tieBreak)
        {
            if examine(next.item) == .eligible { return next.item }
        }
        return nil
    }

    /// A reload may have changed the scheduler, so the place is worked out afresh.
    func order(of occupant: Screen.Occupant, _ lane: Int) -> TaskOrder {
        TaskOrder(
            lanes[lane].rule, priority: occupant.popup.priority,
            number: occupant.subject.task.number)
    }
}
