internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// Popups in several files that begin to wait at the same moment with the same priority: the names
/// of the files decide which goes first.
///
/// Bad:
/// ```yaml
/// popups: { welcome: {} }
/// # in another file:
/// popups: { survey: {} }
/// ```
/// Good:
/// ```yaml
/// popups: { welcome: { priority: high } }
/// # in another file:
/// popups: { survey: {} }
/// ```
public enum ScheduleTie: Lint {
    public static let check = Check.scheduleTie

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        let rules = subject.rules
        var cliques: [Moment: [PopupIndex]] = [:]
        for index in rules.popups.places where rules.popups[index].isEnabled {
            let popup = rules.popups[index]
            let lane = rules.schedulers[popup.scheduler]
            let rank = lane.strategy == .priority ? popup.priority : 0
            for trigger in Set(popup.triggers.compactMap(Trigger.init)) {
                let moment = Moment(
                    scheduler: popup.scheduler, rank: rank, trigger: trigger,
                    delay: popup.timing.delay)
                cliques[moment, default: []].append(index)
            }
        }
        var largest: [Rank: [PopupIndex]] = [:]
        for (moment, clique) in cliques where clique.count > 1 {
            let tied = subject.tied(clique)
            let rank = Rank(scheduler: moment.scheduler, rank: moment.rank)
            let known = largest[rank] ?? []
            if tied.count > known.count
                || tied.count == known.count && tied.lexicographicallyPrecedes(known)
            {
                largest[rank] = tied
            }
        }
        let told = Set(OnePriority.schedulers(in: rules))
        return largest.filter { !told.contains($0.key.scheduler) }.sorted {
            $0.value.lexicographicallyPrecedes($1.value)
        }.compactMap {
            subject.finding(about: $0.value, on: rules.schedulers[$0.key.scheduler])
        }
    }
}

private struct Rank: Hashable {
    var scheduler: LaneIndex
    var rank: Int
}

private struct Moment: Hashable {
    var scheduler: LaneIndex
    var rank: Int
    var trigger: Trigger
    /// What waits before it may show is of another moment than what may show at once.
    var delay: ClosedRange<Duration>
}

/// What makes several popups begin to wait at once.
private enum Trigger: Hashable {
    case occasion(PopScheduler.Trigger.Occasion)
    case event(EventIndex)
    case changed(KeyIndex)
    case acted(PopupIndex, String)

    init?(_ trigger: PopScheduler.Trigger) {
        switch trigger {
        case .occasion(.manual): return nil
        case .occasion(let occasion): self = .occasion(occasion)
        case .event(let event): self = .event(event.event)
        case .changed(let key): self = .changed(key)
        case .acted(let popup, let action): self = .acted(popup, action)
        }
    }
}

extension LintSubject {
    /// Those of the popups that wait for none of the others.
    fileprivate func tied(_ clique: [PopupIndex]) -> [PopupIndex] {
        let members = Set(clique)
        return clique.filter { popup in
            !rules.popups[popup].after.contains { members.contains($0.popup) }
        }
    }

    fileprivate func finding(about clique: [PopupIndex], on scheduler: SchedulerRule) -> Diagnostic?
    {
        let isNewestFirst =
            scheduler.strategy == .lifo
            || scheduler.strategy == .priority && scheduler.tieBreak == .lifo
        let order = isNewestFirst ? clique.reversed() : clique
        let names = order.map { model.popups.entries[$0].name }
        guard let first = names.first, names.contains(where: { $0.range.file != first.range.file })
        else { return nil }
        return .tie(
            names, on: scheduler, isNewestFirst: isNewestFirst)
    }
}

extension Diagnostic {
    fileprivate static func tie(
        _ popups: [Located<String>], on scheduler: SchedulerRule, isNewestFirst: Bool
    ) -> Self {
        let others =
            popups.count == 2 ? "`\(popups[1].value)`" : "\(popups.count - 1) others"
        let isRanked = scheduler.strategy == .priority
        return Diagnostic(
            .scheduleTie,
            message:
                "`\(popups[0].value)` goes before \(others)\(isRanked ? " of the same priority" : "")"
                + " by the names of the files alone", at: popups[0].range, label: "goes first",
            subject: "popup `\(popups[0].value)`",
            secondary: popups.dropFirst().prefix(4).enumerated().map { index, popup in
                Label(index == 0 ? "then this" : "and this", at: popup.range)
            },
            notes: [
                "what begins to wait at the same moment goes in the order of the files' names and of"
                    + " the lines in each" + (isNewestFirst ? ", the last one first" : "")
            ],
            help: [
                isRanked
                    ? "give the one that matters more a higher `priority`"
                    : "write them into one file, the one that is to go first"
                        + " \(isNewestFirst ? "below" : "above") the others: `\(scheduler.name)` does"
                        + " not look at their `priority`"
            ])
    }
}
