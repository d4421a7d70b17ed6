internal import PopCEL

extension Scheduler {
    /// Asks for the popup on a screen to go; it does as soon as it may. What asked first stays the
    /// reason, unless a later one need not wait.
    mutating func leave(_ lane: LaneIndex, leaving: Screen.Leaving) {
        guard var occupant = lanes[lane].screen.occupant, occupant.heeds(leaving) else { return }
        let isSwitch = occupant.leaving?.isSwitch == true
        occupant.leaving = leaving
        occupant.leaving?.isSwitch = isSwitch
        lanes[lane].update(occupant)
        tick(lane)
    }

    /// What time brings to the popup on a screen. Whether anything has changed.
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

    /// The screen is free again; the scheduler rests for the gap, but not in the middle of a
    /// switch.
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

    /// The task that was on a screen has ended.
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

    /// After a dismissal nothing is chosen for as long as the rule says, which may be drawn.
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

    /// A switched-out task takes its old place among those that wait, with the definition that is
    /// in force now.
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
