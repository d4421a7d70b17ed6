internal import PopCEL

// The scheduling pass: the only place where a popup is chosen. Each step is small and the loop is
// here, so that however many tasks the host cancels in a row nothing is called recursively.
extension Scheduler {
    /// Runs passes until nothing changes any more. What is dropped behind them may be what others
    /// come after.
    mutating func settle() {
        dropOverdue()
        repeat {
            while changeScreen() || choose() || dropPassedOver() {}
        } while dropExcess()
    }

    // MARK: What is chosen already, and what shows

    /// What time, conditions and answers bring to the first screen that they change. Whether there
    /// is one.
    private mutating func changeScreen() -> Bool {
        for lane in lanes.indices
        where tick(lane) || checkDismissCondition(lane) || review(lane) {
            return true
        }
        return false
    }

    /// A chosen task goes back when it may not show any more or a better one may. One that the host
    /// is asked about is left alone: what changes meanwhile counts when it answers. Whether
    /// anything has changed.
    private mutating func review(_ lane: LaneIndex) -> Bool {
        // What is chosen stays so in the background.
        guard let chosen = lanes[lane].chosen, !lanes[lane].isAway else { return false }
        switch chosen.phase {
        case .asked: return false
        case .settling:
            if isStillBest(chosen.popup, in: lane) { return false }
            putBack(lane)
        case .allowed(_, let since):
            // Nothing is decided until what goes is gone.
            if lanes[lane].screen.isLeaving, !ousts(chosen.popup, on: lane) { return false }
            if isStillBest(chosen.popup, in: lane) {
                // For one that is not shown nobody leaves.
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

    /// Takes the most important of what the schedulers could show; of equals that of the scheduler
    /// declared first. Whether there was any.
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

    /// What a scheduler could let settle, ask about or present now.
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

    /// The first task in order that may show. Nothing is dropped on the way to it.
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

    /// One step towards showing a task: what is passed over goes first, when the screen is free.
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

    /// Asks the host. A place under each cap is kept for the task from here on, so that no crash
    /// lets one be exceeded.
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

    // MARK: Going back, dropping

    /// The chosen task of a scheduler waits again, in its old place.
    mutating func putBack(_ lane: LaneIndex) {
        guard let chosen = lanes[lane].chosen else { return }
        unchoose(lane)
        wait(chosen.popup)
    }

    /// What was chosen is so no more, and gives its place under the caps back.
    mutating func unchoose(_ lane: LaneIndex) {
        guard let chosen = lanes[lane].chosen else { return }
        lanes[lane].unchoose()
        guard let date = chosen.reserved else { return }
        let popup = chosen.popup
        takeBackReservation(
            date, isExposed: queues.tasks.isExposed(popup), of: catalog.traits[popup].id,
            at: popup, task: queues.tasks.order(of: popup).number, user: memory.user)
    }

    /// Drops the first of the tasks that were passed over where nothing could be chosen. Whether
    /// there was one.
    private mutating func dropPassedOver() -> Bool {
        for lane in lanes.indices where queues.firstDoomed(lane) != nil && walks(lane) {
            let limit = lanes[lane].chosen.map { queues.tasks.order(of: $0.popup) }
            if dropFirstPassedOver(lane, before: limit) { return true }
        }
        return false
    }

    /// Whether the scheduler goes through its queue.
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

    /// Drops what is too much for the queues, and what is over. Whether anything was.
    private mutating func dropExcess() -> Bool {
        var drops = false
        for lane in lanes.indices where bound(lane) { drops = true }
        return dropOverdue() || drops
    }

    /// Drops what is too much for a queue, the last in order first.
    private mutating func bound(_ lane: LaneIndex) -> Bool {
        var drops = false
        while let last = queues.excess(lane) {
            discard(last, for: .queueFull)
            drops = true
        }
        return drops
    }
}
