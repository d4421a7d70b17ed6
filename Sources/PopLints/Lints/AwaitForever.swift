internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// A popup that comes after one that never shows.
///
/// Bad:
/// ```yaml
/// popups:
///   welcome: { enabled: false }
///   tour: { after: [welcome] }
/// ```
/// ```yaml
/// popups:
///   tour: { when: has(popups.tour.last_shown) }
/// ```
/// ```yaml
/// popups:
///   tour: { trigger: { popup: tour, action: close } }
/// ```
/// ```yaml
/// popups:
///   welcome: { cap: { lifetime: 1 } }
///   tour: { when: popups.welcome.shown_count >= 2 }
/// ```
/// Good:
/// ```yaml
/// popups:
///   welcome: {}
///   tour: { after: [welcome] }
/// ```
/// ```yaml
/// popups:
///   tour: { cap: { every: 7d } }
/// ```
public enum AwaitForever: Lint {
    public static let check = Check.scheduleAwaitForever

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        let popups = subject.model.popups
        let obstacles = zip(popups.entries, subject.rules.popups.places).map { model, place in
            subject.gaps?.popups.contains(place) ?? false
                ? nil : obstacle(model, popup: subject.rules.popups[place], subject: subject)
        }
        return zip(popups.entries, subject.rules.popups).flatMap { model, popup -> [Diagnostic] in
            guard popup.isEnabled else { return [] }
            var seen: Set<String> = []
            let own = waitsForItself(model, popup: popup) ? model.when : nil
            return (own.map { [.waitsForItself(model.name.value, at: $0.range)] } ?? [])
                + unreachedCounts(of: model, popup: popup, subject: subject)
                + (model.place.after?.value ?? []).compactMap { predecessor in
                    guard seen.insert(predecessor.popup.value).inserted,
                        let index = popups.index(of: predecessor.popup.value)
                    else { return nil }
                    return obstacles[index].map {
                        .waits(model.name.value, predecessor: predecessor.popup, obstacle: $0)
                    }
                }
                + [stuckTrigger(of: model) { popups.index(of: $0).flatMap { obstacles[$0] } }]
                .compactMap(\.self)
        }
    }

    /// What is said of a popup that is triggered by what people do with popups alone, none of which
    /// ever shows before it.
    private static func stuckTrigger(
        of model: PopupModel, obstacle: (String) -> Diagnostic.Label?
    ) -> Diagnostic? {
        let name = model.name.value
        let triggers = model.trigger?.value ?? []
        let others = triggers.compactMap { trigger -> Located<String>? in
            if case .acted(let popup, _) = trigger.value { popup } else { nil }
        }
        guard !others.isEmpty, others.count == triggers.count,
            others.allSatisfy({ $0.value == name || obstacle($0.value) != nil })
        else { return nil }
        guard let first = others.first(where: { $0.value != name }),
            let label = obstacle(first.value)
        else { return .triggersItself(others[0]) }
        let isAlone = Set(others.map(\.value)).subtracting([name]).count == 1
        return .isTriggered(name, by: first, isAlone: isAlone, obstacle: label)
    }

    /// Whether the condition of a popup asks for what is true only once it has been shown.
    private static func waitsForItself(_ model: PopupModel, popup: PopupRule) -> Bool {
        let name = "popups.\(model.name.value)."
        return requirements(of: popup).contains { part in
            part == "has(\(name)last_shown)" || part == "\(name)shown_count > 0"
                || part == "\(name)shown_count >= 1"
        }
    }

    /// What the condition of a popup needs, part by part; empty for one with alternatives.
    private static func requirements(of popup: PopupRule) -> [Substring] {
        guard let condition = popup.when?.program.expression.description,
            condition.contains("popups."), !condition.contains("||"), !condition.contains("?")
        else { return [] }
        return condition.split(separator: " && ")
    }

    /// What is said of a condition that needs more impressions of another popup than the `lifetime`
    /// of that one allows.
    private static func unreachedCounts(
        of model: PopupModel, popup: PopupRule, subject: LintSubject
    ) -> [Diagnostic] {
        guard let when = model.when else { return [] }
        let popups = subject.model.popups
        return requirements(of: popup).compactMap { part in
            guard let match = part.wholeMatch(of: #/popups\.(\w+)\.shown_count (>=|>|==) (\d+)/#),
                let number = Int(match.3), number < .max,
                let index = popups.index(of: String(match.1)),
                let most = popups.entries[index].limits.cap?.value.lifetime
            else { return nil }
            let needed = match.2 == ">" ? number + 1 : number
            guard needed > most.value else { return nil }
            return .waits(
                model.name.value, for: needed, of: String(match.1), most: most, at: when.range)
        }
    }

    /// What keeps a popup from ever showing, and where that is written; nil when nothing certain
    /// does.
    private static func obstacle(
        _ model: PopupModel, popup: PopupRule, subject: LintSubject
    ) -> Diagnostic.Label? {
        if !popup.isEnabled, let place = model.isEnabled?.range {
            return Diagnostic.Label("it is switched off", at: place)
        }
        if let when = model.when, when.value.constant == false {
            return Diagnostic.Label("its `when` is never true", at: when.range)
        }
        if let group = popup.group, let when = subject.model.groups.entries[group].when,
            when.value.constant == false
        {
            return Diagnostic.Label("the `when` of its group is never true", at: when.range)
        }
        if popup.audience.rollout?.share.largest == 0,
            let place = model.limits.rollout?.value.shareRange
        {
            return Diagnostic.Label("its rollout reaches nobody", at: place)
        }
        if let now = subject.now, popup.timing.isOver(at: now),
            let place = model.timing.schedule?.value.last?.value.until?.range
        {
            return Diagnostic.Label("its schedule is over", at: place)
        }
        return nil
    }
}

extension Diagnostic {
    fileprivate static func waitsForItself(_ popup: String, at range: SourceRange) -> Self {
        Diagnostic(
            .scheduleAwaitForever, message: "`\(popup)` waits until it has been shown itself",
            at: range,
            label: "does not hold before it has been shown", subject: "popup `\(popup)`",
            notes: ["only those who saw it in the past get to see it again"],
            help: ["how often it may come again is said by `cap`, such as `cap: { every: 7d }`"])
    }

    fileprivate static func waits(
        _ popup: String, for count: Int, of other: String, most: Located<Int>,
        at range: SourceRange
    ) -> Self {
        let times = most.value == 1 ? "once" : "\(most.value) times"
        return Diagnostic(
            .scheduleAwaitForever,
            message: "`\(popup)` waits until `\(other)` has shown \(count) times, but it shows at"
                + " most \(times)",
            at: range, label: "needs \(count) impressions of `\(other)`",
            subject: "popup `\(popup)`",
            secondary: [Label("no more than \(most.value)", at: most.range)],
            notes: ["only those who saw `\(other)` more often in the past get to see `\(popup)`"],
            help: ["raise `lifetime`, or ask for fewer impressions"])
    }

    fileprivate static func triggersItself(_ popup: Located<String>) -> Self {
        Diagnostic(
            .scheduleAwaitForever, message: "`\(popup.value)` is triggered by itself alone",
            at: popup.range, label: "is there already when a person uses it",
            subject: "popup `\(popup.value)`",
            help: [
                "name another popup, or give it one more trigger; `cap` only says how often it may"
                    + " show"
            ])
    }

    fileprivate static func isTriggered(
        _ popup: String, by other: Located<String>, isAlone: Bool, obstacle: Label
    ) -> Self {
        Diagnostic(
            .scheduleAwaitForever,
            message: isAlone
                ? "`\(popup)` is triggered by `\(other.value)` alone, which never shows"
                : "`\(popup)` is triggered by popups alone that never show",
            at: other.range, label: "never shows", subject: "popup `\(popup)`",
            secondary: [obstacle],
            help: ["give it another trigger, or let `\(other.value)` show"])
    }

    fileprivate static func waits(
        _ popup: String, predecessor: Located<String>, obstacle: Label
    ) -> Self {
        let other = predecessor.value
        return Diagnostic(
            .scheduleAwaitForever, message: "`\(popup)` waits for `\(other)`, which never shows",
            at: predecessor.range, label: "never shows", subject: "popup `\(popup)`",
            secondary: [obstacle],
            notes: ["only those who saw `\(other)` in the past get to see `\(popup)`"],
            help: ["remove `\(other)` from `after`, or let it show"])
    }
}
