internal import PopCEL
internal import PopLogic
package import PopScheduler
internal import PopSource

/// Popups with the same priority that begin to wait at the same time, so that only their order in
/// the files decides which shows first. For any two of them, there is a user who may see both.
package struct Tie: Sendable {
    /// The popups in the order in which they are written.
    package let popups: [PopupIndex]
    /// The first two popups in the order in which they show, and the effect on the second.
    package let winner: PopupIndex
    package let loser: PopupIndex
    package let loss: LoserOutcome
    package let story: FoundScenario
    /// True if the names of files decide, and not the order within one file, which its author sees.
    package let isOfFiles: Bool
}

extension Tie {
    /// True if the second popup doesn't show in the scenario at all.
    package var isLost: Bool {
        switch loss {
        case .lost: true
        case .postponed, .keptAway, .starved, .lapsed: false
        }
    }
}

extension PairAnalysis {
    private struct Moment: Hashable {
        var scheduler: LaneIndex
        var rank: Int
        var trigger: CommonTrigger
        /// A popup that waits for a delay doesn't tie with one that may show immediately.
        var delay: ClosedRange<Duration>
    }

    /// Returns the ties, except on some schedulers: ties between popups of several files, and ties
    /// within one file in which a popup is lost permanently.
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
        // Higher priority comes first, before other popups come between. Then larger ties come
        // first, so that a tie caused by several triggers is reported once.
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

    /// Returns true if the order of popups is worth reporting. Within one file, it is only if a
    /// popup may be lost permanently.
    private func mayTie(_ popups: [PopupIndex]) -> Bool {
        popups.count > 1 && (isInSeveralFiles(popups) || popups.contains(where: mayBeLost))
    }

    private func isInSeveralFiles(_ popups: [PopupIndex]) -> Bool {
        popups.contains { isInOtherFile($0, than: popups[0]) }
    }

    private func isInOtherFile(_ popup: PopupIndex, than other: PopupIndex) -> Bool {
        rules.popups[popup].range.file != rules.popups[other].range.file
    }

    /// Returns true if a task of a popup may end because it waits.
    private func mayBeLost(_ popup: PopupIndex) -> Bool {
        let rule = rules.popups[popup]
        return rule.untriggered == .discard || rule.timing.maxWait != nil
            || rules.schedulers[rule.scheduler].maxWaiting != nil
            || rule.timing.schedule.contains { $0.until != nil }
    }

    /// Popups of which any two may meet. Only properties that not all popups have are compared.
    private struct Clique {
        private(set) var popups: [PopupIndex] = []
        /// The distinct sets of users who may see them.
        private(set) var people: [People] = []
        private var known: Set<People> = []
        /// The popups that have a rollout or a schedule.
        private(set) var bound: [PopupIndex] = []
        private var members: Set<PopupIndex> = []
        /// The popups after which one of them comes.
        private var predecessors: Set<PopupIndex> = []

        mutating func add(_ popup: PopupIndex, _ rule: PopupRule, _ own: People, isBound: Bool) {
            popups.append(popup)
            members.insert(popup)
            if known.insert(own).inserted { people.append(own) }
            if isBound { bound.append(popup) }
            predecessors.formUnion(rule.after.map { $0.popup })
        }

        /// Returns true if one of them comes after a popup, or before it.
        func follows(_ popup: PopupIndex, _ rule: PopupRule) -> Bool {
            predecessors.contains(popup) || rule.after.contains { members.contains($0.popup) }
        }
    }

    /// Returns groups of popups of which any two may meet, each as large as possible in order. If
    /// the steps are used up, the remaining popups are in no group.
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

    /// Returns the tie of a group if swapping the first two popups that meet changes a scenario.
    /// Pairs of several files are tried first.
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

    /// Returns the pairs of a group that are worth reporting, in order.
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

    /// Returns true if swapping the places of the two popups makes the other one show first.
    private func isSwapped(_ encounter: CollisionOutcome) -> Bool {
        let pair = [encounter.winner, encounter.loser]
        var order = Array(rules.popups.places)
        order.swapAt(pair[0].number, pair[1].number)
        let swapped = PreparedRules(rules.keeping(order))
        let ids = pair.map { rules.popups[$0].id }
        var telling = RecordedRun(
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
