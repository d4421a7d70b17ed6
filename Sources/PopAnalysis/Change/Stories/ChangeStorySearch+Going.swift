internal import PopCEL
internal import PopLogic
internal import PopScheduler

// Stories of what takes a popup away that shows.
extension ChangeStorySearch {
    /// It shows, and then a condition takes it away by the one rule set alone.
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

    /// Beginnings, and what happens while the popup shows then.
    private func ends(of change: PopupChange, _ opening: Opening) -> [(Opening, StoryAct)] {
        var ends = keysOfEnd(of: change).map { (opening, StoryAct.set($0)) }
        if let close = [change.old, change.new].compactMap({ closing(of: $0, opening) }).min() {
            var late = opening
            late.beginning.start = close.later(by: .zero - Self.beforeClosing)
            ends.append((late, .wait(Self.beforeClosing)))
        }
        return ends
    }

    /// What the app sets so that the one condition takes it away and the other one does not.
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

    /// The next quarter of an hour at which a schedule is closed that was open.
    private func closing(of popup: PopupRule, _ opening: Opening) -> Timestamp? {
        let start = opening.beginning.start
        let aligned = Timestamp(seconds: start.seconds / 900 * 900)
        let windows = OpenWindows(popup.timing.schedule)
        guard windows.isOpen(at: aligned, within: limits.budget) == true else { return nil }
        return (1...Self.quartersOfDays).lazy.map { aligned.later(by: .seconds(900 * $0)) }
            .first { windows.isOpen(at: $0, within: limits.budget) == false }
    }

    /// How long before its schedule closes a popup comes.
    private static let beforeClosing = Duration.seconds(5)
}

extension RuleSet {
    /// The caps that count a popup with others.
    func caps(sharedBy id: String) -> [WindowCap] {
        guard let popup = popups.first(where: { $0.id == id }) else { return [] }
        let limits = self.limits.filter {
            $0.popups.includes(popup.scheduler, tags: popup.texts.tags)
        }
        return (popup.group.map { groups[$0].caps } ?? [])
            + [schedulers[popup.scheduler].cap].compactMap { $0 } + limits.map(\.cap)
    }
}
