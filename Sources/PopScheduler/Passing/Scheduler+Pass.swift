internal import PopCEL

// The scheduling pass: the only place where a popup is chosen. Each step is small and the loop is
// here, so that nothing is called recursively, however many tasks the host cancels in a row.
extension Scheduler {
    /// Runs passes until nothing changes anymore. A task that is dropped after a pass may be the
    /// predecessor of other popups.
    mutating func settle() {
        dropOverdue()
        repeat {
            while changeScreen() || choose() || dropPassedOver() {}
        } while dropExcess()
    }

    // MARK: The chosen task and the visible popup

    /// Applies the effects of time, conditions and answers to the first screen that they change.
    /// Returns true if there is one.
    private mutating func changeScreen() -> Bool {
        for lane in lanes.indices
        where tick(lane) || checkDismissCondition(lane) || review(lane) {
            return true
        }
        return false
    }

    /// Puts a chosen task back if it may no longer show or another task outranks it. A task that
    /// the host is being asked about is left unchanged: changes count when the host answers.
    /// Returns true if anything has changed.
    private mutating func review(_ lane: LaneIndex) -> Bool {
        // A chosen task stays chosen in the background.
        guard let chosen = lanes[lane].chosen, !lanes[lane].isAway else { return false }
        switch chosen.phase {
        case .asked: return false
        case .settling:
            if isStillBest(chosen.popup, in: lane) { return false }
            putBack(lane)
        case .allowed(_, let since):
            // Nothing is decided until the leaving popup is gone.
            if lanes[lane].screen.isLeaving, !ousts(chosen.popup, on: lane) { return false }
            if isStillBest(chosen.popup, in: lane) {
                // A popup isn't dismissed for a task in control, which isn't shown.
                guard lanes[lane].isOccupied, isControl(chosen.popup) else {
                    return makeRoom(for: chosen.popup, lane)
                }
                endControl(chosen.popup, since: since, in: lane)
                return true
            }
            putBack(lane)
            emit(.requeued(taskID(chosen.popup)))
        }
        return true
    }

    private mutating func isStillBest(_ popup: PopupIndex, in lane: LaneIndex) -> Bool {
        !lanes[lane].isHeld && examine(popup) == .eligible
            && firstEligible(lane, before: queues.tasks.order(of: popup)) == nil
    }

    // MARK: Choosing

    /// Takes the task with the highest priority that the schedulers could show; among equal
    /// priorities, the task of the scheduler declared first. Returns true if there was a task.
    private mutating func choose() -> Bool {
        var best: (popup: PopupIndex, lane: LaneIndex)?
        for lane in lanes.indices {
            guard let popup = choice(lane) else { continue }
            if let best, catalog.traits[best.popup].priority >= catalog.traits[popup].priority {
                continue
            }
            best = (popup, lane)
        }
        guard let best else { return false }
        take(best.popup, in: best.lane)
        return true
    }

    /// Returns the task that a scheduler could let settle, ask about or present now.
    private mutating func choice(_ lane: LaneIndex) -> PopupIndex? {
        if lanes[lane].isHeld { return nil }
        if let chosen = lanes[lane].chosen { return isDue(chosen, in: lane) ? chosen.popup : nil }
        if lanes[lane].isOccupied { return challenger(lane) }
        return isResting(lane) ? firstForced(lane) : firstEligible(lane)
    }

    private mutating func isDue(_ chosen: Chosen, in lane: LaneIndex) -> Bool {
        switch chosen.phase {
        case .settling(let until):
            until <= now.instant
                && (lanes[lane].isOccupied ? maySwitch(lane, to: chosen.popup) : !isResting(lane))
        case .asked: false
        case .allowed: !lanes[lane].isOccupied
        }
    }

    private mutating func isResting(_ lane: LaneIndex) -> Bool {
        guard let ends = lanes[lane].gapEnds else { return false }
        if ends > visibleNow { return true }
        lanes[lane].rest(until: nil)
        return false
    }

    /// Returns the first task in order that may show. Nothing is dropped on the way to it.
    private mutating func firstEligible(_ lane: LaneIndex, before limit: TaskOrder? = nil)
        -> PopupIndex?
    {
        while let next = queues.firstOpen(lane), isBefore(next.key, limit: limit) {
            if examine(next.popup) == .eligible { return next.popup }
        }
        return nil
    }

    private func isBefore(_ order: TaskOrder, limit: TaskOrder?) -> Bool {
        limit.map { order < $0 } ?? true
    }

    /// Takes one step towards showing a task. If the screen is free, tasks that are passed over are
    /// dropped first.
    private mutating func take(_ popup: PopupIndex, in lane: LaneIndex) {
        if !lanes[lane].isOccupied, dropFirstPassedOver(lane, before: queues.tasks.order(of: popup))
        {
            return
        }
        guard let chosen = lanes[lane].chosen else { return choose(popup, in: lane) }
        guard case .allowed(let turn, let since) = chosen.phase else {
            return ask(popup, in: lane)
        }
        if isControl(popup) { return endControl(popup, since: since, in: lane) }
        expose(popup, since: since, reserved: chosen.reserved)
        present(chosen, turn: turn, in: lane)
    }

    private mutating func choose(_ popup: PopupIndex, in lane: LaneIndex) {
        queues.leave(popup, lane: lane)
        let grace = grace(of: popup)
        if grace > .zero {
            let phase = Chosen.Phase.settling(until: now.instant + grace)
            lanes[lane].choose(Chosen(popup: popup, phase: phase))
        } else {
            ask(popup, in: lane)
        }
    }

    func grace(of popup: PopupIndex) -> Duration {
        catalog.traits[popup].isPlain || isForced(popup)
            ? .zero : catalog.popups[popup].timing.grace
    }

    /// Asks the host. From here on, a place under each cap is reserved for the task, so that no
    /// crash lets a cap be exceeded.
    private mutating func ask(_ popup: PopupIndex, in lane: LaneIndex) {
        let task = taskID(popup)
        let id = PresentationID(task: task, turn: queues.nextTurn(popup))
        fixArm(of: popup)
        let record = reserve(popup)
        let isReserved = record != nil
        lanes[lane].choose(
            Chosen(
                popup: popup, phase: .asked(turn: id.turn),
                reserved: isReserved ? now.date : nil))
        if let record { effects.add(.record(record, user: memory.user)) }
        if isReserved, !catalog.countedKeys.isEmpty {
            countPlace(of: popup, task: task.number)
        }
        effects.add(.emit(.willShow(task)), then: .askWillShow(presentation(id, of: popup)))
    }

    // MARK: Putting back and dropping

    /// Puts the chosen task of a scheduler back into the queue, in its old place.
    mutating func putBack(_ lane: LaneIndex) {
        guard let chosen = lanes[lane].chosen else { return }
        unchoose(lane)
        wait(chosen.popup)
    }

    /// Makes the chosen task no longer chosen, and frees its place under the caps.
    mutating func unchoose(_ lane: LaneIndex) {
        guard let chosen = lanes[lane].chosen else { return }
        lanes[lane].unchoose()
        guard let date = chosen.reserved else { return }
        let popup = chosen.popup
        takeBackReservation(
            date, isExposed: queues.tasks.isExposed(popup), of: catalog.traits[popup].id,
            at: popup, task: queues.tasks.order(of: popup).number, user: memory.user)
    }

    /// Drops the first task that was passed over where nothing could be chosen. Returns true if
    /// there was one.
    private mutating func dropPassedOver() -> Bool {
        for lane in lanes.indices where queues.firstDoomed(lane) != nil && walks(lane) {
            let limit = lanes[lane].chosen.map { queues.tasks.order(of: $0.popup) }
            if dropFirstPassedOver(lane, before: limit) { return true }
        }
        return false
    }

    /// Returns true if the scheduler goes through its queue.
    private mutating func walks(_ lane: LaneIndex) -> Bool {
        !lanes[lane].isHeld && !lanes[lane].isOccupied
            && lanes[lane].chosen?.isSettling != false && !isResting(lane)
    }

    private mutating func dropFirstPassedOver(_ lane: LaneIndex, before limit: TaskOrder?) -> Bool {
        guard let doomed = queues.firstDoomed(lane), isBefore(doomed.key, limit: limit) else {
            return false
        }
        discard(doomed.popup, for: .discardedUntriggered)
        return true
    }

    /// Drops tasks that are too many for the queues, or whose time is over. Returns true if any was
    /// dropped.
    private mutating func dropExcess() -> Bool {
        var drops = false
        for lane in lanes.indices where bound(lane) { drops = true }
        return dropOverdue() || drops
    }

    /// Drops tasks that are too many for a queue, the last in order first.
    private mutating func bound(_ lane: LaneIndex) -> Bool {
        var drops = false
        while let last = queues.excess(lane) {
            discard(last, for: .queueFull)
            drops = true
        }
        return drops
    }
}

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

// A popup that is to show regardless of its rule. Each scheduler has at most one: the popup that
// was forced last. Nothing of this applies to apps that force no popup.
extension Scheduler {
    /// Returns true if a waiting or chosen task is to show regardless of its rule.
    ///
    /// Inlined: for a call from a mutating function, the compiler would copy the whole scheduler.
    @inline(__always)
    func isForced(_ popup: PopupIndex) -> Bool {
        guard hasForced, let forced = lanes[catalog.traits[popup].lane].forced else { return false }
        return queues.tasks.isLive(popup) && queues.tasks.order(of: popup).number == forced
    }

    /// Returns the place of a task among those of its scheduler; inlined for the same reason as
    /// `isForced`.
    @inline(__always)
    func order(ofTask number: Int, priority: Int, on lane: LaneIndex) -> TaskOrder {
        hasForced && lanes[lane].forced == number
            ? TaskOrder(forced: number)
            : TaskOrder(lanes[lane].rule, priority: priority, number: number)
    }

    /// Puts the task of a popup before all others; makes a task if the popup has no task. A popup
    /// on the screen stays there.
    mutating func force(_ id: String) {
        guard let popup = catalog.place(of: id) else { return reportIfUnknown(id) }
        hasForced = true
        if let lane = lanes.showing(id), let subject = lanes[lane].screen.subject {
            unforce(lane)
            lanes[lane].force(subject.task.number)
            return emit(.coalesced(subject.presentation.task))
        }
        let lane = catalog.traits[popup].lane
        if queues.tasks.isLive(popup) {
            if isForced(popup) { lanes[lane].force(nil) }
            unforce(lane)
            reorder(popup, as: queues.tasks.order(of: popup).number)
            emit(.coalesced(taskID(popup)))
        } else {
            unforce(lane)
            makeForced(popup)
        }
    }

    private mutating func makeForced(_ popup: PopupIndex) {
        outcomes.taskMade(of: catalog.traits[popup].id)
        let number = queues.nextNumber()
        lanes[catalog.traits[popup].lane].force(number)
        admit(LiveTask(number: number, LiveTask.Claim(made: now.instant)), of: popup)
        emit(.queued(taskID(popup)))
    }

    /// Ends the forcing of a task: it waits like any other task, or ends if no task of its popup
    /// would be made.
    private mutating func unforce(_ lane: LaneIndex) {
        guard let number = lanes[lane].forced else { return }
        let former = queues.tasks.indices.first {
            catalog.traits[$0].lane == lane && queues.tasks.isLive($0)
                && queues.tasks.order(of: $0).number == number
        }
        lanes[lane].force(nil)
        guard let former else { return }
        if let reason = reasonAgainst(former) { return discard(former, for: reason) }
        reorder(former, as: nil)
    }

    /// Moves a task to another place in the queue; if the host was asked about it, it is asked
    /// again.
    private mutating func reorder(_ popup: PopupIndex, as forced: Int?) {
        let lane = catalog.traits[popup].lane
        var wasAsked = false
        if let chosen = lanes[lane].chosen, chosen.popup == popup {
            wasAsked = !chosen.isSettling
            putBack(lane)
        }
        guard var task = queues.tasks[popup] else { return }
        if forced != nil { task.claim.postponedUntil = nil }
        // A user in control sees the popup while it is forced, and otherwise nothing.
        if task.claim.arm == (forced == nil ? "" : Assignment.control) { task.claim.arm = nil }
        detach(popup)
        lanes[lane].force(forced)
        admit(task, of: popup)
        if wasAsked { emit(.requeued(taskID(popup))) }
    }

    /// Returns the forced task if it is eligible and first in the queue, although the scheduler
    /// rests.
    mutating func firstForced(_ lane: LaneIndex) -> PopupIndex? {
        guard lanes[lane].forced != nil, let first = queues.firstOpen(lane)?.popup,
            isForced(first), examine(first) == .eligible
        else { return nil }
        return first
    }

    /// Returns true if no task would be made of a popup on a screen, so that it doesn't come back.
    func isBarred(_ occupant: Screen.Occupant) -> Bool {
        guard let popup = catalog.place(of: occupant.popup.id) else { return false }
        return reasonAgainst(popup).map { !$0.isUsedUpByShowing } ?? false
    }
}
