internal import PopCEL

extension Scheduler {
    /// Hands a task to the presenter. The impression is recorded first, so that no crash lets a cap be exceeded.
    mutating func present(_ popup: Int, _ id: PresentationID, _ lane: Int) {
        guard tasks.isLive(popup) else { return }
        let isForeign = isForeign(popup)
        let impression = tasks.claim(of: popup).wasShown || isForeign ? nil : now.date
        let subject = Screen.Subject(
            Presentation(id), tasks.task(of: popup, isShown: true), isForeign: isForeign,
            user: user, impression: impression)
        lanes[lane].screen = .occupied(
            Screen.Occupant(
                subject: subject, visibleTime: subject.task.visibleTime,
                phase: .presenting(timeout: now.instant + limits.animationTimeout)))
        lanes[lane].mustCheckDismissCondition =
            !traits[popup].isPlain && popups[popup].dismissWhen != nil
        detach(popup, toScreen: true)
        let effect = Effect.present(Presentation(id))
        if let impression {
            perform(.record(addImpression(popup, impression), user: user), effect)
        } else {
            perform(effect)
        }
    }

    mutating func answered(_ id: PresentationID, _ answer: WillShowAnswer) {
        guard let lane = laneAsked(id), let popup = lanes[lane].screen.chosen?.popup else { return }
        switch answer {
        case .show:
            let phase = Screen.Chosen.Phase.allowed(turn: id.turn)
            lanes[lane].screen = .chosen(Screen.Chosen(popup: popup, phase: phase))
        case .cancel:
            lanes[lane].screen = .free
            end(popup, .cancelled(id.task))
        case .postpone(let duration):
            tasks.postpone(popup, until: now.instant + duration)
            putBack(popup, lane)
            emit(.postponed(id.task, by: duration))
        }
    }

    private func laneAsked(_ id: PresentationID) -> Int? {
        lanes.indices.first { lane in
            guard let chosen = lanes[lane].screen.chosen, case .asked(id.turn) = chosen.phase
            else { return false }
            return tasks.order(of: chosen.popup).number == id.task.number
        }
    }

    /// The scheduler on whose screen a presentation is.
    func lane(of id: PresentationID) -> Int? {
        lanes.indices.first { lanes[$0].screen.subject?.presentation == id }
    }

    mutating func didPresent(_ id: PresentationID) {
        guard let lane = lane(of: id), var occupant = lanes[lane].screen.occupant else { return }
        occupant.isConfirmed = true
        lanes[lane].screen = .occupied(occupant)
        becomeVisible(lane)
    }

    /// The presentation is over, or took too long.
    mutating func becomeVisible(_ lane: Int) {
        guard var occupant = lanes[lane].screen.occupant, case .presenting = occupant.phase else {
            return
        }
        occupant.phase = .showing(since: now.instant)
        lanes[lane].screen = .occupied(occupant)
        emit(.shown(occupant.presentation.task))
    }

    /// Also taken from a host that says so after it took too long, as long as it has not said otherwise.
    mutating func presentFailed(_ id: PresentationID, _ message: String) {
        guard let lane = lane(of: id), let occupant = lanes[lane].screen.occupant,
            !occupant.isConfirmed, !occupant.isDismissing
        else { return }
        clearScreen(lane)
        if let impression = occupant.subject.impression { takeBackImpression(occupant, impression) }
        emit(.failed(id.task, message: message))
        vacate(occupant)
    }
}
