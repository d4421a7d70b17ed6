internal import PopScheduler

// Calls of the presenter, and the engine's requests for them.
extension Stage {
    mutating func ask(_ popup: Popup) async {
        guard !core.isStopped else { return }
        // Another process may have shown it in the meantime: then the choice is made again.
        guard await !takeForeignHistory() else { return }
        let foreign = core.foreignCondition(of: popup.id)
        if let foreign, case .anywhere(let condition) = foreign.condition,
            !core.holds(condition(context.snapshot), foreign, of: popup)
        {
            return
        }
        // One that is silent for too long holds up nothing but its own popup.
        _ = await core.askMainActor { [core, context, presenter] in
            if let foreign, case .onMainActor(let condition) = foreign.condition,
                !core.holds(condition(context.snapshot), foreign, of: popup)
            {
                return
            }
            let answer = core.objection(to: popup) ?? presenter.willShow(popup)
            core.handle(
                .answered(
                    popup.presentation,
                    answer.postponing(atLeast: core.limits.shortestPostponement)))
        }
    }

    private mutating func takeForeignHistory() async -> Bool {
        let user = core.user
        let now = core.now
        let (read, outcome) = await history.readIfForeign(user, at: now.instant)
        tell(outcome, at: now)
        return read.map { core.takeHistory($0, of: user) } ?? false
    }

    /// Shows a popup, unless the engine has ended: nothing may come to the screen that is never
    /// dismissed.
    mutating func present(_ popup: Popup) {
        guard !core.hasEnded else { return }
        presented[popup.presentation] = popup
        unended[popup.presentation] = popup
        core.workBegan()
        Task { @MainActor [core, presenter] in
            do {
                try await presenter.present(popup)
                core.handle(.didPresent(popup.presentation))
            } catch {
                core.handle(.presentFailed(popup.presentation, message: "\(error)"))
            }
            core.workEnded()
        }
    }

    /// The content is taken when the main actor has time, so that it is the newest.
    func update(_ id: PresentationID) {
        guard presented[id] != nil else { return }
        core.workBegan()
        Task { @MainActor [core, presenter] in
            if let popup = core.takeContent(id) { presenter.update(popup) }
            core.workEnded()
        }
    }

    mutating func dismiss(_ id: PresentationID) {
        guard let popup = presented.removeValue(forKey: id) else {
            core.handle(.didDismiss(id))
            return
        }
        core.workBegan()
        Task { @MainActor [core, presenter] in
            await presenter.dismiss(popup)
            core.handle(.didDismiss(id))
            core.workEnded()
        }
    }

    /// Removes an ended presentation without dismissing it, and notifies the presenter that it
    /// ended.
    mutating func forget(_ event: HostEvent) {
        guard event.endsPresentation, let task = event.task, !unended.isEmpty else { return }
        for (id, popup) in unended where id.task == task {
            presented[id] = nil
            unended[id] = nil
            core.workBegan()
            Task { @MainActor [core, presenter] in
                presenter.ended(popup)
                core.workEnded()
            }
        }
    }

    func askForeign() async {
        var ofMainActor: [ForeignConditions.Entry] = []
        for entry in core.foreignConditions {
            switch entry.condition {
            case .anywhere(let condition):
                core.setForeign(entry, isTrue: condition(context.snapshot))
            case .onMainActor: ofMainActor.append(entry)
            }
        }
        guard !ofMainActor.isEmpty else { return }
        _ = await core.askMainActor { [core, context, ofMainActor] in
            for entry in ofMainActor {
                guard case .onMainActor(let condition) = entry.condition else { continue }
                core.setForeign(entry, isTrue: condition(context.snapshot))
            }
        }
    }
}

extension HostEvent {
    /// True for events after which the task's presentation is off the screen.
    fileprivate var endsPresentation: Bool {
        if case .requeued = self { true } else { ending != nil }
    }
}

extension WillShowAnswer {
    fileprivate func postponing(atLeast shortest: Duration) -> WillShowAnswer {
        if case .postpone(let duration) = self { .postpone(max(duration, shortest)) } else { self }
    }
}
