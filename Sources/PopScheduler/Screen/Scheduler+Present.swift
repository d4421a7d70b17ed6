internal import PopCEL

extension Scheduler {
    /// Passes a task to the presenter.
    mutating func present(_ chosen: Chosen, turn: Int, in lane: LaneIndex) {
        let popup = chosen.popup
        guard queues.tasks.isLive(popup) else { return }
        let id = PresentationID(task: taskID(popup), turn: turn)
        let presentation = finalPresentation(id, of: popup)
        // A rule, which may be anywhere in memory, is read only if it has more than the usual
        // values.
        let isPlain = catalog.traits[popup].isPlain
        let timing = isPlain ? PopupRule.Timing() : catalog.popups[popup].timing
        let mayDismiss = !isPlain && catalog.popups[popup].dismissWhen != nil
        let subject = Screen.Subject(
            presentation, task: queues.tasks.task(of: popup, isShown: true),
            minShow: timing.minShow, hideAfter: timing.hideAfter,
            isForeign: catalog.isForeign(popup),
            user: memory.user, hasDismissCondition: mayDismiss)
        lanes[lane].present(
            Screen.Occupant(
                subject: subject, visibleTime: subject.task.visibleTime,
                phase: .presenting(timeout: now.instant + limits.animationTimeout),
                place: chosen.reserved.map { .reserved($0) } ?? .none,
                acts: subject.task.claim.acts,
                dismissError: mayDismiss ? subject.task.errors[.dismissWhen] : nil))
        // A forced popup isn't dismissed for a condition that was already true.
        if mayDismiss, isForced(popup) { acceptDismissCondition(lane) }
        detach(popup, toScreen: true)
        effects.add(.present(presentation))
    }

    /// Handles the host's answer. A refusal also counts if a task that outranks this one came in
    /// the meantime; after a permission the pass checks everything again.
    mutating func answered(_ id: PresentationID, answer: WillShowAnswer) {
        guard let lane = laneAsked(id), var chosen = lanes[lane].chosen else { return }
        let popup = chosen.popup
        switch answer {
        case .show:
            chosen.phase = .allowed(turn: id.turn, since: now.date)
            lanes[lane].choose(chosen)
        case .cancel:
            unchoose(lane)
            end(popup, event: .cancelled(id.task))
        case .postpone(let duration):
            queues.postpone(popup, until: now.instant + duration)
            putBack(lane)
            emit(.postponed(id.task, by: duration))
        }
    }

    /// Inlined: for a call from a mutating function, the compiler would copy the whole scheduler.
    @inline(__always)
    private func laneAsked(_ id: PresentationID) -> LaneIndex? {
        for lane in lanes.indices {
            guard let chosen = lanes[lane].chosen, case .asked(id.turn) = chosen.phase,
                queues.tasks.order(of: chosen.popup).number == id.task.number
            else { continue }
            return lane
        }
        return nil
    }

    mutating func didPresent(_ id: PresentationID) {
        guard let lane = lanes.presenting(id), var occupant = lanes[lane].screen.occupant else {
            return
        }
        occupant.isConfirmed = true
        lanes[lane].update(occupant)
        becomeVisible(lane)
    }

    /// Makes the popup visible after its presentation ended, or took too long.
    mutating func becomeVisible(_ lane: LaneIndex) {
        guard case .presenting = lanes[lane].screen.phase else { return }
        let mustLeave = dismissBecomesTrue(lane)
        guard var occupant = lanes[lane].screen.occupant else { return }
        occupant.phase = .showing(since: visibleNow)
        if mustLeave { occupant.leaving = Screen.Leaving(reason: .dismissCondition) }
        lanes[lane].update(occupant)
        makeImpression(lane)
        emit(.shown(occupant.presentation.task))
    }

    /// Turns the reserved place into an impression, which conditions read from now on.
    mutating func makeImpression(_ lane: LaneIndex) {
        guard var occupant = lanes[lane].screen.occupant, case .reserved(let date) = occupant.place
        else { return }
        occupant.place = .impression(now.date, session: memory.session)
        lanes[lane].update(occupant)
        addImpression(of: occupant, reserved: date)
        if occupant.subject.hasDismissCondition { acceptDismissCondition(lane) }
    }

    /// Handles a failed presentation. Also accepted from a host that reports it after a timeout, as
    /// long as it hasn't reported success.
    mutating func presentFailed(_ id: PresentationID, message: String) {
        guard let lane = lanes.presenting(id), let occupant = lanes[lane].screen.occupant,
            !occupant.isConfirmed, !occupant.isDismissing
        else { return }
        clearScreen(lane)
        switch occupant.place {
        case .none: break
        case .reserved(let date):
            let popup = occupant.popup.id
            takeBackReservation(
                date, isExposed: occupant.isExposed, of: popup, at: catalog.ruledPlace(of: popup),
                task: id.task.number, user: occupant.subject.user)
        case .impression(let date, let session):
            takeBackImpression(occupant, at: date, in: session)
        }
        emit(.failed(id.task, message: message))
        vacate(occupant)
        tryRemembered(after: occupant)
    }
}
