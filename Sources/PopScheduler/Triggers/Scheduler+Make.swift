internal import PopCEL

extension Scheduler {
    mutating func fire(_ popups: [PopupIndex]) {
        // Each event has one effect.
        effects.makeRoom(for: popups.count)
        for popup in popups {
            fire(popup)
            examineAhead(popup)
        }
    }

    mutating func enqueue(_ id: String) {
        guard let popup = catalog.place(of: id) else { return emit(.rejected(.unknownPopup(id))) }
        fire(popup)
    }

    /// Fires a trigger of a popup, with the payload if an event fired it.
    mutating func fire(_ popup: PopupIndex, payload: [String: Value]? = nil) {
        if let live = liveTask(popup) {
            emit(remember(popup, payload: payload) ? .remembered(live) : .coalesced(live))
        } else if let reason = reasonAgainst(popup) {
            refuse(popup, for: reason)
        } else {
            make(popup, payload: payload)
        }
    }

    /// Reports a trigger that made no task. If the popup is for other users, that stays the reason
    /// even if the user becomes one of them: the trigger doesn't fire again for that.
    private mutating func refuse(_ popup: PopupIndex, for reason: ReasonCode) {
        let id = catalog.traits[popup].id
        if reason == .notInRollout || reason == .heldOut {
            outcomes.note(FilteredTrigger(reason: reason, event: nil), of: id)
        }
        emit(.notMade(popup: id, reason))
    }

    /// Reports an event that a trigger of a popup didn't let pass.
    mutating func filter(_ popup: PopupIndex, event: FilteredEvent) {
        let id = catalog.traits[popup].id
        let reason = event.filter.cause.reason
        guard liveTask(popup) == nil else { return emit(.notMade(popup: id, reason)) }
        if let other = reasonAgainst(popup) { return refuse(popup, for: other) }
        outcomes.note(FilteredTrigger(reason: reason, event: event), of: id)
        emit(.notMade(popup: id, reason))
    }

    /// Returns the live task of a popup, waiting or on screen.
    ///
    /// Inlined: for a call from a mutating function, the compiler would copy the whole scheduler.
    @inline(__always)
    func liveTask(_ popup: PopupIndex) -> TaskID? {
        if queues.tasks.isLive(popup) { return taskID(popup) }
        guard let lane = lanes.showing(catalog.traits[popup].id) else { return nil }
        return lanes[lane].screen.subject?.presentation.task
    }

    /// Returns the reason why a task of a popup could never show; nil if it could.
    func reasonAgainst(_ popup: PopupIndex) -> ReasonCode? {
        if catalog.traits[popup].isPlain { return isHeldOut(popup) ? .heldOut : nil }
        if catalog.isDisabled(popup) { return .disabled }
        if let rollout = catalog.popups[popup].audience.rollout,
            !rollout.includes(conditions.value(ofKey: rollout.key), at: now.date)
        {
            return .notInRollout
        }
        if isExpired(popup) { return .expired }
        if let caps = catalog.popups[popup].capsIfAny {
            if let most = caps.lifetime, memory.history.countedEver(popup) >= most {
                return .lifetimeCap
            }
            if let most = caps.closes, caps.closesPer == nil,
                memory.history.closedCount(popup) >= most
            {
                return .closedTooOften
            }
        }
        if isEndedByGoal(popup) { return .goalReached }
        return isHeldOut(popup) ? .heldOut : nil
    }

    /// Returns true if the user sees only essential popups, and this popup isn't essential. Popups
    /// that aren't in the rules are up to the host.
    private func isHeldOut(_ popup: PopupIndex) -> Bool {
        guard catalog.hasHoldout, let holdout = catalog.rules.holdout,
            catalog.isRuled(popup), !catalog.popups[popup].isEssential
        else { return false }
        return holdout.includes(conditions.value(ofKey: holdout.key))
    }

    /// Returns the number of the draw that determines the delay of a new task; nil if nothing is
    /// drawn.
    private mutating func drawDelay(of popup: PopupIndex) -> Int? {
        if catalog.traits[popup].isPlain { return nil }
        let bounds = catalog.popups[popup].timing.delay
        if bounds.lowerBound == bounds.upperBound { return nil }
        return draws.nextNumber(.delay, of: catalog.traits[popup].id)
    }

    private mutating func make(_ popup: PopupIndex, payload: [String: Value]?) {
        outcomes.taskMade(of: catalog.traits[popup].id)
        let number = queues.nextNumber()
        var claim = LiveTask.Claim(made: now.instant)
        claim.delay = drawDelay(of: popup)
        if catalog.traits[popup].needs.contains(.payload), let payload {
            payloads[number] = payload
        }
        admit(LiveTask(number: number, claim), of: popup)
        emit(.queued(taskID(popup)))
    }
}
