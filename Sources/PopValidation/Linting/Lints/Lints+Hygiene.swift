internal import PopCEL
internal import PopRuleFiles
public import PopScheduler
public import PopSource

extension Lints {
    /// Lints about names, owners, lists and priorities.
    static let hygiene: [any Lint.Type] = [
        NoOwner.self, NoDescription.self, SectionNameUsedAsPopup.self, DuplicateItem.self,
        OnePriority.self, SmallPriorities.self, LatentEqualPriority.self,
        SwitchIgnored.self, AwaitForever.self,
    ]
}

/// A popup without an owner: it is unknown who can answer questions about it.
///
/// Bad:
/// ```yaml
/// popups: { welcome: { description: Greets new users } }
/// ```
/// Good:
/// ```yaml
/// popups: { welcome: { description: Greets new users, owner: team-growth } }
/// ```
public enum NoOwner: Lint {
    public static let check = Check.hygieneNoOwner

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        subject.model.popups.entries.filter { $0.texts.owner == nil }.map { .noOwner($0.name) }
    }
}

extension Diagnostic {
    fileprivate static func noOwner(_ popup: Located<String>) -> Self {
        Diagnostic(
            .hygieneNoOwner, message: "the popup `\(popup.value)` has no `owner`", at: popup.range,
            help: ["add the person or team responsible for the popup, such as `owner: team-growth`"]
        )
    }
}

/// A popup without a description: its purpose is forgotten.
///
/// Bad:
/// ```yaml
/// popups: { welcome: { owner: team-growth } }
/// ```
/// Good:
/// ```yaml
/// popups: { welcome: { owner: team-growth, description: Greets new users } }
/// ```
public enum NoDescription: Lint {
    public static let check = Check.hygieneNoDescription

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        subject.model.popups.entries.filter { $0.texts.description == nil }.map {
            .noDescription($0.name)
        }
    }
}

extension Diagnostic {
    fileprivate static func noDescription(_ popup: Located<String>) -> Self {
        Diagnostic(
            .hygieneNoDescription, message: "the popup `\(popup.value)` has no `description`",
            at: popup.range,
            help: ["add a `description`: one sentence about the purpose of the popup"])
    }
}

/// A popup that is named `defaults` and has no keys that only a popup can have.
///
/// Bad:
/// ```yaml
/// popups: { defaults: { owner: team-growth }, welcome: {} }
/// ```
/// Good:
/// ```yaml
/// defaults: { owner: team-growth }
/// popups: { welcome: {} }
/// ```
/// ```yaml
/// popups: { defaults: { owner: team-growth, content: { title: Your defaults } } }
/// ```
public enum SectionNameUsedAsPopup: Lint {
    public static let check = Check.hygieneSectionAsPopup

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        guard let popup = subject.model.popups["defaults"],
            !["description", "template", "content", "examples", "experiment"]
                .contains(where: { popup.writes($0) })
        else { return [] }
        return [.asks(popup.name)]
    }
}

extension Diagnostic {
    fileprivate static func asks(_ name: Located<String>) -> Self {
        Diagnostic(
            .hygieneSectionAsPopup,
            message:
                "`\(name.value)` is a popup here; should it set values for all popups of the file?",
            at: name.range, label: "shown like any other popup",
            help: [
                "to set values for all popups of the file, move `\(name.value)` out of `popups`,"
                    + " and indent it like `popups`",
                "if `\(name.value)` is a popup, rename the popup, or add a `description` to it",
            ])
    }
}

/// The same popup, trigger or tag twice in a list.
///
/// Bad:
/// ```yaml
/// popups: { welcome: { trigger: [start, start] } }
/// ```
/// Good:
/// ```yaml
/// popups: { welcome: { trigger: [start, manual] } }
/// ```
public enum DuplicateItem: Lint {
    public static let check = Check.schemaDuplicateItem

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        subject.model.popups.entries.flatMap { popup in
            let triggers = (popup.trigger?.value ?? []).compactMap { trigger in
                trigger.value.plainText.map { Located($0, at: trigger.range) }
            }
            let lists = [
                ("after", popup.place.after?.value.filter(\.isPlain).map(\.popup) ?? []),
                ("tags", popup.texts.tags?.value ?? []),
                ("trigger", triggers),
            ]
            return lists.flatMap { key, items in repeats(in: items, of: key, popup) }
        }
    }

    private static func repeats(
        in items: [Located<String>], of key: String, _ popup: PopupModel
    ) -> [Diagnostic] {
        var first: [String: SourceRange] = [:]
        return items.compactMap { item in
            guard let earlier = first.updateValue(item.range, forKey: item.value) else {
                return nil
            }
            first[item.value] = earlier
            return .again(item, key: key, first: earlier, of: popup.name.value)
        }
    }
}

extension PredecessorModel {
    /// True if only the popup is named.
    fileprivate var isPlain: Bool { action == nil && since == nil }
}

extension TriggerModel {
    /// The trigger in a few words; nil for one with a filter, which may differ in that.
    fileprivate var plainText: String? {
        switch self {
        case .occasion(let occasion): return occasion.rawValue
        case .word(let word): return word
        case .unread: return nil
        case .changed(let key): return "changed: \(key.value)"
        case .acted(let popup, let action): return "popup: \(popup.value), action: \(action.value)"
        case .event(let trigger):
            guard trigger.where == nil, trigger.nth == nil, trigger.every == nil else { return nil }
            return "event: \(trigger.event.value)"
        }
    }
}

extension Diagnostic {
    fileprivate static func again(
        _ item: Located<String>, key: String, first: SourceRange, of popup: String
    ) -> Self {
        Diagnostic(
            .schemaDuplicateItem, message: "`\(item.value)` appears twice in `\(key)`",
            at: item.range,
            label: "the second `\(item.value)` has no effect", subject: "popup `\(popup)`",
            secondary: [Label("`\(item.value)` first appears here", at: first)],
            help: ["remove one of the two items"])
    }
}

/// Three or more popups of a scheduler, all with the same priority: an urgent popup does not show
/// first.
///
/// Bad:
/// ```yaml
/// popups:
///   forced_update: { priority: high }
///   welcome: { priority: high }
///   survey: { priority: high }
/// ```
/// Good:
/// ```yaml
/// popups:
///   forced_update: { priority: very_high }
///   welcome: { priority: high }
///   survey: { priority: low }
/// ```
public enum OnePriority: Lint {
    public static let check = Check.hygieneOnePriority
    public static let asksForAll = true

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        let popups = popupsByScheduler(subject.rules)
        return schedulers(in: subject.rules).map { scheduler in
            .allTheSame(popups[scheduler], scheduler: subject.rules.schedulers[scheduler])
        }
    }

    /// The schedulers, by index, on which all popups have the same priority.
    public static func schedulers(in rules: RuleSet) -> [LaneIndex] {
        let popups = popupsByScheduler(rules)
        return rules.schedulers.places.filter { scheduler in
            let own = popups[scheduler]
            return rules.schedulers[scheduler].strategy == .priority && own.count >= 3
                && own.allSatisfy { $0.priority == own[0].priority }
        }
    }

    private static func popupsByScheduler(_ rules: RuleSet) -> TypedArray<LaneIndex, [PopupRule]> {
        var popups = TypedArray<LaneIndex, [PopupRule]>(
            repeating: [], count: rules.schedulers.count)
        for popup in rules.popups { popups[popup.scheduler].append(popup) }
        return popups
    }
}

extension Diagnostic {
    fileprivate static func allTheSame(_ popups: [PopupRule], scheduler: SchedulerRule) -> Self {
        let first = scheduler.tieBreak == .lifo ? "last" : "first"
        return Diagnostic(
            .hygieneOnePriority,
            message:
                "all \(popups.count) popups of the scheduler `\(scheduler.name)` have the same"
                + " `priority`", at: popups[0].range, label: "the first of these popups",
            notes: [
                "with equal priorities, the popup that is triggered \(first) shows first; if popups"
                    + " are triggered at the same time, the popup that is \(first) by file name and"
                    + " line shows first"
            ],
            help: ["give more important popups a higher `priority`"])
    }
}

/// Popups of one scheduler are numbered from 1, as in tools where 1 shows first: here it shows
/// last.
///
/// Bad:
///
/// ```yaml
/// popups:
///   consent: { priority: 1 }
///   update: { priority: 2 }
///   promo: { priority: 10 }
/// ```
///
/// Good:
///
/// ```yaml
/// popups:
///   consent: { priority: very_high }
///   update: { priority: high }
///   promo: { priority: very_low }
/// ```
///
/// ```yaml
/// popups:
///   consent: { priority: 1000 }
///   promo: { priority: 1 }
/// ```
public enum SmallPriorities: Lint {
    public static let check = Check.hygieneSmallPriorities

    /// Numbers up to this one count places rather than weigh popups against each other.
    static let highestPlace = 20

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        var written: [String: Located<Int>] = [:]
        for popup in subject.model.popups.entries {
            // A word such as `very_low` is a number too.
            guard let priority = popup.priority,
                priority.range.bytes.count == "\(priority.value)".utf8.count
            else { continue }
            written[popup.name.value] = priority
        }
        let rules = subject.rules
        return rules.schedulers.places.compactMap { lane -> Diagnostic? in
            guard rules.schedulers[lane].strategy == .priority else { return nil }
            let own = rules.popups.filter { $0.scheduler == lane }
                .compactMap { popup in written[popup.id].map { (popup, $0) } }
            guard let first = own.first(where: { $0.1.value == 1 }),
                own.allSatisfy({ (1...highestPlace).contains($0.1.value) }),
                let highest = own.max(by: { $0.1.value < $1.1.value }), highest.1.value > 1,
                !isDescending(own.map(\.1))
            else { return nil }
            return .numberedFromOne(
                first.0, at: first.1.range, behind: highest.0, highest.1,
                reversed: reversed(own.map { ($0.0.id, $0.1.value) }))
        }
    }

    /// Returns true if the popups are in one file in the order in which they show, so that the
    /// author knows that the highest number shows first.
    private static func isDescending(_ priorities: [Located<Int>]) -> Bool {
        let sorted = priorities.sorted { $0.range.lower < $1.range.lower }
        return zip(sorted, sorted.dropFirst()).allSatisfy {
            $0.range.file == $1.range.file && $0.value > $1.value
        }
    }

    /// Returns the numbers that show the popups in the opposite order; nil for many popups, and for
    /// equal numbers.
    private static func reversed(_ popups: [(id: String, number: Int)]) -> String? {
        let sorted = popups.sorted { $0.number < $1.number }
        let numbers = sorted.map(\.number)
        guard sorted.count <= 5, Set(numbers).count == numbers.count else { return nil }
        return zip(sorted, numbers.reversed()).map { "\($1) for `\($0.id)`" }
            .joined(separator: ", ")
    }
}

extension Diagnostic {
    fileprivate static func numberedFromOne(
        _ popup: PopupRule, at range: SourceRange, behind other: PopupRule,
        _ highest: Located<Int>, reversed: String?
    ) -> Self {
        Diagnostic(
            .hygieneSmallPriorities,
            message:
                "the highest number shows first: `\(other.id)` (\(highest.value)) shows before"
                + " `\(popup.id)`", at: range, label: "the lowest priority",
            subject: "popup `\(popup.id)`",
            secondary: [Label("shows first", at: highest.range)],
            help: [
                reversed.map {
                    "if `\(popup.id)` should show first and `\(other.id)` last, reverse the"
                        + " priorities: \($0)"
                }
                    ?? "if `\(popup.id)` should show first, give it the highest number, or use a"
                    + " word: `priority: very_high`"
            ])
    }
}

/// `switch: latent` where a popup of the same priority can take its place: then it is dropped, not
/// put back.
///
/// Bad:
/// ```yaml
/// schedulers: { main: { tie_break: lifo } }
/// popups: { welcome: { switch: latent }, tour: {} }
/// ```
/// Good:
/// ```yaml
/// schedulers: { main: { tie_break: lifo } }
/// popups: { welcome: { switch: latent }, tour: { priority: high } }
/// ```
public enum LatentEqualPriority: Lint {
    public static let check = Check.scheduleLatentEqualPriority
    public static let asksForAll = true

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        struct Rank: Hashable {
            var scheduler: LaneIndex
            var priority: Int
        }
        let rules = subject.rules
        var names: [Rank: [String]] = [:]
        for popup in rules.popups {
            names[Rank(scheduler: popup.scheduler, priority: popup.priority), default: []]
                .append(popup.id)
        }
        return zip(subject.model.popups.entries, rules.popups).compactMap { model, popup in
            let scheduler = rules.schedulers[popup.scheduler]
            guard popup.switch == .latent, let range = model.switch?.range,
                scheduler.strategy == .priority, scheduler.tieBreak == .lifo
            else { return nil }
            let rank = Rank(scheduler: popup.scheduler, priority: popup.priority)
            let other = names[rank]?.first { $0 != popup.id }
            return other.map { .dropped(range, of: popup.id, other: $0) }
        }
    }
}

extension Diagnostic {
    fileprivate static func dropped(_ range: SourceRange, of popup: String, other: String) -> Self {
        Diagnostic(
            .scheduleLatentEqualPriority,
            message: "`\(popup)` does not come back after `\(other)` replaces `\(popup)`",
            at: range,
            label: "`latent` applies only if the other popup has a higher priority",
            subject: "popup `\(popup)`",
            notes: [
                "both popups have the same priority, and with `tie_break: lifo` the newer popup shows first"
            ],
            help: ["give `\(popup)` and `\(other)` different priorities"])
    }
}
