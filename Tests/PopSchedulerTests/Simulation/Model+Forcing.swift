import PopCEL
import PopScheduler

// Popups that show regardless of their rules.
extension Model {
    func isForced(_ task: Task) -> Bool {
        popup(task.id.popup).map { lanes[$0.scheduler].forced == task.id.number } ?? false
    }

    /// Returns true if the task of a popup that waits, or comes next, is forced.
    func isForced(_ id: String, _ lane: LaneIndex) -> Bool {
        let tasks = lanes[lane].waiting + (lanes[lane].next.map { [$0.task] } ?? [])
        return tasks.contains { $0.id.popup == id && $0.id.number == lanes[lane].forced }
    }

    /// Returns true if a popup that was replaced on the screen would not come back.
    func isBarred(_ id: String) -> Bool {
        let reason = popup(id).flatMap(reasonAgainst)
        let isBarred = reason != nil && reason != .lifetimeCap && reason != .closedTooOften
        see(.oustedIsBarred, when: isBarred)
        return isBarred
    }

    func force(_ id: String) {
        let holding = lanes.indices.first {
            lanes[$0].holder?.rule.id == id && lanes[$0].holder?.isDetached == false
        }
        if let rule = popup(id) {
            if let lane = holding, let holder = lanes[lane].holder {
                see(.forcedOnScreen)
                unforce(lane)
                lanes[lane].forced = holder.task.id.number
                return emit(.coalesced(holder.task.id))
            }
            force(rule, on: rule.scheduler)
        }
    }

    private func force(_ rule: PopupRule, on lane: LaneIndex) {
        if isForced(rule.id, lane) { lanes[lane].forced = nil }
        unforce(lane)
        let tasks = lanes[lane].waiting + (lanes[lane].next.map { [$0.task] } ?? [])
        if let task = tasks.first(where: { $0.id.popup == rule.id }) {
            see(.forcedWhileItWaits)
            reorder(task, lane, forced: task.id.number)
            emit(.coalesced(task.id))
        } else {
            see(.forcedAnyway, when: reasonAgainst(rule) != nil)
            taskCount += 1
            let id = TaskID(
                popup: rule.id, scheduler: lanes[lane].rule.name, number: taskCount)
            lanes[lane].forced = taskCount
            lanes[lane].waiting.append(Task(id: id, made: now.instant))
            emit(.queued(id))
        }
    }

    private func unforce(_ lane: LaneIndex) {
        guard let number = lanes[lane].forced else { return }
        lanes[lane].forced = nil
        let tasks = lanes[lane].waiting + (lanes[lane].next.map { [$0.task] } ?? [])
        guard let task = tasks.first(where: { $0.id.number == number }) else { return }
        see(.forcedNoMore)
        if let reason = popup(task.id.popup).flatMap(reasonAgainst) {
            if lanes[lane].next?.task.id == task.id { return dropNext(lane, reason) }
            return drop(lane, task, reason)
        }
        reorder(task, lane, forced: nil)
    }

    private func reorder(_ task: Task, _ lane: LaneIndex, forced: Int?) {
        var task = task
        if lanes[lane].next?.task.id == task.id {
            let wasAsked = wasAsked(lane)
            guard let next = takeNext(lane) else { return }
            task = next
            if wasAsked { emit(.requeued(task.id)) }
        }
        if forced != nil { task.postponedUntil = nil }
        if task.arm == (forced == nil ? "" : Assignment.control) { task.arm = nil }
        lanes[lane].waiting.removeAll { $0.id == task.id }
        lanes[lane].forced = forced
        lanes[lane].waiting.append(task)
    }

    /// Returns the first task of a lane if it is forced and may show: it doesn't wait for the end
    /// of the gap.
    func firstForced(_ lane: LaneIndex) -> Task? {
        guard let first = queue(lane).first, isForced(first) else { return nil }
        var task = first
        guard judge(lane, &task) == nil else { return nil }
        see(.forcedInTheGap)
        return task
    }
}
