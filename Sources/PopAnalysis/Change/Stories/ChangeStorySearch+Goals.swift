internal import PopCEL
internal import PopLogic
internal import PopScheduler

// Scenarios about the goals of a popup.
extension ChangeStorySearch {
    /// Searches for a scenario in which an event reaches a goal, after an impression, with only one
    /// of the rule sets.
    func goalStory(of change: PopupChange, _ opening: Opening) -> ChangeStory? {
        for old in change.old.goals {
            guard let new = change.new.goals.first(where: { $0.name == old.name }) else { continue }
            let (first, last) = (min(old.within, new.within), max(old.within, new.within))
            let events = [later.events[new.event].name, earlier.events[old.event].name]
            for opening in openings(for: old, new, of: change, opening) {
                for (event, time) in events.flatMap({ event in
                    [.zero, first + (last - first) / 2].map { (event, $0) }
                }) {
                    guard var duet = duet(opening, about: [change.id]) else { return nil }
                    _ = present(change.id, opening, of: change.key, in: &duet) { _, _ in false }
                    guard duet.isShowingInBoth(change.id) else { break }
                    duet.take(.close(change.id))
                    duet.take(.wait(time))
                    duet.take(.send(event, opening.payload(of: event)))
                    if let story = duet.storyOfGoals(of: change.id) { return story }
                }
            }
        }
        return nil
    }

    /// Returns beginnings in which an event meets the earlier goal and not the later one, or vice
    /// versa, or the earlier goal.
    private func openings(
        for old: Goal, _ new: Goal, of change: PopupChange, _ opening: Opening
    ) -> [Opening] {
        let (former, latter) = (old.where?.program, new.where?.program)
        let before = Demand([former].compactMap { $0 })
        let after = Demand([latter].compactMap { $0 }, isLater: true)
        if before.isEmpty, after.isEmpty { return [opening] }
        var logic = Logic(
            of: [former, latter].compactMap { $0 },
            declarations: Declarations(earlier: earlier, later: later).whileShowing(),
            limits: limits.logic)
        let answers = [
            logic.implies(before, after), logic.implies(after, before), logic.isNever(before),
        ]
        return answers.compactMap { answer in
            guard case .no(let witness) = answer else { return nil }
            return self.opening(opening, for: witness.facts, of: change.new)
        }
    }
}
