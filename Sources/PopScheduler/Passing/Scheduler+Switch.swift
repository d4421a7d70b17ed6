internal import PopCEL

extension Scheduler {
    /// The first eligible task, if it outranks the visible one and the switch lets it in. It may
    /// settle while `min_show` of the visible one is not over, and is asked about when it is.
    mutating func challenger(_ lane: LaneIndex) -> PopupIndex? {
        if queues.firstOpen(lane) == nil { return nil }
        guard let occupant = lanes[lane].screen.occupant, occupant.visibleSince != nil,
            mayBeSwitched(occupant, in: lane), let better = firstThatOutranks(occupant, in: lane)
        else { return nil }
        return grace(of: better) > .zero || maySwitch(lane) ? better : nil
    }

    /// Whether a better task would be let in now, `min_show` being over.
    func maySwitch(_ lane: LaneIndex) -> Bool {
        guard let occupant = lanes[lane].screen.occupant, mayBeSwitched(occupant, in: lane),
            let ends = occupant.minShowEnds
        else { return false }
        return ends <= now.instant
    }

    /// Takes the visible popup down for one that the host said yes to. Whether there is one.
    mutating func makeRoom(for popup: PopupIndex, _ lane: LaneIndex) -> Bool {
        guard let occupant = lanes[lane].screen.occupant else { return false }
        let requeues =
            occupant.popup.switch == .latent
            && catalog.traits[popup].priority > occupant.popup.priority
        startDismissal(
            lane, leaving: Screen.Leaving(reason: .preempted, requeues: requeues, isSwitch: true))
        return true
    }

    /// Whether a better task will be let in some time.
    func mayBeSwitched(_ occupant: Screen.Occupant, in lane: LaneIndex) -> Bool {
        lanes[lane].rule.strategy == .priority && !lanes[lane].isSuspended
            && occupant.popup.switch != .await && occupant.leaving == nil
    }

    /// The first eligible task, if it outranks the visible one. Nothing is dropped on the way.
    private mutating func firstThatOutranks(_ occupant: Screen.Occupant, in lane: LaneIndex)
        -> PopupIndex?
    {
        let order = self.order(of: occupant, lane)
        while let next = queues.firstOpen(lane),
            next.key.outranks(order, tieBreak: lanes[lane].rule.tieBreak)
        {
            if examine(next.popup) == .eligible { return next.popup }
        }
        return nil
    }

    /// A reload may have changed the scheduler, so the place is worked out afresh.
    func order(of occupant: Screen.Occupant, _ lane: LaneIndex) -> TaskOrder {
        TaskOrder(
            lanes[lane].rule, priority: occupant.popup.priority,
            number: occupant.subject.task.number)
    }
}
