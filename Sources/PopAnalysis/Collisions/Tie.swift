internal import PopCEL
internal import PopLogic
package import PopScheduler
internal import PopSource

/// Popups that begin to wait at one moment with one priority, so that what decides which goes first
/// is where they are written: there is a user to whom any two of them may show.
package struct Tie: Sendable {
    /// In the order in which they are written.
    package let popups: [PopupIndex]
    /// The first two in the order in which they go, and what becomes of the second.
    package let winner: PopupIndex
    package let loser: PopupIndex
    package let loss: Loss
    package let story: FoundScenario
    /// Whether the names of files decide, and not the order within one, which its author sees.
    package let isOfFiles: Bool
}

extension Tie {
    /// Whether the one that goes second does not show in the story at all.
    package var isLost: Bool {
        switch loss {
        case .lost: true
        case .postponed, .keptAway, .starved, .lapsed: false
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

    /// The ties, leaving out some schedulers: those among popups of several files, and of one file
    /// those in which one is lost for good.
    mutating func ties(
        leavingOut lanes: Set<LaneIndex>, check: () throws -> Void
    ) rethrows -> [Tie] {
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
        var steps = PairSteps(limits)
        var candidates: [(rank: Int, trigger: CommonTrigger, popups: [PopupIndex])] = []
        for (moment, popups) in members where mayTie(popups) {
            for clique in try cliques(popups, &steps, check: check) where mayTie(clique) {
                candidates.append((moment.rank, moment.trigger, clique))
            }
        }
        // Before others come between them; then larger ones, so that what several triggers bring
        // about is told once.
        candidates.sort { left, right in
            if left.rank != right.rank { return left.rank > right.rank }
            if left.popups.count != right.popups.count {
                return left.popups.count > right.popups.count
            }
            if left.popups != right.popups {
                return left.popups.lexicographicallyPrecedes(right.popups)
            }
            return rules.text(of: left.trigger) < rules.text(of: right.trigger)
        }
        var tied: Set<PopupIndex> = []
        var found: [Tie] = []
        let last = told + limits.storiesOfTies
        for (_, trigger, popups) in candidates.prefix(limits.triedTies) {
            guard !popups.allSatisfy(tied.contains),
                let tie = try tie(among: popups, at: trigger, until: last, check: check)
            else { continue }
            tied.formUnion(popups)
            found.append(tie)
        }
        if candidates.count > limits.triedTies || told >= last { limits.budget.leaveUndecided() }
        return found.sorted { $0.popups.lexicographicallyPrecedes($1.popups) }
    }

    /// Whether there is something to tell of the order of popups: no more of one file than that one
    /// is lost for good.
    private func mayTie(_ popups: [PopupIndex]) -> Bool {
        popups.count > 1 && (isInSeveralFiles(popups) || popups.contains(where: mayBeLost))
    }

    private func isInSeveralFiles(_ popups: [PopupIndex]) -> Bool {
        popups.contains { isInOtherFile($0, than: popups[0]) }
    }

    private func isInOtherFile(_ popup: PopupIndex, than other: PopupIndex) -> Bool {
        rules.popups[popup].range.file != rules.popups[other].range.file
    }

    /// Whether a task of a popup may end because it waits.
    private func mayBeLost(_ popup: PopupIndex) -> Bool {
        let rule = rules.popups[popup]
        return rule.untriggered == .discard || rule.timing.maxWait != nil
            || rules.schedulers[rule.scheduler].maxWaiting != nil
            || rule.timing.schedule.contains { $0.until != nil }
    }

    /// Popups any two of which may meet. Only those are compared that not all popups have.
    private struct Clique {
        private(set) var popups: [PopupIndex] = []
        /// The different people to whom they may show.
        private(set) var people: [People] = []
        private var known: Set<People> = []
        /// Those that have a rollout or a schedule.
        private(set) var bound: [PopupIndex] = []
        private var members: Set<PopupIndex> = []
        /// Those after which one of them comes.
        private var predecessors: Set<PopupIndex> = []

        mutating func add(_ popup: PopupIndex, _ rule: PopupRule, _ own: People, isBound: Bool) {
            popups.append(popup)
            members.insert(popup)
            if known.insert(own).inserted { people.append(own) }
            if isBound { bound.append(popup) }
            predecessors.formUnion(rule.after.map { $0.popup })
        }

        /// Whether one of them comes after a popup, or before it.
        func follows(_ popup: PopupIndex, _ rule: PopupRule) -> Bool {
            predecessors.contains(popup) || rule.after.contains { members.contains($0.popup) }
        }
    }

    /// Popups any two of which may meet: each as many as there are in order. Of those that are left
    /// where this takes too many steps none is in a clique.
    private mutating func cliques(
        _ popups: [PopupIndex], _ steps: inout PairSteps, check: () throws -> Void
    ) rethrows -> [[PopupIndex]] {
        var cliques: [Clique] = []
        for popup in popups where !steps.isUsedUp {
            try check()
            let (own, rule) = (people(popup), rules.popups[popup])
            let isBound = isBound(popup)
            var place: Int?
            for (index, clique) in cliques.enumerated() where place == nil {
                let compared = clique.people.count + (isBound ? clique.bound.count : 0)
                guard steps.take(1 + compared) else { break }
                if clique.people.allSatisfy({ !logic.areApart(own, $0) }),
                    !isBound || clique.bound.allSatisfy({ !areApartByRules(popup, $0) }),
                    !clique.follows(popup, rule)
                {
                    place = index
                }
            }
            if steps.isUsedUp { break }
            if place == nil { cliques.append(Clique()) }
            cliques[place ?? cliques.count - 1].add(popup, rule, own, isBound: isBound)
        }
        return cliques.map { $0.popups }
    }

    /// The tie of a clique, where swapping the first two that meet changes a story; those of
    /// several files are tried first.
    private mutating func tie(
        among popups: [PopupIndex], at trigger: CommonTrigger, until last: Int,
        check: () throws -> Void
    ) rethrows -> Tie? {
        for isOfFiles in [true, false] {
            var tried = 0
            for (one, other) in pairs(among: popups, ofSeveralFiles: isOfFiles) {
                guard tried < limits.triedPairsOfTie, told < last else { break }
                tried += 1
                try check()
                guard let encounter = meeting(of: one, and: other, at: trigger) else { continue }
                let tie = Tie(
                    popups: isOfFiles ? popups : [one, other], winner: encounter.winner,
                    loser: encounter.loser, loss: encounter.loss, story: encounter.story,
                    isOfFiles: isOfFiles)
                if isOfFiles || tie.isLost, isSwapped(encounter) { return tie }
            }
        }
        return nil
    }

    /// The pairs of a clique of which something is to be told, in order.
    private func pairs(
        among popups: [PopupIndex], ofSeveralFiles isOfFiles: Bool
    ) -> some Sequence<(PopupIndex, PopupIndex)> {
        popups.indices.lazy.flatMap { first in
            popups[(first + 1)...].lazy.map { (popups[first], $0) }
        }.filter { one, other in
            isOfFiles
                ? isInOtherFile(one, than: other)
                : !isInOtherFile(one, than: other) && (mayBeLost(one) || mayBeLost(other))
        }
    }

    /// Whether the other one shows first when each of the two stands where the other one does.
    private func isSwapped(_ encounter: Encounter) -> Bool {
        let pair = [encounter.winner, encounter.loser]
        var order = Array(rules.popups.places)
        order.swapAt(pair[0].number, pair[1].number)
        let swapped = PreparedRules(rules.keeping(order))
        let ids = pair.map { rules.popups[$0].id }
        var telling = Telling(
            encounter.story.beginning, about: pair.map { rules.popups[$0] }, on: swapped,
            mostActs: limits.storySteps + encounter.script.count, within: limits.budget)
        func isShown(_ id: String) -> Bool {
            telling.run.shown[id, default: []].contains { $0 >= encounter.met }
        }
        func isOver() -> Bool { telling.time >= encounter.met && ids.contains(where: isShown) }
        for move in encounter.script where !isOver() { telling.perform(move) }
        if !isOver() { telling.pass(until: encounter.end) }
        return isShown(ids[1]) && !isShown(ids[0])
    }
}
