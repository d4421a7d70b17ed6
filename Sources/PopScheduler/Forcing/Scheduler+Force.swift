internal import PopCEL

// A popup that is to show whatever its rule says. Of each scheduler the one that was forced last
// is such; who forces none has no part in any of this.
extension Scheduler {
    /// Whether a task that waits or is chosen is to show whatever its rule says.
    ///
    /// Inlined: for a call from what changes the scheduler, the compiler copies the whole of it.
    @inline(__always)
    func isForced(_ popup: PopupIndex) -> Bool {
        guard hasForced, let forced = lanes[catalog.traits[popup].lane].forced else { return false }
        return queues.tasks.isLive(popup) && queues.tasks.order(of: popup).number == forced
    }

    /// The place of a task among those of its scheduler; inlined as `isForced` is.
    @inline(__always)
    func order(ofTask number: Int, priority: Int, on lane: LaneIndex) -> TaskOrder {
        hasForced && lanes[lane].forced == number
            ? TaskOrder(forced: number)
            : TaskOrder(lanes[lane].rule, priority: priority, number: number)
    }

    /// The task of a popup goes before all others, and one is made where there is none. What shows
    /// keeps the screen.
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

    /// What was forced before waits as any other, or ends where no task of it would be made.
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

    /// Gives a task its place anew, of which the host is asked anew too.
    private mutating func reorder(_ popup: PopupIndex, as forced: Int?) {
        let lane = catalog.traits[popup].lane
        var wasAsked = false
        if let chosen = lanes[lane].chosen, chosen.popup == popup {
            wasAsked = !chosen.isSettling
            putBack(lane)
        }
        guard var task = queues.tasks[popup] else { return }
        if forced != nil { task.claim.postponedUntil = nil }
        // Who is in control sees what is forced, and nothing else.
        if task.claim.arm == (forced == nil ? "" : Assignment.control) { task.claim.arm = nil }
        detach(popup)
        lanes[lane].force(forced)
        admit(task, of: popup)
        if wasAsked { emit(.requeued(taskID(popup))) }
    }

    /// What waits forced, though the scheduler rests.
    mutating func firstForced(_ lane: LaneIndex) -> PopupIndex? {
        guard lanes[lane].forced != nil, let first = queues.firstOpen(lane)?.popup,
            isForced(first), examine(first) == .eligible
        else { return nil }
        return first
    }

    /// Whether no task would be made of a popup on a screen, so that it does not come back to it.
    func isBarred(_ occupant: Screen.Occupant) -> Bool {
        guard let popup = catalog.place(of: occupant.popup.id) else { return false }
        return reasonAgainst(popup).map { !$0.isUsedUpByShowing } ?? false
    }
}
