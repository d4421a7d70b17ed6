internal import PopCEL

// Who is in which arm of an experiment, and when users are exposed to it. A popup without one has
// no part in any of this.
extension Scheduler {
    /// The arm that a task is in; nil while that is not fixed, for a user who takes no part, and
    /// where there is no experiment.
    ///
    /// Inlined: for a call from what changes the scheduler, the compiler copies the whole of it.
    @inline(__always)
    func arm(of popup: PopupIndex) -> String? {
        guard catalog.traits[popup].hasExperiment, let arm = queues.tasks.arm(of: popup),
            !arm.isEmpty
        else { return nil }
        return arm
    }

    /// Whether a task of a popup ends where it would be shown.
    @inline(__always)
    func isControl(_ popup: PopupIndex) -> Bool { arm(of: popup) == Assignment.control }

    /// The host is about to be asked: the arm of the task is fixed, if it is not, or if a reload
    /// took it away.
    mutating func fixArm(of popup: PopupIndex) {
        guard catalog.traits[popup].hasExperiment,
            let experiment = catalog.popups[popup].experiment
        else { return }
        if let arm = queues.tasks.arm(of: popup), experiment.has(arm: arm) { return }
        let arm = drawnArm(of: popup, in: experiment) ?? ""
        queues.setArm(arm == Assignment.control && isForced(popup) ? "" : arm, of: popup)
    }

    /// The arm of a popup's experiment that the user is in, by the task that waits or shows where
    /// its arm is fixed; nil for a user who takes no part, and where there is no experiment.
    package func arm(ofPopup id: String) -> String? {
        guard let popup = catalog.ruledPlace(of: id),
            let experiment = catalog.popups[popup].experiment
        else { return nil }
        let shown = lanes.showing(id).flatMap { lanes[$0].screen.subject?.task.claim.arm }
        let fixed = shown ?? queues.tasks.arm(of: popup)
        if let fixed, fixed.isEmpty || experiment.has(arm: fixed) {
            return fixed.isEmpty ? nil : fixed
        }
        return drawnArm(of: popup, in: experiment)
    }

    private func drawnArm(of popup: PopupIndex, in experiment: Experiment) -> String? {
        let value = conditions.value(ofKey: experiment.assignment.key)
        return forcedArm(of: popup, in: experiment) ?? experiment.assignment.arm(of: value)
    }

    private func forcedArm(of popup: PopupIndex, in experiment: Experiment) -> String? {
        guard !forcedArms.isEmpty, let arm = forcedArms[catalog.traits[popup].id],
            experiment.has(arm: arm)
        else { return nil }
        return arm
    }

    /// Puts the user into an arm of a popup's experiment, whatever is drawn; nil lets it be drawn
    /// again. A task whose arm is fixed keeps it.
    mutating func forceArm(_ arm: String?, of id: String) {
        guard let popup = catalog.ruledPlace(of: id) else {
            return emit(.rejected(.unknownPopup(id)))
        }
        if let arm, catalog.popups[popup].experiment?.has(arm: arm) != true {
            return emit(.rejected(.unknownVariant(popup: id, variant: arm)))
        }
        forcedArms[id] = arm
    }

    /// The host let a task show, and it may still: its user is exposed to its arm, once.
    mutating func expose(_ popup: PopupIndex, since date: Timestamp, reserved: Timestamp?) {
        guard let arm = arm(of: popup), let reserved, !queues.tasks.isExposed(popup) else {
            return
        }
        let id = catalog.traits[popup].id
        let isFirst = memory.history[popup]?.exposures.count ?? 0 == 0
        record(.exposure(popup: id, variant: arm, date: date, reserved: reserved), at: popup)
        queues.setExposed(popup)
        historyChanged(popup)
        emit(.exposed(taskID(popup), variant: arm, isFirst: isFirst))
    }

    /// A task in control ends where it would be shown, and gives back the places of the others.
    mutating func endControl(_ popup: PopupIndex, since date: Timestamp, in lane: LaneIndex) {
        expose(popup, since: date, reserved: lanes[lane].chosen?.reserved)
        discard(popup, for: .control)
    }
}
