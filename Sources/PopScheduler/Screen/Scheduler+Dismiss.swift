internal import PopCEL

extension Scheduler {
    /// Requests the dismissal of the popup on a screen, which happens as soon as it may. The reason
    /// of the first request stays, unless a later request is immediate.
    mutating func leave(_ lane: LaneIndex, leaving: Screen.Leaving) {
        guard var occupant = lanes[lane].screen.occupant, occupant.heeds(leaving) else { return }
        let isSwitch = occupant.leaving?.isSwitch == true
        occupant.leaving = leaving
        occupant.leaving?.isSwitch = isSwitch
        lanes[lane].update(occupant)
        tick(lane)
    }

    /// Applies the effects of time to the popup on a screen. Returns true if anything has changed.
    @discardableResult
    mutating func tick(_ lane: LaneIndex) -> Bool {
        switch lanes[lane].screen.phase {
        case nil: return false
        case .presenting(let timeout):
            guard timeout <= now.instant else { return false }
            reportTimeout(lane, animation: .present)
            becomeVisible(lane)
            return true
        case .showing:
            return tickVisible(lane)
        case .dismissing(let timeout):
            guard timeout <= now.instant else { return false }
            reportTimeout(lane, animation: .dismiss)
            finishDismissal(lane)
            return true
        }
    }

    private mutating func reportTimeout(_ lane: LaneIndex, animation: Animation) {
        guard let subject = lanes[lane].screen.subject else { return }
        emit(.animationTimeout(subject.presentation.task, animation))
    }

    private mutating func tickVisible(_ lane: LaneIndex) -> Bool {
        guard let occupant = lanes[lane].screen.occupant else { return false }
        var leaving = occupant.leaving
        if leaving == nil, let due = occupant.hideDue, due <= visibleNow {
            leaving = Screen.Leaving(reason: .timedOut)
        }
        guard let leaving, let minShowEnds = occupant.minShowEnds else { return false }
        if leaving.isImmediate || minShowEnds <= visibleNow {
            startDismissal(lane, leaving: leaving)
            return true
        }
        guard occupant.leaving == nil else { return false }
        lanes[lane].update(occupant.leaving(leaving))
        return true
    }

    mutating func startDismissal(_ lane: LaneIndex, leaving: Screen.Leaving) {
        guard var occupant = lanes[lane].screen.occupant, let since = occupant.visibleSince else {
            return
        }
        occupant.visibleTime += visibleNow - since
        occupant.leaving = leaving
        occupant.phase = .dismissing(timeout: now.instant + limits.animationTimeout)
        lanes[lane].update(occupant)
        stopWatching(lane)
        emit(.willDismiss(occupant.presentation.task, leaving.reason))
        effects.add(.dismiss(occupant.presentation))
    }

    mutating func didDismiss(_ id: PresentationID) {
        guard let lane = lanes.presenting(id), lanes[lane].screen.occupant?.isDismissing == true
        else {
            return
        }
        finishDismissal(lane)
    }

    /// Frees the screen; the scheduler rests for the gap, unless a switch is in progress.
    mutating func finishDismissal(_ lane: LaneIndex) {
        guard let occupant = lanes[lane].screen.occupant, let leaving = occupant.leaving else {
            return
        }
        clearScreen(lane)
        if leaving.isSwitch {
            lanes[lane].rest(until: nil)
        } else {
            rest(lane)
        }
        guard leaving.requeues, let popup = catalog.place(of: occupant.popup.id), !isExpired(popup)
        else { return finish(occupant, for: leaving.reason) }
        if isEndedByGoal(popup) { return finish(occupant, for: .goalReached) }
        requeue(occupant, as: popup)
    }

    /// Ends the task that was on a screen.
    private mutating func finish(_ occupant: Screen.Occupant, for reason: ReasonCode) {
        if !occupant.subject.isForeign {
            if let action = occupant.subject.endingAction, reason == .acted {
                recordEnd(by: action, of: occupant)
            }
            recordDismissal(occupant.popup.id, for: reason, of: occupant.subject.user)
        }
        emit(.dismissed(occupant.presentation.task, reason))
        vacate(occupant)
        tryRemembered(after: occupant)
    }

    /// Starts the gap of the rule after a dismissal, which may be a random duration.
    private mutating func rest(_ lane: LaneIndex) {
        let rule = lanes[lane].rule
        let isDrawn = rule.gap.lowerBound < rule.gap.upperBound
        let gap = draws.duration(
            from: rule.gap, for: .gap, of: rule.name, user: memory.user,
            number: isDrawn ? draws.nextNumber(.gap, of: rule.name) : 0)
        lanes[lane].rest(until: gap > .zero ? visibleNow + gap : nil)
    }

    mutating func clearScreen(_ lane: LaneIndex) {
        stopWatching(lane)
        let popup = lanes[lane].screen.subject.flatMap { catalog.ruledPlace(of: $0.popup.id) }
        lanes[lane].clear()
        if let popup { predecessorChanged(popup) }
    }

    private mutating func stopWatching(_ lane: LaneIndex) {
        lanes[lane].stopWatching(with: &conditions)
    }

    /// Puts a switched-out task back to its old place in the queue, with the current definition.
    private mutating func requeue(_ occupant: Screen.Occupant, as popup: PopupIndex) {
        admit(occupant.task, of: popup)
        emit(.requeued(taskID(popup)))
    }
}

extension Screen.Occupant {
    fileprivate func leaving(_ leaving: Screen.Leaving) -> Screen.Occupant {
        var copy = self
        copy.leaving = leaving
        return copy
    }
}
