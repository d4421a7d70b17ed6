internal import PopCEL
internal import PopScenario
internal import PopScheduler

// Scenarios about parts that several popups share, or about their order.
extension ChangeScenarioSearch {
    /// Searches for a scenario about a changed key of a group, a scheduler, or the rules; nil if
    /// none was found.
    package mutating func story(of key: String, part: String) -> ChangeScenario? {
        let ids = members(of: part)
        switch key {
        case "limits":
            let counted = ids.filter(isLimitedOtherwise)
            return sharedStory(of: key, among: counted)
        case "cap": return sharedStory(of: key, among: ids)
        case "strategy", "tie_break": return pairStory(of: key, among: ids)
        case "gap": return gapStory(among: ids)
        case "holdout": return holdoutStory(among: ids)
        case "quiet": return quietStory(among: ids)
        case "session": return sessionStory(among: ids)
        case _: return nil
        }
    }

    /// Returns the popups in both rule sets that a part applies to.
    private func members(of part: String) -> [String] {
        let name = part.split(separator: " ", maxSplits: 1).last.map { String($0) } ?? ""
        let ids = later.popups.filter { popup in
            if part.hasPrefix("group ") {
                return popup.group.map { later.groups[$0].name == name } ?? false
            }
            if part.hasPrefix("scheduler ") {
                return later.schedulers[popup.scheduler].name == name
            }
            return true
        }.map { $0.id }
        return ids.filter { id in earlier.popups.contains { $0.id == id } }
    }

    /// Returns true if limits that only one of the rule sets has apply to a popup.
    private func isLimitedOtherwise(_ id: String) -> Bool {
        let changed = Set(earlier.limits).symmetricDifference(later.limits)
        guard let popup = later.popups.first(where: { $0.id == id }) else { return false }
        return changed.contains {
            $0.popups.includes(popup.scheduler, tags: popup.texts.tags)
        }
    }

    /// Searches for a scenario in which popups use up a cap: one repeatedly, or two by turns.
    mutating func sharedStory(of key: String, among ids: [String]) -> ChangeScenario? {
        let some = ids.prefix(Self.triedPopups)
        let alone = some.map { [$0] }
        let pairs = some.flatMap { one in some.filter { $0 > one }.map { [one, $0] } }
        for group in (alone + pairs).prefix(Self.triedGroups) {
            for opening in beginnings(about: group) {
                let times = group.flatMap { id in
                    later.popups.first { $0.id == id }?.caps.times ?? []
                }
                let waits = Set(times).sorted().prefix(Self.triedPauses).map {
                    [ScenarioAct.wait($0)]
                }
                for pause in [[], [ScenarioAct.beginSession]] + waits {
                    let story = sharedStory(of: key, opening, among: group, pause: pause)
                    if let story { return story }
                }
            }
        }
        return spentStory(of: key, among: Array(some))
    }

    /// Searches for a scenario in which another popup was seen just before, as often as a shared
    /// cap of one of the rule sets allows.
    private mutating func spentStory(of key: String, among ids: [String]) -> ChangeScenario? {
        for id in ids {
            let maxima = Set([earlier, later].flatMap { $0.caps(sharedBy: id).map(\.max) })
            for opening in beginnings(about: [id]) {
                for other in ids where other != id {
                    for count in maxima.filter({ $0 <= Self.mostSpent }).sorted() {
                        var opening = opening
                        opening.beginning.impressions[other] = (1...max(1, count)).reversed().map {
                            .seconds(60 * $0)
                        }
                        let story = firingStory(
                            of: key, popup: id, opening, because: .ofSharedCaps)
                        if let story { return story }
                    }
                }
            }
        }
        return nil
    }

    private static let mostSpent = 100

    private static let triedPopups = 8
    private static let triedGroups = 16
    private static let triedPauses = 3

    private func sharedStory(
        of key: String, _ opening: Opening, among ids: [String], pause: [ScenarioAct]
    ) -> ChangeScenario? {
        guard var runs = runs(opening, about: ids) else { return nil }
        var turn = 0
        while !runs.isFull {
            let id = ids[turn % ids.count]
            turn += 1
            let story = present(id, opening, of: key, in: &runs) {
                $0.differs(from: $1, because: .ofSharedCaps)
            }
            if let story { return story }
            guard let shown = ids.first(where: { runs.isShowingInBoth($0) }) else { return nil }
            runs.take(.close(shown))
            runs.take(.wait(gap(of: id)))
            for act in pause { runs.take(act) }
        }
        return nil
    }

    /// Returns the maximum time until a triggered popup shows.
    func settling(of id: String) -> Duration {
        [earlier, later].compactMap { rules in
            rules.popups.first { $0.id == id }
                .map { $0.timing.delay.upperBound + $0.timing.grace }
        }.max() ?? .zero
    }

    /// Returns the maximum time until another popup may show after a popup.
    func gap(of id: String) -> Duration {
        let gaps = [earlier, later].compactMap { rules in
            rules.popups.first { $0.id == id }.map { rules.schedulers[$0.scheduler].gap.upperBound }
        }
        return gaps.max() ?? .zero
    }

    /// Searches for a scenario in which the order of a popup and another one has changed.
    mutating func orderStory(of change: PopupChange) -> ChangeScenario? {
        let priorities = Dictionary(
            earlier.popups.map { ($0.id, $0.priority) }, uniquingKeysWith: { first, _ in first })
        let others = later.popups.filter { other in
            other.id != change.id && other.scheduler == change.new.scheduler
                && priorities[other.id] != nil
        }
        // Popups whose order changes come first.
        func isPassed(_ other: PopupRule) -> Bool {
            let before = priorities[other.id] ?? 0
            return (before < change.old.priority) != (other.priority < change.new.priority)
                || (before == change.old.priority) != (other.priority == change.new.priority)
        }
        let sorted = others.filter(isPassed) + others.filter { !isPassed($0) }
        for other in sorted.prefix(Self.triedGroups) {
            if let story = pairStory(of: change.key, among: [change.id, other.id]) { return story }
        }
        return nil
    }

    private mutating func pairStory(of key: String, among ids: [String]) -> ChangeScenario? {
        let some = ids.prefix(Self.triedPopups)
        let pairs = some.enumerated().flatMap { place, one in
            some.dropFirst(place + 1).map { [one, $0] }
        }
        for pair in pairs.prefix(Self.triedGroups) {
            for opening in beginnings(about: pair) {
                if let story = pairStory(of: key, opening, pair) { return story }
            }
        }
        return nil
    }

    /// Searches for a scenario in which two popups are triggered together, or one after the other.
    private func pairStory(
        of key: String, _ opening: Opening, _ pair: [String]
    ) -> ChangeScenario? {
        let reasons: Set<ReasonCode> = [.slotBusy, .outranked, .preempted, .inGap, .notTriggered]
        // A popup that gives way may come back or not.
        let isRight = { (one: PairedRun.View, other: PairedRun.View) in
            key == "switch" ? one != other : one.differs(from: other, because: reasons)
        }
        for order in [pair, pair.reversed()] {
            if let story = overtakingStory(of: key, opening, order, where: isRight) { return story }
            for isTogether in [true, false] {
                guard var runs = runs(opening, about: pair) else { return nil }
                runs.clear()
                if let story = runs.story(of: key, where: isRight) { return story }
                for _ in pair {
                    let shown = pair.first { runs.isShowingInBoth($0) }
                    guard let shown else { break }
                    runs.take(.close(shown))
                    runs.take(.wait(gap(of: shown)))
                    runs.clear()
                }
                if isTogether { fireTogether(order, opening, in: &runs) }
                for id in isTogether ? [] : order {
                    fire(id, opening, in: &runs)
                    runs.take(.wait(settling(of: id)))
                    if let story = runs.story(of: key, where: isRight) { return story }
                }
                runs.take(.wait(gap(of: pair[0])))
                if let story = runs.story(of: key, where: isRight) { return story }
            }
        }
        return nil
    }

    /// Triggers popups at the same time, with a single event if possible.
    private func fireTogether(_ ids: [String], _ opening: Opening, in runs: inout PairedRun) {
        runs.take(.suspend)
        for (place, id) in ids.enumerated()
        where place == 0 || opening.firing(id) != opening.firing(ids[0]) {
            fire(id, opening, in: &runs)
        }
        runs.take(.wait(ids.map { settling(of: $0) }.max() ?? .zero))
        runs.take(.resume)
    }

    /// Searches for a scenario in which one popup shows from the start, and another one is
    /// triggered.
    private func overtakingStory(
        of key: String, _ opening: Opening, _ pair: [String],
        where isRight: (PairedRun.View, PairedRun.View) -> Bool
    ) -> ChangeScenario? {
        guard var runs = runs(opening, about: pair) else { return nil }
        runs.clear()
        guard runs.isShowingInBoth(pair[0]) else { return nil }
        fire(pair[1], opening, in: &runs)
        runs.take(.wait(settling(of: pair[1])))
        if let story = runs.story(of: key, where: isRight) { return story }
        runs.take(.wait(gap(of: pair[0])))
        return runs.story(of: key, where: isRight)
    }

    /// Searches for a scenario in which one popup is closed, and another one is triggered
    /// immediately.
    private mutating func gapStory(among ids: [String]) -> ChangeScenario? {
        let gaps = ids.prefix(1).flatMap { id in
            [earlier, later].compactMap { rules in
                rules.popups.first { $0.id == id }.map { rules.schedulers[$0.scheduler].gap }
            }
        }
        let some = ids.prefix(Self.triedPopups)
        let pairs = some.flatMap { one in some.map { [one, $0] } }
        for pair in pairs.prefix(Self.triedGroups) {
            for opening in beginnings(about: pair) {
                guard var runs = runs(opening, about: pair) else { return nil }
                runs.clear()
                _ = present(pair[0], opening, of: "gap", in: &runs) { _, _ in false }
                guard runs.isShowingInBoth(pair[0]) else { continue }
                runs.take(.close(pair[0]))
                fire(pair[1], opening, in: &runs)
                for time in [.zero] + gaps.map({ $0.upperBound }).sorted() {
                    runs.take(.wait(time))
                    let story = runs.story(of: "gap") { $0.differs(from: $1, because: [.inGap]) }
                    if let story { return story }
                }
            }
        }
        return nil
    }

    /// Searches for a scenario with a user who is in only one of the holdouts.
    private mutating func holdoutStory(among ids: [String]) -> ChangeScenario? {
        let (one, other) = (earlier.holdout, later.holdout)
        guard let key = other.map({ later.keys[$0.key] }) ?? one.map({ earlier.keys[$0.key] }),
            one == nil || other == nil
                || one.map({ earlier.keys[$0.key].name }) == other.map({ later.keys[$0.key].name }),
            let value = key.firstDrawn(
                of: limits.drawnUsers,
                where: { (one?.includes($0) ?? false) != (other?.includes($0) ?? false) })
        else { return nil }
        return firstStory(of: "holdout", among: ids, because: [.heldOut]) { beginning in
            beginning.context[key.name] = value
        }
    }

    /// Searches for a scenario in which the app is away so long that a session begins with only one
    /// of the rule sets.
    private mutating func sessionStory(among ids: [String]) -> ChangeScenario? {
        let times = [earlier, later].compactMap { $0.sessionTimeout }.sorted()
        guard let first = times.first, let last = times.last else { return nil }
        let away = times.count == 1 ? first : first + (last - first) / 2
        let isRight = { (one: PairedRun.View, other: PairedRun.View) in
            one.differs(from: other, because: [.sessionCap, .notTriggered])
        }
        for id in ids {
            for opening in beginnings(about: [id]) {
                guard var runs = runs(opening, about: [id]) else { return nil }
                _ = present(id, opening, of: "session", in: &runs) { _, _ in false }
                guard runs.isShowingInBoth(id) else { continue }
                runs.take(.close(id))
                runs.take(.background)
                runs.take(.wait(away))
                runs.take(.foreground)
                let story = present(id, opening, of: "session", in: &runs, where: isRight)
                if let story { return story }
            }
        }
        return nil
    }

    /// Searches for a scenario at an hour that is quiet with only one of the rule sets.
    private mutating func quietStory(among ids: [String]) -> ChangeScenario? {
        let start = ScenarioStart.usualStart
        let quietHours = [earlier, later].map { rules in
            rules.quiet.map { OpenWindows([Schedule(hours: $0.hours, zone: $0.zone)]) }
        }
        for quarter in 0..<96 {
            let moment = start.later(by: .seconds(900 * quarter))
            let isQuiet = quietHours.map {
                $0?.isOpen(at: moment, within: limits.budget) ?? false
            }
            guard isQuiet[0] != isQuiet[1] else { continue }
            return firstStory(of: "quiet", among: ids, because: [.quietHours]) { beginning in
                beginning.start = moment
            }
        }
        return nil
    }

    /// Returns a scenario of the first popup that is suppressed for a reason with one rule set and
    /// shows with the other.
    private mutating func firstStory(
        of key: String, among ids: [String], because reasons: Set<ReasonCode>,
        changing change: (inout ScenarioStart) -> Void
    ) -> ChangeScenario? {
        for id in ids.prefix(Self.triedGroups) {
            for var opening in beginnings(about: [id]) {
                change(&opening.beginning)
                let story = firingStory(of: key, popup: id, opening, because: reasons)
                if let story { return story }
            }
        }
        return nil
    }
}
