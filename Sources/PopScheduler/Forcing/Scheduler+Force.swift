internal import PopCEL

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
