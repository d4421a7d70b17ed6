internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// A popup that comes after one that never shows.
///
/// Bad:
///
/// ```yaml
/// popups:
///   welcome: { enabled: false }
///   tour: { after: [welcome] }
/// ```
///
/// ```yaml
/// popups:
///   tour: { when: has(popups.tour.last_shown) }
/// ```
///
/// ```yaml
/// popups:
///   sale: { schedule: { from: 2099-03-01, until: 2099-04-01, zone: UTC } }
///   thanks: { after: [sale], schedule: { from: 2099-01-01, until: 2099-02-01, zone: UTC } }
/// ```
///
/// ```yaml
/// popups:
///   tour: { trigger: { popup: tour, action: close } }
/// ```
///
/// ```yaml
/// popups:
///   welcome: { cap: { lifetime: 1 } }
///   tour: { when: popups.welcome.shown_count >= 2 }
/// ```
///
/// Good:
///
/// ```yaml
/// popups:
///   welcome: {}
///   tour: { after: [welcome] }
/// ```
///
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
            return unreachedImpressions(of: model, popup: popup, in: popups, obstacles: obstacles)
                + (model.place.after?.value ?? []).compactMap { predecessor in
                    guard seen.insert(predecessor.popup.value).inserted,
                        let index = popups.index(of: predecessor.popup.value)
                    else { return nil }
                    if let obstacle = obstacles[index] {
                        return .waits(
                            model.name.value, predecessor: predecessor.popup, obstacle: obstacle)
                    }
                    guard let start = subject.rules.popups[index].timing.earliestStart,
                        popup.timing.isOver(at: start)
                    else { return nil }
                    return .waits(
                        model, forLater: popups.entries[index], predecessor: predecessor.popup)
                }
                + [stuckTrigger(of: model) { popups.index(of: $0).flatMap { obstacles[$0] } }]
                .compactMap(\.self)
        }
    }

    /// Returns the finding about a popup that is only triggered by actions on popups, none of which
    /// ever shows before it.
    private static func stuckTrigger(
        of model: PopupModel, obstacle: (String) -> Obstacle?
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
            let reason = obstacle(first.value)
        else { return .triggersItself(others[0]) }
        let isAlone = Set(others.map(\.value)).subtracting([name]).count == 1
        return .isTriggered(name, by: first, isAlone: isAlone, obstacle: reason)
    }

    /// Reports impressions that a popup's condition requires before the popup shows, and that
    /// cannot happen: its own, those of a popup that never shows, or more than a `lifetime` allows.
    /// For each popup, the part that needs the most impressions is reported.
    private static func unreachedImpressions(
        of model: PopupModel, popup: PopupRule, in popups: Section<PopupModel>,
        obstacles: [Obstacle?]
    ) -> [Diagnostic] {
        guard let tree = popup.when?.program.expression.tree else { return [] }
        let name = model.name.value
        var needed: [String: (count: Int, range: SourceRange)] = [:]
        for node in tree.conjuncts {
            guard let (other, count) = neededImpressions(node, in: tree), count > 0,
                count > needed[other]?.count ?? 0
            else { continue }
            needed[other] = (count, tree.range(node))
        }
        return needed.sorted { $0.key < $1.key }.compactMap { other, need in
            if other == name { return .waitsForItself(name, at: need.range) }
            guard let index = popups.index(of: other) else { return nil }
            if let obstacle = obstacles[index] {
                return .waits(name, until: other, at: need.range, obstacle: obstacle)
            }
            guard let most = popups.entries[index].limits.cap?.value.lifetime,
                need.count > most.value
            else { return nil }
            return .waits(name, for: need.count, of: other, most: most, at: need.range)
        }
    }

    /// Returns how many impressions of which popup a part of a condition needs at least; nil for
    /// anything but a comparison with a number and `has(popups.ID.last_shown)`.
    private static func neededImpressions(
        _ node: NodeID, in tree: SyntaxTree
    ) -> (popup: String, count: Int)? {
        if let popup = popupShown(node, in: tree) { return (popup, 1) }
        guard let sign = tree.operation(node) else { return nil }
        let sides = tree.children(of: node)
        for (name, number, sign) in [(0, 1, sign), (1, 0, sign.mirrored)]
        where sides.count == 2 && [.equal, .greater, .greaterOrEqual].contains(sign) {
            guard let popup = popup(sides[name], fact: "shown_count", in: tree),
                case .int(let count)? = tree.literal(sides[number]), count < .max
            else { continue }
            return (popup, Int(sign == .greater ? count + 1 : count))
        }
        return nil
    }

    /// Returns the popup of `has(popups.ID.last_shown)`.
    private static func popupShown(_ node: NodeID, in tree: SyntaxTree) -> String? {
        guard tree.kind(of: node) == .presence else { return nil }
        return popup(tree.child(node, at: 0), fact: "last_shown", in: tree)
    }

    /// Returns the popup of `popups.ID.FACT`.
    private static func popup(_ node: NodeID, fact: String, in tree: SyntaxTree) -> String? {
        let parts = tree.dottedName(node)?.split(separator: ".") ?? []
        guard parts.count == 3, parts[0] == "popups", parts[2] == fact else { return nil }
        return String(parts[1])
    }

    /// Returns the reason why a popup never shows, and its place; nil if there is no certain
    /// reason.
    private static func obstacle(
        _ model: PopupModel, popup: PopupRule, subject: LintSubject
    ) -> Obstacle? {
        if !popup.isEnabled, let place = model.isEnabled?.range {
            return Obstacle(
                "`\(popup.id)` is switched off", at: place,
                remedy: "remove `enabled: false` from `\(popup.id)`")
        }
        if let when = model.when, when.value.constant == false {
            return Obstacle(
                "the `when` of `\(popup.id)` is never true", at: when.range,
                remedy: "correct the `when` of `\(popup.id)`")
        }
        if let group = popup.group, let when = subject.model.groups.entries[group].when,
            when.value.constant == false
        {
            return Obstacle(
                "the `when` of the group of `\(popup.id)` is never true", at: when.range,
                remedy: "correct the `when` of this group")
        }
        if popup.audience.rollout?.share.largest == 0,
            let place = model.limits.rollout?.value.shareRange
        {
            return Obstacle(
                "the rollout of `\(popup.id)` reaches no users", at: place,
                remedy: "raise the rollout of `\(popup.id)` above 0 percent")
        }
        if let now = subject.now, popup.timing.isOver(at: now),
            let place = model.timing.schedule?.value.last?.value.until?.range
        {
            return Obstacle(
                "the schedule of `\(popup.id)` is over", at: place,
                remedy: "move the end of the schedule of `\(popup.id)` to a later date")
        }
        return nil
    }
}

/// The reason why a popup never shows.
private struct Obstacle {
    let label: Diagnostic.Label
    /// The change that lets the popup show, as an imperative.
    let remedy: String

    init(_ text: String, at place: SourceRange, remedy: String) {
        label = Diagnostic.Label(text, at: place)
        self.remedy = remedy
    }
}

extension Diagnostic {
    fileprivate static func waitsForItself(_ popup: String, at range: SourceRange) -> Self {
        Diagnostic(
            .scheduleAwaitForever,
            message: "`\(popup)` cannot show a first time: it waits for its own impression",
            at: range,
            label: "not true before the popup has been shown", subject: "popup `\(popup)`",
            notes: ["only users who saw `\(popup)` in the past can see it again"],
            help: ["to limit how often `\(popup)` shows, use `cap`, such as `cap: { every: 7d }`"])
    }

    fileprivate static func waits(
        _ popup: String, until other: String, at range: SourceRange, obstacle: Obstacle
    ) -> Self {
        Diagnostic(
            .scheduleAwaitForever,
            message: "`\(popup)` waits until `\(other)` has been shown, but `\(other)` never shows",
            at: range, label: "needs an impression of `\(other)`", subject: "popup `\(popup)`",
            secondary: [obstacle.label],
            notes: ["only users who saw `\(other)` in the past can see `\(popup)`"],
            help: ["remove this part of the condition, or \(obstacle.remedy)"])
    }

    fileprivate static func waits(
        _ popup: String, for count: Int, of other: String, most: Located<Int>,
        at range: SourceRange
    ) -> Self {
        let times = most.value == 1 ? "once" : "\(most.value) times"
        return Diagnostic(
            .scheduleAwaitForever,
            message:
                "`\(popup)` waits until `\(other)` has been shown \(count) times, but `\(other)`"
                + " shows at most \(times)",
            at: range, label: "needs \(count) impressions of `\(other)`",
            subject: "popup `\(popup)`",
            secondary: [Label("`\(other)` shows at most \(times)", at: most.range)],
            notes: [
                "only users who already saw `\(other)` at least \(count) times can see `\(popup)`"
            ],
            help: [
                "raise the `lifetime` of `\(other)` to \(count), or require at most"
                    + " \(most.value == 1 ? "1 impression" : "\(most.value) impressions")"
            ])
    }

    fileprivate static func triggersItself(_ popup: Located<String>) -> Self {
        Diagnostic(
            .scheduleAwaitForever, message: "`\(popup.value)` is triggered only by itself",
            at: popup.range, label: "`\(popup.value)` is already on screen when a user acts on it",
            subject: "popup `\(popup.value)`",
            help: [
                "use an action of another popup, or add another trigger; to limit how often"
                    + " `\(popup.value)` shows, use `cap`, such as `cap: { every: 7d }`"
            ])
    }

    fileprivate static func isTriggered(
        _ popup: String, by other: Located<String>, isAlone: Bool, obstacle: Obstacle
    ) -> Self {
        Diagnostic(
            .scheduleAwaitForever,
            message: isAlone
                ? "`\(popup)` is triggered only by `\(other.value)`, which never shows"
                : "`\(popup)` is triggered only by popups that never show",
            at: other.range, label: "`\(other.value)` never shows", subject: "popup `\(popup)`",
            secondary: [obstacle.label],
            help: ["add another trigger to `\(popup)`, or \(obstacle.remedy)"])
    }

    fileprivate static func waits(
        _ popup: String, predecessor: Located<String>, obstacle: Obstacle
    ) -> Self {
        let other = predecessor.value
        return Diagnostic(
            .scheduleAwaitForever, message: "`\(popup)` waits for `\(other)`, which never shows",
            at: predecessor.range, label: "`\(other)` never shows", subject: "popup `\(popup)`",
            secondary: [obstacle.label],
            notes: ["only users who saw `\(other)` in the past can see `\(popup)`"],
            help: ["remove `\(other)` from `after`, or \(obstacle.remedy)"])
    }

    /// A popup that waits for one whose schedule starts when its own is over.
    fileprivate static func waits(
        _ popup: PopupModel, forLater other: PopupModel, predecessor: Located<String>
    ) -> Self {
        let (name, other) = (popup.name.value, (name: other.name.value, model: other))
        let bounds = [
            (popup.timing.schedule?.value.last?.value.until?.range, "`\(name)` ends here"),
            (
                other.model.timing.schedule?.value.first?.value.from?.range,
                "`\(other.name)` starts here"
            ),
        ]
        return Diagnostic(
            .scheduleAwaitForever,
            message: "`\(name)` waits for `\(other.name)`, but the schedule of `\(name)` is over"
                + " before that of `\(other.name)` starts",
            at: predecessor.range, label: "shows only after the schedule of `\(name)`",
            subject: "popup `\(name)`",
            secondary: bounds.compactMap { range, text in range.map { Label(text, at: $0) } },
            help: [
                "remove `\(other.name)` from `after`, or change one of the schedules so that"
                    + " `\(other.name)` starts before `\(name)` ends"
            ])
    }
}
