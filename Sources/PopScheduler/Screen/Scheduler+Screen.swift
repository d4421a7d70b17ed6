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

extension Scheduler {
    /// Returns the presentation of a task for the host, with the content resolved as of now.
    func presentation(_ id: PresentationID, of popup: PopupIndex) -> Presentation {
        isAsWritten(popup) ? Presentation(id) : Presentation(id, as: look(popup).look)
    }

    /// Returns the presentation at the time of display. An empty placeholder is reported once.
    mutating func finalPresentation(_ id: PresentationID, of popup: PopupIndex) -> Presentation {
        if isAsWritten(popup) { return Presentation(id) }
        let (look, empty) = look(popup)
        for name in empty {
            let event = HostEvent.emptyPlaceholder(popup: catalog.traits[popup].id, name)
            if outcomes.tellsFirst(event) { emit(event) }
        }
        return Presentation(id, as: look)
    }

    /// Returns true if all users see the popup as written.
    private func isAsWritten(_ popup: PopupIndex) -> Bool {
        catalog.traits[popup].needs.isEmpty && !catalog.traits[popup].hasExperiment
    }

    /// Returns the appearance of the popup for the user of its task, and the names of empty
    /// placeholders.
    private func look(_ popup: PopupIndex) -> (look: Look, empty: [String]) {
        let rule = catalog.popups[popup]
        let arm = arm(of: popup)
        let variant = arm.flatMap { arm in rule.experiment?.variants.first { $0.name == arm } }
        if catalog.traits[popup].needs.isEmpty { return (Look(arm: arm, variant: variant), []) }
        var filling = filling(
            of: popup,
            localizedFields: catalog.localizedFields(of: variant?.template ?? rule.template))
        let content = filling.fill(variant?.content ?? rule.content)
        return (
            Look(arm: arm, variant: variant, resolvedContent: content), filling.empty
        )
    }

    private func filling(of popup: PopupIndex, localizedFields: [String]) -> ContentFilling {
        let payload = payloads[queues.tasks.order(of: popup).number] ?? [:]
        return ContentFilling(languages: languages, localizedFields: localizedFields) {
            [catalog, conditions] name in
            if let field = catalog.triggers.keys[name] {
                return conditions.value(ofKey: field.index)
            }
            guard name.hasPrefix(Placeholder.payloadPrefix) else { return nil }
            return payload[String(name.dropFirst(Placeholder.payloadPrefix.count))]
        }
    }

    /// The language of the user, then the fallback language.
    private var languages: [LocaleTag] {
        guard let locales = catalog.rules.locales else { return [] }
        let fallback = LocaleTag(locales.fallback)
        guard case .string(let own)? = conditions.value(ofKey: locales.key) else {
            return [fallback]
        }
        return [LocaleTag(own), fallback]
    }
}

// The actions of users on the popups that show.
extension Scheduler {
    mutating func userClosed(_ id: String) {
        guard let lane = lanes.showing(id) else { return reportIfUnknown(id) }
        let leaving = Screen.Leaving(reason: .userClosed, isImmediate: true)
        if catalog.countsClosings || !catalog.triggers.acted.isEmpty {
            noteClosing(leaving, on: lane)
        }
        leave(lane, leaving: leaving)
    }

    /// Records that a user closed a popup. If the user has already used an action of it, the
    /// closing isn't counted, because it isn't a refusal.
    private mutating func noteClosing(_ leaving: Screen.Leaving, on lane: LaneIndex) {
        guard let occupant = lanes[lane].screen.occupant, occupant.heeds(leaving),
            !occupant.subject.isForeign
        else { return }
        let close = TemplateRule.Action.close
        if catalog.countsClosings, occupant.acts.isEmpty {
            note([.any, .closing], on: lane)
            recordAction(close, of: occupant, isClosing: true)
        }
        fireActed(close, of: occupant)
    }

    /// Handles a user's use of a button of a popup. The user must have seen the popup, so this also
    /// counts before the host confirms that it is on the screen. Once an action ends the popup, or
    /// the user closes it, no other action is accepted.
    mutating func acted(_ id: String, action name: String, stays: Bool) {
        guard let lane = lanes.showing(id), let occupant = lanes[lane].screen.occupant,
            !occupant.isAnswered
        else {
            let isKnown = catalog.place(of: id) != nil || lanes.occupied(by: id) != nil
            return emit(.rejected(isKnown ? .notShowing(id) : .unknownPopup(id)))
        }
        guard let action = action(name, of: occupant) else {
            return emit(.rejected(.unknownAction(popup: id, name)))
        }
        makeImpression(lane)
        let isClosing = action.isRefusal && !occupant.acts.contains(.closing)
        note(isClosing ? [.any, .closing] : .any, on: lane)
        recordAction(name, of: occupant, isClosing: isClosing)
        emit(.acted(occupant.presentation.task, name))
        fireActed(name, of: occupant)
        if !stays { end(by: name, on: lane) }
    }

    private mutating func note(_ acts: LiveTask.Acts, on lane: LaneIndex) {
        guard var occupant = lanes[lane].screen.occupant else { return }
        occupant.acts.formUnion(acts)
        lanes[lane].update(occupant)
    }

    private mutating func end(by action: String, on lane: LaneIndex) {
        let leaving = Screen.Leaving(reason: .acted, isImmediate: true)
        guard var occupant = lanes[lane].screen.occupant, occupant.heeds(leaving) else { return }
        occupant.subject = occupant.subject.ending(by: action)
        lanes[lane].update(occupant)
        leave(lane, leaving: leaving)
    }

    private mutating func fireActed(_ action: String, of occupant: Screen.Occupant) {
        if catalog.triggers.acted.isEmpty { return }
        guard let popup = catalog.ruledPlace(of: occupant.popup.id),
            let fired = catalog.triggers.acted[popup]?[action]
        else { return }
        for popup in fired { fire(popup) }
    }

    /// Returns the action as the template of the shown popup declared it when the popup was
    /// presented.
    private func action(_ name: String, of occupant: Screen.Occupant) -> TemplateRule.Action? {
        (occupant.subject.formerRules ?? catalog.rules)
            .actions(ofTemplates: [occupant.subject.template].compactMap { $0 })
            .first { $0.name == name }
    }
}

extension Screen.Occupant {
    /// True if a user has closed the popup or ended it by an action.
    fileprivate var isAnswered: Bool {
        leaving?.reason == .acted || leaving?.reason == .userClosed
    }
}

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

extension Scheduler {
    /// Rechecks the conditions of former rules whenever anything happens, because their
    /// dependencies aren't watched.
    mutating func recheckFormerConditions() {
        for lane in lanes.indices
        where lanes[lane].isOccupied && lanes[lane].screen.subject?.formerRules != nil {
            lanes[lane].recheckDismissCondition()
        }
    }

    /// Takes a popup down when its `dismiss_when` becomes true. Returns true if anything has
    /// changed.
    mutating func checkDismissCondition(_ lane: LaneIndex) -> Bool {
        guard dismissBecomesTrue(lane) else { return false }
        leave(lane, leaving: Screen.Leaving(reason: .dismissCondition))
        return true
    }

    /// Returns true if `dismiss_when` is true and wasn't true at the last check.
    mutating func dismissBecomesTrue(_ lane: LaneIndex) -> Bool {
        guard lanes[lane].mustCheckDismissCondition,
            var occupant = lanes[lane].screen.occupant, occupant.leaving == nil,
            let condition = occupant.popup.dismissWhen
        else { return false }
        lanes[lane].dismissConditionChecked()
        let (truth, ends) = dismissTruth(condition, occupant: occupant, in: lane)
        occupant.dismissConditionEnds = ends
        report(
            truth.error, before: occupant.dismissError, role: .dismissWhen, of: occupant.popup.id)
        occupant.dismissError = truth.error
        let becomesTrue = truth == .yes && !occupant.dismissWasTrue
        occupant.dismissWasTrue = truth == .yes
        lanes[lane].update(occupant)
        return becomesTrue
    }

    /// Accepts the current result of `dismiss_when` without taking the popup down: the popup's own
    /// impression doesn't count as a change.
    mutating func acceptDismissCondition(_ lane: LaneIndex) {
        lanes[lane].recheckDismissCondition()
        _ = dismissBecomesTrue(lane)
    }

    private mutating func dismissTruth(
        _ condition: Condition, occupant: Screen.Occupant, in lane: LaneIndex
    ) -> (truth: Truth, ends: Timestamp?) {
        let former = occupant.subject.formerRules
        let openings = openings(readBy: condition, of: occupant.popup, under: former)
        let result: (truth: Truth, ends: Timestamp?)
        if let former {
            result = truth(of: condition, under: former, isOpen: openings?.isOpen)
        } else {
            conditions.setScheduleOpen(openings?.isOpen)
            let own = condition.program.slots
            let slots = openings.map { own + $0.slots } ?? own
            lanes[lane].watch(slots[...], as: lane, with: &conditions)
            result = truth(of: condition)
        }
        return (result.truth, earlier(result.ends, openings?.ends.date))
    }

    /// Returns the state of a popup's schedule if its `dismiss_when` reads it; nil otherwise.
    private mutating func openings(
        readBy condition: Condition, of popup: PopupRule, under former: RuleSet?
    ) -> Openings? {
        let slots = condition.program.slots
        let asks =
            former.map { rules in slots.contains { rules.slots[$0] == .scheduleOpen } }
            ?? conditions.scheduleSlot.map { slots.contains($0) } ?? false
        return asks ? openings(of: popup.timing.schedule, under: former) : nil
    }

    /// Evaluates a condition of former rules; `ends` is the date at which the result may change by
    /// itself.
    mutating func truth(
        of condition: Condition, under former: RuleSet, isOpen: Bool? = nil
    ) -> (truth: Truth, ends: Timestamp?) {
        conditions.truth(
            of: condition, under: former, history: history(for: former), isOpen: isOpen)
    }

    /// Returns a history for the slots of former rules, whose popups have other indices.
    private func history(for former: RuleSet) -> IndexedHistory {
        var history = History()
        history.events = memory.history.events
        history.sessions = memory.history.sessions
        var index: [String: PopupIndex] = [:]
        for popup in former.slots.compactMap({ $0.popup }) {
            let id = former.popups[popup].id
            index[id] = popup
            history.popups[id] = memory.history[id, at: catalog.ruledPlace(of: id)]
        }
        return IndexedHistory(history, count: former.popups.count, place: { index[$0] })
    }
}
