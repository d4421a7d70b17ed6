internal import PopCEL
public import PopScheduler
public import PopSource
internal import PopYAML

/// An entry of `popups`. Keys that are not written are nil.
public struct PopupModel: Declaration {
    /// The popup's id.
    public let name: Located<String>
    /// False if the popup is turned off; nil is on.
    public var isEnabled: Located<Bool>?
    /// An integer; the higher priority shows first. Names such as `high` are numbers already. Nil
    /// is `normal`, 100.
    public var priority: Located<Int>?
    /// The triggers that make tasks of it, any of the list; nil is `start`.
    public var trigger: Located<[Located<TriggerModel>]>?
    /// The condition under which it may show; nil is always.
    public var when: Located<ConditionModel>?
    /// The condition under which it is taken down, and does not show.
    public var dismissWhen: Located<ConditionModel>?
    /// The effect of being passed over; nil is `await`.
    public var untriggered: Located<PopupRule.Untriggered>?
    /// The effect of a popup with precedence that comes while it shows; nil is `await`.
    public var `switch`: Located<PopupRule.Switch>?
    /// The name of an entry of `templates`.
    public var template: Located<String>?
    var content: Located<YAMLNode>?
    /// The keys that it writes itself, a bit for each row.
    var written: UInt64 = 0

    // Keys that few popups have take no room in the others.
    private var sharedPlace = Shared<Place>()
    private var sharedTiming = Shared<Timing>()
    private var sharedLimits = Shared<Limits>()
    private var sharedTexts = Shared<Texts>()
    private var sharedChecks = Shared<Checks>()

    init(name: Located<String>) { self.name = name }

    /// A placeholder for a popup that was taken away.
    static let none = PopupModel(
        name: Located("", at: SourceRange(file: FileID(index: 0), 0..<0)))
}

extension PopupModel {
    public var place: Place {
        get { sharedPlace.value }
        set { sharedPlace.value = newValue }
    }
    public var timing: Timing {
        get { sharedTiming.value }
        set { sharedTiming.value = newValue }
    }
    public var limits: Limits {
        get { sharedLimits.value }
        set { sharedLimits.value = newValue }
    }
    public var texts: Texts {
        get { sharedTexts.value }
        set { sharedTexts.value = newValue }
    }
    var checks: Checks {
        get { sharedChecks.value }
        set { sharedChecks.value = newValue }
    }

    // Nil without reading them for a popup that has none.
    var placeIfAny: Place? { sharedPlace.valueIfAny }
    var timingIfAny: Timing? { sharedTiming.valueIfAny }
    var limitsIfAny: Limits? { sharedLimits.valueIfAny }
    var textsIfAny: Texts? { sharedTexts.valueIfAny }
    var checksIfAny: Checks? { sharedChecks.valueIfAny }
}

extension Table<PopupModel> {
    static let popup = Table(
        "a popup", keys: texts + order + conditions + timing + limits + content)
}

/// The keys of an entry of `popups`, in the order of their rows.
package let keysOfPopups = Table.popup.keys

extension PopupRule {
    /// Sets the values with the same meaning in a file and in a rule.
    mutating func setValues(_ popup: PopupModel) {
        if let value = popup.isEnabled?.value { isEnabled = value }
        if let value = popup.priority?.value { priority = value }
        if let value = popup.untriggered?.value { untriggered = value }
        if let value = popup.switch?.value { `switch` = value }
        if let place = popup.placeIfAny {
            if let value = place.isUrgent?.value { isUrgent = value }
            if let value = place.isEssential?.value { isEssential = value }
        }
        template = popup.template?.value
        if let value = popup.timingIfAny { timing = Timing(value) }
        if let value = popup.textsIfAny { texts = Texts(value) }
        if let cap = popup.limitsIfAny?.cap { caps = Caps(cap.value) }
    }
}

extension PopupModel {
    /// The place of the popup among others.
    public struct Place: Defaultable {
        /// The name of an entry of `schedulers`; nil is `main`.
        public var scheduler: Located<String>?
        /// True if it preempts any popup of lower priority; nil is no.
        public var isUrgent: Located<Bool>?
        /// True if it is shown to all users, regardless of shared caps; nil is no.
        public var isEssential: Located<Bool>?
        /// The name of an entry of `groups`.
        public var group: Located<String>?
        /// Popups that must have been shown before, and dismissed.
        public var after: Located<[PredecessorModel]>?

        @usableFromInline package init() {}
    }
}

extension Table<PopupModel> {
    static var order: [Key<PopupModel>] {
        [
            Key(
                "enabled", format: .bool, default: "true", store: { $0.isEnabled = $1 },
                alsoCalled: [
                    "active", "is_enabled", "is_active", "published", "live", "disabled",
                    "is_disabled", "hidden", "paused",
                ],
                summary: "whether the popup can show at all; `true` by default"
            ).such(as: ["disabled": "!", "is_disabled": "!", "hidden": "!", "paused": "!"])
                .comes { .bool($0.isEnabled) },
            Key(
                "scheduler", format: .reference(to: "scheduler"), default: RuleModel.mainScheduler,
                store: { $0.place.scheduler = $1 },
                alsoCalled: ["lane", "queue", "surface", "channel", "slot"],
                summary: "the scheduler that shows the popup, by default `main`"),
            Key(
                "group", format: .oneGroup, store: { $0.place.group = $1 },
                summary: "the group whose condition and caps also apply to the popup"),
            Key(
                "priority", format: .priority, default: "normal", store: { $0.priority = $1 },
                alsoCalled: [
                    "importance", "weight", "order", "rank", "urgency", "level", "position",
                    "index", "z_index", "score",
                ],
                summary:
                    "the priority, as a word such as `high` or as an integer; the popup with the"
                    + " highest priority shows first"
            ).such(as: ["order": "", "rank": "", "position": "", "index": "", "level": ""]),
            Key(
                "untriggered", format: .word(PopupRule.Untriggered.self), default: "await",
                store: { $0.untriggered = $1 },
                summary:
                    "what happens if the popup can't show when its turn comes: it keeps waiting"
                    + " (`await`, the default), or it is dropped (`discard`)"
            ).comes { .string($0.untriggered.rawValue) },
            Key(
                "switch", format: .word(PopupRule.Switch.self, help: wordsOfSwitch),
                default: "await",
                store: { $0.switch = $1 },
                alsoCalled: [
                    "on_preempt", "preempt", "when_preempted", "on_interrupt", "on_replaced",
                ],
                summary: "what happens to the popup if it is visible and a popup of higher"
                    + " `priority` is ready to show: with `await` (the default), it stays; with"
                    + " `latent`, it comes back later; with `discard`, it ends"
            ).comes { .string($0.switch.rawValue) },
            Key(
                "urgent", format: .bool, default: "false", store: { $0.place.isUrgent = $1 },
                alsoCalled: ["critical", "force", "interrupts", "immediate"],
                summary:
                    "whether the popup replaces any visible popup of lower priority, regardless of"
                    + " that popup's `switch` and `min_show`"
            ).comes { .bool($0.isUrgent) },
            Key(
                "essential", format: .bool, default: "false",
                store: { $0.place.isEssential = $1 },
                alsoCalled: ["mandatory", "always", "important", "legal", "no_holdout"],
                summary:
                    "whether the popup also shows to users in the `holdout` and in `quiet` hours, and"
                    + " is exempt from the caps of groups, schedulers and `limits`"
            ).comes { .bool($0.isEssential) },
            Key(
                "after", format: .predecessors, default: "[]", store: { $0.place.after = $1 },
                alsoCalled: [
                    "depends_on", "requires", "follows", "wait_for", "needs", "prerequisites",
                ],
                summary:
                    "the other popups that must have been shown and dismissed, or must have ended"
                    + " with an action, before this popup may show"
            ),
        ]
    }
}

extension Format<String> {
    /// The name of a group; of several only one can be that of a popup.
    fileprivate static var oneGroup: Self {
        let name = Self.reference(to: "group")
        return Format(name.schema) { node, decoder in
            guard let first = node.items.first?.scalar?.text, node.items.count > 1 else {
                return decoder.read(name, at: node)?.value
            }
            return decoder.mismatch(
                name.schema, at: node,
                help: [
                    "use one group, such as `group: \(first)`",
                    "to apply the other groups as well, add their conditions to the popup's `when`,"
                        + " and their caps to its `cap`, such as"
                        + " `cap: { windows: [{ max: 1, per: 1d }] }`; a popup's `cap` counts only"
                        + " impressions of that popup",
                ])
        }
    }
}

private let wordsOfSwitch = [
    "set `switch` in the popup that may have to give way to another popup; `await` keeps this"
        + " popup on screen, `latent` hides it for a time, and `discard` removes it"
]

extension Format<Int> {
    /// A priority by name or number.
    static var priority: Self {
        let names = PopupRule.priorityNames
        let range = RuleBounds.priorities
        let schema = Schema.either([.word(names.map(\.name)), .integer(range)])
        let list = WordList(names.map(\.name))
        let values = names.map(\.value)
        return Format(schema) { node, decoder in
            if let index = list.index(of: node) { return values[index] }
            guard let text = node.text else { return decoder.mismatch(schema, at: node) }
            if case .string? = node.coreValue, Int(text) == nil {
                return decoder.noSuchWord(
                    node, words: names.map(\.name), phrase: schema.phrase,
                    meant: urgencies[text.foldedForNames],
                    help: rankReadings(text) + [
                        "use any of the words above, or an integer; `normal` means 100, and popups"
                            + " with higher numbers show first"
                    ])
            }
            return decoder.read(.integer(range), at: node)?.value
        }
    }
}

/// Returns the meanings of `P1` and the like, counted from 0 or from 1.
private func rankReadings(_ text: String) -> [String] {
    let names = PopupRule.priorityNames.sorted { $0.value > $1.value }.map(\.name)
    guard let match = text.lowercased().wholeMatch(of: #/(?:p|prio|priority) ?(\d)/#),
        let rank = Int(match.output.1)
    else { return [] }
    return [0, 1].compactMap { first in
        guard names.indices.contains(rank - first) else { return nil }
        return "use `\(names[rank - first])` if `P\(first)` is your highest priority"
    }
}

/// Other common words for priorities.
private let urgencies: [String: String] = wordTable([
    (
        "highest top max maximum critical urgent blocker blocking first very_important hoechste",
        "very_high"
    ),
    ("important hoch", "high"), ("medium middle default standard regular mid mittel", "normal"),
    ("lowest min minimum bottom last", "very_low"), ("minor niedrig unimportant", "low"),
])

extension Format<[PredecessorModel]> {
    /// The popups that come first; help points to `delay` for a length of time, and to a condition
    /// for anything but a list of popups that were all shown.
    static var predecessors: Self {
        let list = Format<[Located<PredecessorModel>]>.list(of: .predecessor)
        return Format(list.schema) { node, decoder in
            if let key = decoder.namedKey, let other = otherOrder(node, key: key) {
                return decoder.mismatch(
                    list.schema, at: node, help: other.help, fixes: other.fixes)
            }
            guard node.kind == .scalar, let text = node.scalar?.text, let key = decoder.namedKey,
                let time = lengthOfTime(text)
            else { return list.read(node, &decoder)?.map(\.value) }
            decoder.report(.timeForPopups(time, key: key, at: node.range))
            return nil
        }
    }
}

/// Returns help on a popup that must not have been shown, or on one of several.
private func otherOrder(
    _ node: YAMLNode, key: Located<String>
) -> (help: [String], fixes: [Diagnostic.Fix])? {
    func fix(_ text: String, at range: SourceRange) -> Diagnostic.Fix {
        Diagnostic.Fix(
            "write `\(text)`", edits: [.init(range, replacement: text)], isSafe: false)
    }
    func asked(_ names: [String], _ comparison: String) -> String {
        let parts = names.map { "popups.\($0).shown_count \(comparison)" }
        return "when: '\(parts.joined(separator: " || "))'"
    }
    let whole = key.range.union(node.range)
    if let match = node.scalar?.text.wholeMatch(of: #/(?:!|not ) *(\w+)/#) {
        let text = asked([String(match.output.1)], "== 0")
        return (
            [
                "to check that a popup was never shown, use `when` instead of `\(key.value)`:"
                    + " `\(text)`"
            ],
            [fix(text, at: whole)]
        )
    }
    // The id of a popup has no dots, and the name of an event mostly has.
    if let text = node.scalar?.text, text.wholeMatch(of: #/\w+(?:\.\w+)+/#) != nil {
        let trigger = "trigger: { event: \(text) }"
        return (
            [
                "to wait for an event, use a trigger: `\(trigger)`; `\(key.value)` takes ids of"
                    + " popups, which have no `.`"
            ],
            [fix(trigger, at: whole)]
        )
    }
    let names = oneOfSeveral(node)
    guard names.count > 1, names.allSatisfy({ $0.wholeMatch(of: #/\w+/#) != nil }) else {
        return nil
    }
    let (list, text) = ("[\(names.joined(separator: ", "))]", asked(names, "> 0"))
    return (
        [
            "if all these popups must have been shown: `\(list)`",
            "if one of these popups is enough, use `when` instead of `\(key.value)`:"
                + " `\(text)`",
        ], [fix(list, at: node.range), fix(text, at: whole)]
    )
}

/// The names in `a or b`, `a | b` and `{ any: [a, b] }`.
private func oneOfSeveral(_ node: YAMLNode) -> [String] {
    if let text = node.scalar?.text {
        return text.replacing(#/ or | *\|\|? */#, with: "|").split(separator: "|").map(String.init)
    }
    guard node.entries.count == 1, let entry = node.entries.first,
        ["any", "any_of", "one_of", "or", "either"].contains(entry.key.nameForMessages)
    else { return [] }
    return entry.value.items.compactMap { $0.scalar?.text }
}

/// A duration in the form of rule files; nil if the string isn't a duration.
private func lengthOfTime(_ text: String) -> String? {
    if milliseconds(in: text) != nil { return text }
    let readings = durationReadings(text)
    return readings.count == 1 ? readings[0].text : nil
}

extension Diagnostic {
    fileprivate static func timeForPopups(
        _ time: String, key: Located<String>, at range: SourceRange
    ) -> Self {
        let text = "delay: \(time)"
        let words = lengthInWords(time)
        return Diagnostic(
            .schemaType, message: "`\(key.value)` must name popups, but is a duration", at: range,
            label: "not a popup",
            help: [
                "to wait \(words) after the trigger: `\(text)`",
                "to wait until \(words) after another popup was shown:"
                    + " `\(key.value): [{ popup: welcome, since: \(time) }]`",
                "to wait only until another popup was shown: `\(key.value): [welcome]`",
            ],
            fixes: [
                Fix(
                    "write `\(text)`", edits: [.init(key.range.union(range), replacement: text)],
                    isSafe: false)
            ])
    }
}

/// A popup that another comes after.
public struct PredecessorModel: Sendable {
    /// The id of the popup.
    public var popup: Located<String>
    /// The action by which one of its tasks has to have ended; nil for anything.
    public var action: Located<String>?
    /// The time that must have passed since then.
    public var since: Located<Duration>?
}

/// One that is written as a map, before it is known which popup it names.
struct PredecessorMap: Sendable {
    var popup: Located<String>?
    var action: Located<String>?
    var since: Located<Duration>?
}

extension Table<PredecessorMap> {
    static let predecessor = Table(
        "an item of `after`",
        keys: [
            Key(
                "popup", format: .reference(to: "popup"), store: { $0.popup = $1 },
                alsoCalled: ["id", "name"],
                summary: "the popup that must have been shown before this popup may show"
            ).required,
            Key(
                "action", format: .reference(to: "action"), store: { $0.action = $1 },
                alsoCalled: ["by", "button", "answer", "acted"],
                summary: "the user's action that must have ended the other popup"),
            Key(
                "since", format: .duration(atLeast: 1), store: { $0.since = $1 },
                alsoCalled: ["ago", "for", "delay", "at_least", "wait"],
                summary:
                    "how long ago the other popup must have ended; the time passes even while the"
                    + " app isn't running"),
        ])
}

extension Format<PredecessorModel> {
    /// The name of a popup, or a map with the requirements on it.
    static var predecessor: Self {
        let name = Format<String>.reference(to: "popup")
        let table = Format<PredecessorMap>.table(.predecessor, startingWith: PredecessorMap())
        return Format(.either([name.schema, table.schema])) { node, decoder in
            guard node.kind == .mapping else {
                return decoder.read(name, at: node).map { PredecessorModel(popup: $0) }
            }
            if let help = node.helpWithActionByPopup {
                return decoder.mismatch(table.schema, at: node, help: [help])
            }
            guard let map = decoder.read(table, at: node)?.value, let popup = map.popup else {
                return nil
            }
            return PredecessorModel(popup: popup, action: map.action, since: map.since)
        }
    }
}

extension YAMLNode {
    /// Help on a popup that is written as a key, with its action as the value; nil for other
    /// values.
    fileprivate var helpWithActionByPopup: String? {
        let keys = Table.predecessor.schema.keys
        guard kind == .mapping, entries.count == 1, let popup = entries[0].key.scalar?.text,
            let action = entries[0].value.scalar?.text, NameForm.dotted.fits(popup.utf8),
            NameForm.dotted.fits(action.utf8),
            !keys.contains(where: { $0.name == popup || $0.alsoCalled.contains(popup) }),
            similarNames(to: popup, among: keys.map(\.name)).isEmpty
        else { return nil }
        return "write the popup and its action in a map, such as"
            + " `{ popup: \(popup), action: \(action) }`"
    }
}
