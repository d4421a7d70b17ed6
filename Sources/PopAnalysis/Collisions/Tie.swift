internal import PopCEL
internal import PopLogic
package import PopScheduler
internal import PopSource

/// Popups that begin to wait at one moment with one priority, so that files decide which goes
/// first: there is a user to whom any two of them may show.
package struct Tie: Sendable {
    /// In the order in which they are written.
    package let popups: [PopupIndex]
    /// The first two in the order in which they go, and what becomes of the second.
    package let winner: PopupIndex
    package let loser: PopupIndex
    package let loss: Loss
    package let story: Story
}

extension Tie {
    /// Whether the one that goes second does not show in the story at all.
    package var isLost: Bool {
        switch loss {
        case .lost: true
        case .postponed, .keptAway, .starved: false
        }
    }
}

extension Meetings {
    private struct Moment: Hashable {
        var scheduler: LaneIndex
        var rank: Int
        var trigger: CommonTrigger
        /// What waits before it may show is of another moment than what may show at once.
        var delay: ClosedRange<Duration>
    }

    /// The ties among popups of several files, leaving out some schedulers.
    mutating func ties(leavingOut lanes: Set<LaneIndex>) -> [Tie] {
        var members: [Moment: [PopupIndex]] = [:]
        for popup in rules.popups.places where rules.popups[popup].isEnabled {
            let rule = rules.popups[popup]
            guard !lanes.contains(rule.scheduler) else { continue }
            let isRanked = rules.schedulers[rule.scheduler].strategy == .priority
            for trigger in rule.commonTriggers {
                let moment = Moment(
                    scheduler: rule.scheduler, rank: isRanked ? rule.priority : 0,
                    trigger: trigger, delay: rule.timing.delay)
                members[moment, default: []].append(popup)
            }
        }
        var candidates: [(trigger: CommonTrigger, popups: [PopupIndex])] = []
        for (moment, popups) in members where isInSeveralFiles(popups) {
            for clique in cliques(popups) where isInSeveralFiles(clique) {
                candidates.append((moment.trigger, clique))
            }
        }
        // Larger ones first, so that what several triggers bring about is told once.
        candidates.sort { left, right in
            if left.popups.count != right.popups.count {
                return left.popups.count > right.popups.count
            }
            if left.popups != right.popups {
                return left.popups.lexicographicallyPrecedes(right.popups)
            }
            return rules.text(of: left.trigger) < rules.text(of: right.trigger)
        }
        var told: Set<PopupIndex> = []
        var found: [Tie] = []
        for (trigger, popups) in candidates.prefix(limits.triedTies) {
            guard !popups.allSatisfy(told.contains),
                let tie = tie(among: popups, at: trigger)
            else { continue }
            told.formUnion(popups)
            found.append(tie)
        }
        return found.sorted { $0.popups.lexicographicallyPrecedes($1.popups) }
    }

    private func isInSeveralFiles(_ popups: [PopupIndex]) -> Bool {
        popups.contains { rules.popups[$0].range.file != rules.popups[popups[0]].range.file }
    }

    /// Popups any two of which may meet: each as many as there are in order.
    private mutating func cliques(_ popups: [PopupIndex]) -> [[PopupIndex]] {
        var cliques: [[PopupIndex]] = []
        for popup in popups {
            let own = people(popup)
            let place = cliques.firstIndex { clique in
                clique.allSatisfy { other in
                    !logic.areApart(own, people(other)) && !areApartByRules(popup, other)
                        && !isSuccessor(popup, other)
                }
            }
            if let place { cliques[place].append(popup) } else { cliques.append([popup]) }
        }
        return cliques
    }

    /// The tie of a clique, where swapping the first two that meet changes a story.
    private mutating func tie(among popups: [PopupIndex], at trigger: CommonTrigger) -> Tie? {
        var tried = 0
        for first in popups.indices {
            for second in popups.indices[(first + 1)...] {
                let (one, other) = (popups[first], popups[second])
                guard tried < limits.triedPairsOfTie else { return nil }
                guard rules.popups[one].range.file != rules.popups[other].range.file else {
                    continue
                }
                tried += 1
                guard let encounter = meeting(one, other, at: trigger), isSwapped(encounter)
                else { continue }
                return Tie(
                    popups: popups, winner: encounter.winner, loser: encounter.loser,
                    loss: encounter.loss, story: encounter.story)
            }
        }
        return nil
    }

    /// Whether the other one shows first when what was made last goes first, and the other way
    /// round: of two tasks that were made at once, as though they were swapped in the files.
    private func isSwapped(_ encounter: Encounter) -> Bool {
        var swapped = rules
        let lane = rules.popups[encounter.winner].scheduler
        let rule = rules.schedulers[lane]
        switch rule.strategy {
        case .fifo: swapped.schedulers[lane].strategy = .lifo
        case .lifo: swapped.schedulers[lane].strategy = .fifo
        case .priority: swapped.schedulers[lane].tieBreak = rule.tieBreak == .fifo ? .lifo : .fifo
        }
        let pair = [encounter.winner, encounter.loser]
        let ids = pair.map { rules.popups[$0].id }
        var telling = Telling(
            encounter.story.beginning, about: pair, rules: swapped, mostActs: limits.storySteps)
        func isOver() -> Bool { ids.contains { telling.run.shown[$0] != nil } }
        for move in encounter.script where !isOver() { telling.perform(move) }
        if !isOver() { telling.pass(until: encounter.end) }
        return telling.run.shown[ids[1]] != nil && telling.run.shown[ids[0]] == nil
    }
}
