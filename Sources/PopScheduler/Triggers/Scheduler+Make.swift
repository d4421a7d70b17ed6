internal import PopCEL

extension Scheduler {
    mutating func fire(_ popups: [PopupIndex]) {
        // Each event takes one effect.
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

    /// A trigger of a popup has fired; by an event with a payload, if it was one.
    mutating func fire(_ popup: PopupIndex, payload: [String: Value]? = nil) {
        if let live = liveTask(popup) {
            emit(remember(popup, payload: payload) ? .remembered(live) : .coalesced(live))
        } else if let reason = reasonAgainst(popup) {
            refuse(popup, for: reason)
        } else {
            make(popup, payload: payload)
        }
    }

    /// A trigger has fired in vain. That a popup is for other users stays the reason when the user
    /// becomes one of these: the trigger does not fire again for that.
    private mutating func refuse(_ popup: PopupIndex, for reason: ReasonCode) {
        let id = catalog.traits[popup].id
        if reason == .notInRollout || reason == .heldOut {
            outcomes.note(FilteredTrigger(reason: reason, event: nil), of: id)
        }
        emit(.notMade(popup: id, reason))
    }

    /// A trigger of a popup would have fired, but did not let the event pass.
    mutating func filter(_ popup: PopupIndex, event: FilteredEvent) {
        let id = catalog.traits[popup].id
        let reason = event.filter.cause.reason
        guard liveTask(popup) == nil else { return emit(.notMade(popup: id, reason)) }
        if let other = reasonAgainst(popup) { return refuse(popup, for: other) }
        outcomes.note(FilteredTrigger(reason: reason, event: event), of: id)
        emit(.notMade(popup: id, reason))
    }

    /// The live task of a popup, waiting or on screen.
    ///
    /// Inlined: for a call from what changes the scheduler, the compiler copies the whole of it.
    @inline(__always)
    func liveTask(_ popup: PopupIndex) -> TaskID? {
        if queues.tasks.isLive(popup) { return taskID(popup) }
        guard let lane = lanes.showing(catalog.traits[popup].id) else { return nil }
        return lanes[lane].screen.subject?.presentation.task
    }

    /// Why a task of a popup could never show.
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

    /// Whether the user sees essential popups only, and this is none. What no rule file knows is
    /// the host's own affair.
    private func isHeldOut(_ popup: PopupIndex) -> Bool {
        guard catalog.hasHoldout, let holdout = catalog.rules.holdout,
            catalog.isRuled(popup), !catalog.popups[popup].isEssential
        else { return false }
        return holdout.includes(conditions.value(ofKey: holdout.key))
    }

    /// The number of the draw that says how long a new task waits; nil when nothing is drawn.
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
