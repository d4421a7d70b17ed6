import PopCEL
import PopScheduler

extension Model {
    /// Returns the arm of a task; nil if it has none.
    func arm(_ task: Task) -> String? {
        guard popup(task.id.popup)?.audience.experiment != nil, let arm = task.arm, arm != "" else {
            return nil
        }
        return arm
    }

    /// The host is asked: the arm is fixed, unless it is and the rules still have it.
    func fixArm(_ task: inout Task) {
        guard let experiment = popup(task.id.popup)?.audience.experiment else { return }
        let names = ["", Assignment.control] + experiment.assignment.arms.map(\.name)
        if let arm = task.arm, names.contains(arm) { return }
        let drawn = experiment.assignment.arm(of: value(ofKey: experiment.assignment.key))
        let forced = forcedArms[task.id.popup].flatMap { names.contains($0) ? $0 : nil }
        task.arm = forced ?? drawn ?? ""
        let isForced = isForced(task)
        see(.forcedInControl, when: isForced && task.arm == Assignment.control)
        if isForced, task.arm == Assignment.control { task.arm = "" }
    }

    func force(_ arm: String?, of id: String) {
        guard let rule = popup(id) else { return emit(.rejected(.unknownPopup(id))) }
        let arms = rule.audience.experiment?.assignment.arms.map(\.name)
        if let arm, !(arms.map { ($0 + ["", Assignment.control]).contains(arm) } ?? false) {
            return emit(.rejected(.unknownVariant(popup: id, variant: arm)))
        }
        forcedArms[id] = arm
    }

    /// At the answer `show`, once for each task.
    func expose(_ lane: LaneIndex) {
        guard var next = lanes[lane].next, let arm = arm(next.task), !next.task.isExposed,
            let reserved = next.reserved, case .allowed(let date) = next.phase
        else { return }
        let id = next.task.id.popup
        let isFirst = (history.popups[id]?.exposures.count ?? 0) == 0
        record(.exposure(popup: id, variant: arm, date: date, reserved: reserved))
        unseenCounts[user, default: [:]][id, default: 0] += 1
        next.task.isExposed = true
        lanes[lane].next = next
        see(.exposedToVariant, when: arm != Assignment.control)
        emit(.exposed(next.task.id, variant: arm, isFirst: isFirst))
    }

    /// Ends a popup that would be shown to users outside of the control group.
    func endControl(_ lane: LaneIndex) {
        see(.controlBehindAnother, when: lanes[lane].holder != nil)
        expose(lane)
        dropNext(lane, .control)
    }

    /// Returns the dates that a popup's own caps count: exposures, and impressions without an
    /// exposure.
    func ownDates(_ id: String) -> [Timestamp] {
        guard let past = history.popups[id] else { return [] }
        var dates = past.impressions + past.reservations
        let held = heldTasks([id]).filter { !$0.isExposed }.map(\.date)
        for date in past.exposures.places + held {
            if let index = dates.firstIndex(of: date) { dates.remove(at: index) }
        }
        return dates + past.exposures.dates
    }

    /// Returns how often a popup counts in this session for its own caps.
    func ownInSession(_ id: String) -> Int {
        (sessionCounts[user]?[id] ?? 0) + (unseenCounts[user]?[id] ?? 0)
    }

    /// The places that are reserved for some popups of this user now.
    func heldTasks(_ ids: [String]) -> [HeldTask] {
        lanes.flatMap { lane in
            var held: [HeldTask] = []
            if let next = lane.next, let date = next.reserved, ids.contains(next.task.id.popup) {
                held.append(HeldTask(date: date, task: next.task))
            }
            if let holder = lane.holder, let date = holder.reserved, holder.user == user,
                ids.contains(holder.rule.id)
            {
                held.append(HeldTask(date: date, task: holder.task))
            }
            return held
        }
    }
}

/// A place that is reserved for a task.
struct HeldTask {
    let date: Timestamp
    let isExposed: Bool
    let counted: [KeyedValue]

    init(date: Timestamp, task: Model.Task) {
        (self.date, isExposed, counted) = (date, task.isExposed, task.counted)
    }
}
