internal import PopCEL

extension Scheduler {
    /// The first eligible task, if it outranks the visible one and the switch lets it in. It may
    /// settle while `min_show` of the visible one is not over, and is asked about when it is.
    mutating func challenger(_ lane: LaneIndex) -> PopupIndex? {
        if queues.firstOpen(lane) == nil { return nil }
        guard let occupant = lanes[lane].screen.occupant, occupant.visibleSince != nil,
            mayBeSwitched(occupant, in: lane) || mayBeOusted(on: lane),
            let better = firstThatOutranks(occupant, in: lane)
        else { return nil }
        if ousts(better, on: lane) { return better }
        guard mayBeSwitched(occupant, in: lane) else { return nil }
        return grace(of: better) > .zero || maySwitch(lane, to: better) ? better : nil
    }

    /// Whether a better task would be let in now: an urgent one, or any, `min_show` being over.
    func maySwitch(_ lane: LaneIndex, to popup: PopupIndex) -> Bool {
        if ousts(popup, on: lane) { return true }
        guard let occupant = lanes[lane].screen.occupant, mayBeSwitched(occupant, in: lane),
            let ends = occupant.minShowEnds
        else { return false }
        return ends <= visibleNow
    }

    /// Whether an urgent task would be let in, or one that is forced.
    private func mayBeOusted(on lane: LaneIndex) -> Bool {
        (catalog.hasUrgent || hasForced && lanes[lane].forced != nil)
            && lanes[lane].rule.strategy == .priority
            && !lanes[lane].isHeld
    }

    /// Whether a task takes the screen from the visible popup, whatever that one says.
    func ousts(_ popup: PopupIndex, on lane: LaneIndex) -> Bool {
        let isForced = isForced(popup)
        guard isForced || catalog.traits[popup].isUrgent, mayBeOusted(on: lane),
            let occupant = lanes[lane].screen.occupant, occupant.visibleSince != nil
        else { return false }
        return isForced || catalog.traits[popup].priority > occupant.popup.priority
    }

    /// Takes the visible popup down for one that the host said yes to. Whether there is one.
    mutating func makeRoom(for popup: PopupIndex, _ lane: LaneIndex) -> Bool {
        guard let occupant = lanes[lane].screen.occupant else { return false }
        // What was asked to go already goes for that.
        if let asked = occupant.leaving {
            startDismissal(lane, leaving: Screen.Leaving(reason: asked.reason, isSwitch: true))
            return true
        }
        let isForced = isForced(popup)
        let isHigher = isForced || catalog.traits[popup].priority > occupant.popup.priority
        let comesBack =
            ousts(popup, on: lane)
            ? occupant.popup.switch != .discard : occupant.popup.switch == .latent
        startDismissal(
            lane,
            leaving: Screen.Leaving(
                reason: .preempted,
                requeues: comesBack && isHigher && !(isForced && isBarred(occupant)),
                isSwitch: true))
        return true
    }

    /// Whether a better task will be let in some time.
    func mayBeSwitched(_ occupant: Screen.Occupant, in lane: LaneIndex) -> Bool {
        lanes[lane].rule.strategy == .priority && !lanes[lane].isHeld
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
        order(
            ofTask: occupant.subject.task.number, priority: occupant.popup.priority, on: lane)
    }
}
