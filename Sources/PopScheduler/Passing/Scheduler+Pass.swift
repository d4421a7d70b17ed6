internal import PopCEL

// The scheduling pass: the only place where a popup is chosen. Each step is small and the loop is here, so that however
// many tasks the host cancels in a row nothing is called recursively.
extension Scheduler {
    /// Runs passes until nothing changes any more. What is dropped behind them may be what others come after.
    mutating func settle() {
        repeat { runPasses() } while dropExcess()
    }

    private mutating func runPasses() {
        var lane = 0
        // How many lanes in a row had nothing to change.
        var quiet = 0
        while quiet < lanes.count {
            if step(lane) {
                quiet = 0
            } else {
                quiet += 1
                lane = lane + 1 < lanes.count ? lane + 1 : 0
            }
        }
    }

    /// Whether anything was dropped.
    private mutating func dropExcess() -> Bool {
        var drops = false
        for lane in lanes.indices where bound(lane) { drops = true }
        return dropOverdue() || drops
    }

    /// Drops what is too much for a queue, the last in order first.
    private mutating func bound(_ lane: Int) -> Bool {
        guard let most = lanes[lane].rule.maxWaiting else { return false }
        var drops = false
        while lanes[lane].waitingCount > most, let last = lanes[lane].bounded.first {
            discard(last.item, .queueFull)
            drops = true
        }
        return drops
    }

    /// Whether anything has changed that a lane hangs on.
    private mutating func step(_ lane: Int) -> Bool {
        switch lanes[lane].screen {
        case .free: chooseNext(lane)
        case .chosen(let chosen): review(chosen, lane)
        case .occupied: tick(lane) || checkDismissCondition(lane) || considerSwitch(lane)
        }
    }

    /// That one is chosen is nothing that any lane hangs on; what was dropped before it may be.
    private mutating func chooseNext(_ lane: Int) -> Bool {
        if let ends = lanes[lane].gapEnds {
            guard ends <= now.instant else { return false }
            lanes[lane].gapEnds = nil
        }
        let before = effects.count
        guard !lanes[lane].isSuspended, let popup = passOver(lane, before: nil) else {
            return false
        }
        let hasDropped = effects.count > before
        choose(popup, lane)
        return hasDropped
    }

    /// Walks the waiting tasks in order until the first eligible one, and drops what is passed over and wants to be.
    private mutating func passOver(_ lane: Int, before limit: TaskOrder?) -> Int? {
        while true {
            let next = lanes[lane].open.first
            if let doomed = lanes[lane].doomed.first,
                isBefore(doomed.key, earlier(next?.key, limit))
            {
                // One that comes after it may be open now, and stand before the next.
                discard(doomed.item, .discardedUntriggered)
                continue
            }
            guard let next, isBefore(next.key, limit) else { return nil }
            if examine(next.item) == .eligible { return next.item }
        }
    }

    private func isBefore(_ order: TaskOrder, _ limit: TaskOrder?) -> Bool {
        limit.map { order < $0 } ?? true
    }

    private mutating func choose(_ popup: Int, _ lane: Int) {
        leaveQueue(popup)
        scheduleDeadlines(popup)
        let grace = traits[popup].isPlain ? .zero : popups[popup].grace
        if grace > .zero {
            lanes[lane].screen = .chosen(
                Screen.Chosen(popup: popup, phase: .settling(until: now.instant + grace)))
        } else {
            ask(popup, lane)
        }
    }

    private mutating func ask(_ popup: Int, _ lane: Int) {
        let task = taskID(popup)
        let id = PresentationID(task: task, turn: tasks.nextTurn(popup))
        lanes[lane].screen = .chosen(Screen.Chosen(popup: popup, phase: .asked(turn: id.turn)))
        perform(.emit(.willShow(task)), .askWillShow(Presentation(id)))
    }

    /// A chosen task waits again when it may not show any more or a better one may.
    private mutating func review(_ chosen: Screen.Chosen, _ lane: Int) -> Bool {
        guard !lanes[lane].isSuspended, examine(chosen.popup) == .eligible,
            passOver(lane, before: tasks.order(of: chosen.popup)) == nil
        else {
            putBack(chosen.popup, lane)
            return true
        }
        // What was dropped on the way may be what its condition hangs on.
        guard examine(chosen.popup) == .eligible else { return true }
        switch chosen.phase {
        case .settling(let until):
            guard until <= now.instant else { return false }
            ask(chosen.popup, lane)
        case .asked: return false
        case .allowed(let turn):
            let id = PresentationID(task: taskID(chosen.popup), turn: turn)
            present(chosen.popup, id, lane)
        }
        return true
    }

    mutating func putBack(_ popup: Int, _ lane: Int) {
        lanes[lane].screen = .free
        wait(popup)
    }
}
