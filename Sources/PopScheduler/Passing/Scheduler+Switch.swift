internal import PopCEL

extension Scheduler {
    /// Returns the first eligible task, if it outranks the visible one and the switch lets it in.
    /// It may settle before `min_show` of the visible popup is over; the host is asked about it
    /// afterwards.
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

    /// Returns true if a task that outranks the visible popup would be let in now: an urgent task,
    /// or any task once `min_show` is over.
    func maySwitch(_ lane: LaneIndex, to popup: PopupIndex) -> Bool {
        if ousts(popup, on: lane) { return true }
        guard let occupant = lanes[lane].screen.occupant, mayBeSwitched(occupant, in: lane),
            let ends = occupant.minShowEnds
        else { return false }
        return ends <= visibleNow
    }

    /// Returns true if an urgent or a forced task would be let in.
    private func mayBeOusted(on lane: LaneIndex) -> Bool {
        (catalog.hasUrgent || hasForced && lanes[lane].forced != nil)
            && lanes[lane].rule.strategy == .priority
            && !lanes[lane].isHeld
    }

    /// Returns true if a task takes the screen from the visible popup, regardless of that popup's
    /// `switch` and `min_show`.
    func ousts(_ popup: PopupIndex, on lane: LaneIndex) -> Bool {
        let isForced = isForced(popup)
        guard isForced || catalog.traits[popup].isUrgent, mayBeOusted(on: lane),
            let occupant = lanes[lane].screen.occupant, occupant.visibleSince != nil
        else { return false }
        return isForced || catalog.traits[popup].priority > occupant.popup.priority
    }

    /// Takes the visible popup down for a task that the host has allowed. Returns true if there is
    /// a visible popup.
    mutating func makeRoom(for popup: PopupIndex, _ lane: LaneIndex) -> Bool {
        guard let occupant = lanes[lane].screen.occupant else { return false }
        // A popup that is already leaving is dismissed for its own reason.
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

    /// Returns true if a task that outranks the visible popup will be let in at some time.
    func mayBeSwitched(_ occupant: Screen.Occupant, in lane: LaneIndex) -> Bool {
        lanes[lane].rule.strategy == .priority && !lanes[lane].isHeld
            && occupant.popup.switch != .await && occupant.leaving == nil
    }

    /// Returns the first eligible task, if it outranks the visible one. Nothing is dropped on the
    /// way to it.
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

    /// Returns the place of the visible task. A reload may have changed the scheduler, so the place
    /// is computed on each call.
    func order(of occupant: Screen.Occupant, _ lane: LaneIndex) -> TaskOrder {
        order(
            ofTask: occupant.subject.task.number, priority: occupant.popup.priority, on: lane)
    }
}
