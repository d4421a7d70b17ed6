internal import PopCEL

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

extension RuleSet {
    /// Returns the actions that users can take on a popup besides closing it, declared by its
    /// template and by the templates of its variants.
    package func actions(of popup: PopupRule) -> [TemplateRule.Action] {
        actions(ofTemplates: popup.templates)
    }

    func actions(ofTemplates names: [String]) -> [TemplateRule.Action] {
        templates.filter { names.contains($0.name) }.flatMap { $0.actions }
    }
}

extension Screen.Occupant {
    /// True if a user has closed the popup or ended it by an action.
    fileprivate var isAnswered: Bool {
        leaving?.reason == .acted || leaving?.reason == .userClosed
    }
}
