internal import PopCEL

// The arms of users in experiments, and the exposure of users to them. Nothing of this applies to a
// popup without an experiment.
extension Scheduler {
    /// Returns the arm of a task. Nil while it isn't fixed, for a user who doesn't take part, and
    /// if there is no experiment.
    ///
    /// Inlined: for a call from a mutating function, the compiler would copy the whole scheduler.
    @inline(__always)
    func arm(of popup: PopupIndex) -> String? {
        guard catalog.traits[popup].hasExperiment, let arm = queues.tasks.arm(of: popup),
            !arm.isEmpty
        else { return nil }
        return arm
    }

    /// Returns true if a task of a popup is in control, so that it ends where it would be shown.
    @inline(__always)
    func isControl(_ popup: PopupIndex) -> Bool { arm(of: popup) == Assignment.control }

    /// Fixes the arm of a task before the host is asked, if it isn't fixed, or if a reload removed
    /// it.
    mutating func fixArm(of popup: PopupIndex) {
        guard catalog.traits[popup].hasExperiment,
            let experiment = catalog.popups[popup].experiment
        else { return }
        if let arm = queues.tasks.arm(of: popup), experiment.has(arm: arm) { return }
        let arm = drawnArm(of: popup, in: experiment) ?? ""
        queues.setArm(arm == Assignment.control && isForced(popup) ? "" : arm, of: popup)
    }

    /// Returns the user's arm in a popup's experiment, by the task that waits or shows if its arm
    /// is fixed. Nil for a user who doesn't take part, and if there is no experiment.
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

    /// Forces the user into an arm of a popup's experiment, regardless of the assignment; nil
    /// restores the assignment. A task whose arm is fixed keeps it.
    mutating func forceArm(_ arm: String?, of id: String) {
        guard let popup = catalog.ruledPlace(of: id) else {
            return emit(.rejected(.unknownPopup(id)))
        }
        if let arm, catalog.popups[popup].experiment?.has(arm: arm) != true {
            return emit(.rejected(.unknownVariant(popup: id, variant: arm)))
        }
        forcedArms[id] = arm
    }

    /// Exposes the user to the arm of a task, once, when the host has allowed the task and it may
    /// still show.
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

    /// Ends a task in control where it would be shown, and frees the places of its impression.
    mutating func endControl(_ popup: PopupIndex, since date: Timestamp, in lane: LaneIndex) {
        expose(popup, since: date, reserved: lanes[lane].chosen?.reserved)
        discard(popup, for: .control)
    }
}
