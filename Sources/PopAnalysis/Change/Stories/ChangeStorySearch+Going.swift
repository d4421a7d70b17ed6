internal import PopCEL
internal import PopLogic
internal import PopScheduler

// Scenarios in which a popup that shows is dismissed.
extension ChangeStorySearch {
    /// Searches for a scenario in which a condition dismisses the popup with only one of the rule
    /// sets.
    func dismissStory(of change: PopupChange, _ opening: Opening) -> ChangeStory? {
        let reasons: Set<ReasonCode> = [.dismissCondition, .notTriggered, .outsideHours, .expired]
        for (opening, act) in ends(of: change, opening) {
            guard var duet = duet(opening, about: [change.id]) else { return nil }
            _ = present(change.id, opening, of: change.key, in: &duet) { _, _ in false }
            guard duet.isShowingInBoth(change.id) else { continue }
            duet.take(act)
            duet.take(.wait([change.old, change.new].map { $0.timing.minShow }.max() ?? .zero))
            let story = duet.story(of: change.key) { $0.differs(from: $1, because: reasons) }
            if let story { return story }
        }
        return nil
    }

    /// Returns beginnings, and an act for each while the popup shows.
    private func ends(of change: PopupChange, _ opening: Opening) -> [(Opening, StoryAct)] {
        var ends = keysOfEnd(of: change).map { (opening, StoryAct.set($0)) }
        if let close = [change.old, change.new].compactMap({ closing(of: $0, opening) }).min() {
            var late = opening
            late.beginning.start = close.later(by: .zero - Self.beforeClosing)
            ends.append((late, .wait(Self.beforeClosing)))
        }
        return ends
    }

    /// Returns context values for which one condition dismisses the popup and the other one
    /// doesn't.
    private func keysOfEnd(of change: PopupChange) -> [[String: Value]] {
        let (old, new) = (change.old.dismissWhen?.program, change.new.dismissWhen?.program)
        let before = old.map { Demand([$0]) }
        let after = new.map { Demand([$0], isLater: true) }
        var logic = Logic(
            of: [old, new].compactMap { $0 },
            declarations: Declarations(earlier: earlier, later: later).whileShowing(),
            limits: limits.logic)
        let answers: [Answer] =
            switch (before, after) {
            case (let before?, let after?):
                [logic.implies(before, after), logic.implies(after, before)]
            case (let one?, nil), (nil, let one?): [logic.isNever(one)]
            case (nil, nil): []
            }
        return answers.compactMap { answer in
            guard case .no(let witness) = answer else { return nil }
            var values: [String: Value] = [:]
            for fact in witness.facts {
                guard case .variable(let name) = fact.entry, let value = fact.value,
                    later.keys.contains(where: { $0.name == name })
                else { continue }
                values[name] = value
            }
            return values.isEmpty ? nil : values
        }
    }

    /// Returns the next quarter of an hour at which an open schedule is closed; nil if there is
    /// none.
    private func closing(of popup: PopupRule, _ opening: Opening) -> Timestamp? {
        let start = opening.beginning.start
        let aligned = Timestamp(seconds: start.seconds / 900 * 900)
        let windows = OpenWindows(popup.timing.schedule)
        guard windows.isOpen(at: aligned, within: limits.budget) == true else { return nil }
        return (1...Self.quartersOfDays).lazy.map { aligned.later(by: .seconds(900 * $0)) }
            .first { windows.isOpen(at: $0, within: limits.budget) == false }
    }

    /// The time between the impression of a popup and the end of its schedule.
    private static let beforeClosing = Duration.seconds(5)
}

extension RuleSet {
    /// Returns the caps that count a popup together with others.
    func caps(sharedBy id: String) -> [WindowCap] {
        guard let popup = popups.first(where: { $0.id == id }) else { return [] }
        let limits = self.limits.filter {
            $0.popups.includes(popup.scheduler, tags: popup.texts.tags)
        }
        return (popup.group.map { groups[$0].caps } ?? [])
            + [schedulers[popup.scheduler].cap].compactMap { $0 } + limits.map(\.cap)
    }
}
