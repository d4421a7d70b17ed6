public import PopScheduler
public import PopSource
internal import PopYAML

/// The cause of a task of a popup.
public enum TriggerModel: Sendable {
    /// An occasion of the engine itself.
    case occasion(Trigger.Occasion)
    /// The app sends an event.
    case event(EventTriggerModel)
    /// The value of the context key of this name changes.
    case changed(Located<String>)
    /// A user uses an action of a popup, or closes it, which is called `close`.
    case acted(popup: Located<String>, action: Located<String>)
    /// A word that isn't a trigger; its meaning is known once files are linked.
    case word(String)
    /// An unreadable item of a list, which has been reported.
    case unread
}

/// A trigger on an event.
public struct EventTriggerModel: Sendable {
    /// The name of an entry of `events`.
    public var event: Located<String>
    /// The condition that the event must meet; it may read `event`.
    public var `where`: Located<ConditionModel>?
    /// The number of the one event among those that meet `where` which counts, from 1 to 1,000,000;
    /// never together with `every`.
    public var nth: Located<Int>?
    /// The step at which events that meet `where` count: each n-th of them, 1 to 1,000,000.
    public var every: Located<Int>?
}

/// A trigger written as a map, before it is known to be of one kind.
struct TriggerMap: Sendable {
    var event: Located<String>?
    var changed: Located<String>?
    var popup: Located<String>?
    var action: Located<String>?
    var `where`: Located<ConditionModel>?
    var nth: Located<Int>?
    var every: Located<Int>?
}

extension Table<TriggerMap> {
    static let trigger = Table(
        "a trigger",
        keys: [
            Key(
                "event", format: .reference(to: "event"), store: { $0.event = $1 },
                alsoCalled: ["on", "name", "type", "kind"],
                summary: "the event of the app that triggers the popup"
            ).such(as: ["type": helpOnTypes, "kind": helpOnTypes]),
            Key(
                "changed", format: .reference(to: "context key"), store: { $0.changed = $1 },
                alsoCalled: ["change", "key"] + helpOnChanges.keys,
                summary: "the context key whose change triggers the popup"
            ).such(as: helpOnChanges),
            Key(
                "popup", format: .reference(to: "popup"), store: { $0.popup = $1 },
                alsoCalled: ["acted"],
                summary: "the other popup, whose `action` triggers this popup"),
            Key(
                "action", format: .oneAction, store: { $0.action = $1 },
                alsoCalled: ["by", "button"],
                summary:
                    "the action that triggers this popup: an action that the template of the other"
                    + " popup declares, or `close`"),
            Key(
                "where", format: .condition, store: { $0.where = $1 },
                alsoCalled: [
                    "when", "condition", "if", "filter", "params", "parameters", "properties",
                    "payload",
                ],
                summary:
                    "the condition that the event must meet; the condition can read the fields of"
                    + " the event, such as `event.total`"
            ).such(as: ["params": "", "parameters": "", "properties": "", "payload": ""]),
            Key(
                "nth", format: .integer(RuleBounds.counts), store: { $0.nth = $1 },
                alsoCalled: ["count"],
                summary: "which event triggers the popup: with 3, only the third event"),
            Key(
                "every", format: .integer(RuleBounds.counts), store: { $0.every = $1 },
                alsoCalled: ["each"],
                summary:
                    "which events trigger the popup: with 3, the events 3, 6, 9 and so on"),
        ],
        rules: [
            .anyOf(["event", "changed", "popup"]),
            .apart("changed", ["event", "where", "nth", "every"]), .apart("nth", ["every"]),
            .apart("popup", ["event", "changed", "where", "nth", "every"]),
        ])
}

/// Help on a trigger with a key for its type.
private let helpOnTypes =
    "\n\nwrite `trigger: start`, `trigger: session` or `trigger: manual`, or an event as"
    + " `trigger: { event: order.paid }`"

/// Help on keys for the values before and after a change, and for a screen that is reached.
private let helpOnChanges: [String: String] = {
    var help = [
        "from": "\n\nremove `$`, because a trigger cannot check the previous value; check the"
            + " current value in the popup's `when`, such as `when: user.plan == \"pro\"` for"
            + " `changed: user.plan`",
        "old": "\n\nremove `$`, because a trigger cannot check the previous value",
        "to": "\ncheck the new value in the popup's `when` instead, such as"
            + " `when: user.plan == \"pro\"` for `changed: user.plan`",
    ]
    help["value"] = help["to"]
    help["new"] = help["to"]
    for name in ["screen", "page", "route", "view"] {
        help[name] =
            "\nuse the change of a context key to show the popup on a screen: `trigger: {"
            + " changed: app.screen }`, and next to `trigger`, add `when: app.screen == \"$\"`"
    }
    return help
}()

extension Format<[Located<TriggerModel>]> {
    /// One trigger or a list of them.
    static var triggers: Self {
        let one = Format<TriggerModel>.trigger
        return Format(.either([one.schema, .list(one.schema, count: 1...Int.max)])) {
            node, decoder in
            if node.kind == .sequence {
                let item = Format<TriggerModel>(one.schema) { one.read($0, &$1) ?? .unread }
                return decoder.read(.list(of: item, minimum: 1), at: node)?.value
            }
            return decoder.read(one, at: node).map { [$0] }
        }
    }
}

extension Format<TriggerModel> {
    static var trigger: Self {
        let words = Trigger.Occasion.allCases.map(\.rawValue)
        let schema = Schema.either([.word(words), .table(Table.trigger.schema)])
        return Format(schema) { node, decoder in
            if let scalar = node.scalar {
                let occasion = Trigger.Occasion.allCases.first { scalar.hasText($0.rawValue) }
                if let occasion { return .occasion(occasion) }
                if isNameOfSomething(scalar.text, words: words) { return .word(scalar.text) }
                if let condition = decoder.conditionForTrigger(node) {
                    decoder.report(condition)
                    return nil
                }
                let readings = triggerReadings(scalar.text, words: words)
                guard readings.isEmpty else {
                    return decoder.mismatch(schema, at: node, readings: readings)
                }
                let similar = similarNames(to: scalar.text, among: words)
                return decoder.noSuchWord(
                    node, words: words, phrase: formsOfTrigger,
                    help: similar.isEmpty
                        ? ["use a map for an event, such as `{ event: order.paid }`"] : [])
            }
            guard node.kind == .mapping else { return decoder.mismatch(schema, at: node) }
            if let several = decoder.severalSubjects(node) {
                decoder.report(several)
                return nil
            }
            if let readings = decoder.triggerReadings(node) {
                return decoder.mismatch(schema, at: node, readings: readings)
            }
            var map = TriggerMap()
            decoder.read(.trigger, at: node, into: &map)
            return decoder.trigger(map, at: node)
        }
    }
}

/// Returns true if a string may be the name of an event or a key, and isn't a misspelled word.
private func isNameOfSomething(_ text: String, words: [String]) -> Bool {
    NameForm.dotted.fits(text.utf8) && similarNames(to: text, among: words).isEmpty
}

/// Returns the right form of a trigger that isn't one of the words, or that is several in one
/// string; empty if no name can be made out.
private func triggerReadings(_ text: String, words: [String]) -> [Reading] {
    let names = text.split(separator: ",", maxSplits: 5, omittingEmptySubsequences: false)
        .map { $0.filter { $0 != " " } }
    guard names.count > 1, names.allSatisfy({ NameForm.dotted.fits($0.utf8) }) else {
        let lead =
            #/(?:(?<word>event|on|when|after|changed|change|key)(?::? +| *\( *))(?<name>[A-Za-z0-9_.]+)\)?/#
        guard let match = text.wholeMatch(of: lead), NameForm.dotted.fits(match.output.name.utf8)
        else { return [] }
        let isKey = ["changed", "change", "key"].contains(match.output.word)
        return [Reading("{ \(isKey ? "changed" : "event"): \(match.output.name) }", isExact: false)]
    }
    let items = names.map { words.contains($0) ? $0 : "{ event: \($0) }" }
    return [
        Reading(
            "[\(items.joined(separator: ", "))]",
            meaning: "if any of these should trigger the popup", isExact: false)
    ]
}

extension Decoder {
    /// A condition where a trigger is wanted; nil for other text.
    fileprivate func conditionForTrigger(_ node: YAMLNode) -> Diagnostic? {
        guard let text = node.scalar?.text,
            text.contains(#/[=!<>]=|[<>]|&&|\|\|| in | is /#)
        else { return nil }
        let key = namedKey.flatMap { $0.value == "trigger" ? $0.range : nil }
        return .conditionForTrigger(key, text: source.text(in: node.range), at: node.range)
    }

    /// Returns the finding about a map that names several events or keys, as a list or cut at the
    /// commas: `{ changed: plan, tier }`; nil for other maps.
    fileprivate func severalSubjects(_ node: YAMLNode) -> Diagnostic? {
        guard let entry = node.entries.first,
            let key = ["event", "changed"].first(where: { entry.key.scalar?.hasText($0) == true })
        else { return nil }
        let others = node.entries.dropFirst().map(\.key)
        let isCut =
            !others.isEmpty && node.entries.dropFirst().allSatisfy { $0.isKeyAlone(in: source) }
            && !others.contains { Table.trigger.shape.index(of: $0) != nil }
        guard isCut || others.isEmpty && !entry.value.items.isEmpty else { return nil }
        let values = isCut ? [entry.value] + others : entry.value.items.map { $0 }
        let names = values.map { $0.scalar?.text ?? "" }
        guard names.allSatisfy({ NameForm.dotted.fits($0.utf8) }) else { return nil }
        let items = names.map { "{ \(key): \($0) }" }
        let reading =
            items.count == 1
            ? Reading(items[0])
            : Reading(
                "[\(items.joined(separator: ", "))]",
                meaning: key == "event"
                    ? "if any of these events should trigger the popup"
                    : "if a change of any of these keys should trigger the popup")
        let place = entry.value.rangeToPointAt(in: source)
        return .severalSubjects(
            items.count, of: key, reading,
            at: isCut ? others.reduce(place) { $0.union($1.range) } : place,
            insteadOf: node.range)
    }

    /// Returns the meaning of a map with the name of an event as its only key, `{ order.paid }`.
    fileprivate func triggerReadings(_ node: YAMLNode) -> [Reading]? {
        guard node.entries.count == 1, let entry = node.entries.first,
            let name = entry.key.scalar?.text
        else { return nil }
        guard NameForm.dotted.fits(name.utf8), name.contains("."),
            Table.trigger.shape.index(of: entry.key) == nil,
            entry.value.isNull || entry.value.kind == .mapping && entry.value.entries.isEmpty
        else { return nil }
        return [Reading("{ event: \(name) }", isExact: false)]
    }

    fileprivate mutating func trigger(_ map: TriggerMap, at node: YAMLNode) -> TriggerModel? {
        if let nth = map.nth, let every = map.every {
            report(.nthAndEvery(nth, every: every, event: map.event?.value))
        }
        if let action = map.action, map.popup == nil { report(.actionOfNoPopup(action)) }
        let subjects = map.subjects
        guard subjects.count < 2 else {
            report(.twoTriggers(subjects[0], other: subjects[1], action: map.action))
            return nil
        }
        if let event = map.event {
            return .event(
                EventTriggerModel(event: event, where: map.where, nth: map.nth, every: map.every))
        }
        guard let subject = subjects.first else {
            // A key that is wrong, or whose value is, has been reported.
            let known = ["where", "nth", "every", "action"]
            let isReported = node.entries.contains {
                $0.key.scalar.map { !known.contains($0.text) } ?? true
            }
            if !isReported { report(.emptyTrigger(at: node.rangeToPointAt(in: source))) }
            return nil
        }
        for (name, range) in [
            ("where", map.where?.range), ("nth", map.nth?.range), ("every", map.every?.range),
        ] {
            if let range { report(.onlyForEvents(name, beside: subject.key, at: range)) }
        }
        if let changed = map.changed { return .changed(changed) }
        return trigger(map, by: subject.name, at: node)
    }
}

extension Format<String> {
    /// The name of an action; of several each is a trigger of its own.
    fileprivate static var oneAction: Self {
        let name = Self.reference(to: "action")
        return Format(name.schema) { node, decoder in
            let names = node.items.compactMap { $0.scalar?.text }
            guard names.count > 1, names.count == node.items.count else {
                return name.read(node, &decoder)
            }
            let triggers = names.prefix(2).map { "{ popup: …, action: \($0) }" }
            return decoder.mismatch(
                name.schema, at: node,
                help: ["write one trigger per action: `[\(triggers.joined(separator: ", "))]`"])
        }
    }
}

extension Diagnostic {
    fileprivate static func conditionForTrigger(
        _ key: SourceRange?, text: String, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .schemaEnum,
            message: "a trigger must be `start`, `session`, `manual` or a map, but is a condition",
            at: range, label: "a condition is not a trigger",
            help: [
                key == nil
                    ? "use `when` for the condition under which the popup may show"
                    : "use `when` for the condition under which the popup may show:"
                        + " `when: \(text.shortened)`"
            ], fixes: key.map { [.rename($0, to: "when")] } ?? [])
    }

    fileprivate static func severalSubjects(
        _ count: Int, of key: String, _ reading: Reading, at range: SourceRange,
        insteadOf map: SourceRange
    ) -> Self {
        let kind = key == "event" ? "event" : "context key"
        return Diagnostic(
            .schemaType, message: "`\(key)` must be one \(kind), but is a list", at: range,
            label: count == 1 ? "a list of one \(kind)" : "each \(kind) needs a separate trigger",
            help: [reading].help, fixes: [reading].fixes(at: map))
    }

    fileprivate static func nthAndEvery(
        _ nth: Located<Int>, every: Located<Int>, event: String?
    ) -> Self {
        var diagnostic = Diagnostic(
            .schemaExclusiveKeys, message: "`nth` and `every` cannot be used together",
            at: every.range,
            label: "triggers on one of every \(every.value) events",
            secondary: [Label("triggers only on event number \(nth.value)", at: nth.range)],
            help: [
                "remove `nth` or `every`; `nth: 3` means only the third event, `every: 3` means the"
                    + " third, the sixth and so on",
                "for both, use a list of two triggers with the same `event`, one with `nth` and one"
                    + " with `every`",
            ])
        if every.value == 1, let event {
            diagnostic.help = [
                "remove both, because `every: 1` means every event; for each event from number"
                    + " \(nth.value) on, use the condition"
                    + " `event_count(\"\(event.shortened)\") >= \(nth.value)` in `when`"
            ]
        }
        return diagnostic
    }

    fileprivate static func twoTriggers(
        _ first: (key: String, name: Located<String>),
        other: (key: String, name: Located<String>), action: Located<String>?
    ) -> Self {
        let done = other.key == "popup" ? ", action: \(action?.value ?? "close")" : ""
        return Diagnostic(
            .schemaExclusiveKeys,
            message: "`\(first.key)` and `\(other.key)` cannot be used in one trigger",
            at: other.name.range, label: "a second trigger",
            secondary: [Label("the first trigger", at: first.name.range)],
            help: [
                "write a list if either of the two should trigger the popup:"
                    + " `[{ \(first.key): \(first.name.value) },"
                    + " { \(other.key): \(other.name.value)\(done) }]`"
            ])
    }

    fileprivate static func onlyForEvents(
        _ name: String, beside key: String, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .schemaExclusiveKeys, message: "`\(name)` works for events only, not with `\(key)`",
            at: range,
            label: "has no effect here",
            help: name == "where"
                ? ["move the condition to the popup's `when`"] : ["remove `\(name)`"])
    }

    fileprivate static func emptyTrigger(at range: SourceRange) -> Self {
        Diagnostic(
            .schemaMissingKey,
            message: "a trigger needs `event`, `changed` or `popup`", at: range,
            label: "no `event`, `changed` or `popup`",
            help: [
                "write an event, a context key that changes or a user's action, such as"
                    + " `{ event: order.paid }`, `{ changed: user.plan }` or"
                    + " `{ popup: tour, action: accept }`"
            ])
    }
}

extension TriggerMap {
    /// The keys that name the subject of the trigger, of which one is allowed.
    var subjects: [(key: String, name: Located<String>)] {
        [("event", event), ("changed", changed), ("popup", popup)].compactMap { key, name in
            name.map { (key, $0) }
        }
    }
}

extension Decoder {
    /// A trigger by an action of a user on a popup.
    mutating func trigger(
        _ map: TriggerMap, by popup: Located<String>, at node: YAMLNode
    ) -> TriggerModel? {
        if let action = map.action { return .acted(popup: popup, action: action) }
        // One whose value is wrong has been reported.
        if !node.entries.contains(where: { $0.key.scalar?.hasText("action") == true }) {
            report(.noActionOfTrigger(popup))
        }
        return nil
    }
}

extension Diagnostic {
    fileprivate static func noActionOfTrigger(_ popup: Located<String>) -> Self {
        Diagnostic(
            .schemaMissingKey,
            message: "the trigger has a `popup`, but no `action`",
            at: popup.range, label: "no `action`",
            help: [
                "add `action` with an action that the template of `\(popup.value)` declares, or"
                    + " with `close` to trigger this popup when the user closes"
                    + " `\(popup.value)`, such as"
                    + " `{ popup: \(popup.value), action: close }`"
            ])
    }

    static func actionOfNoPopup(_ action: Located<String>) -> Self {
        Diagnostic(
            .schemaMissingKey, message: "the trigger has an `action`, but no `popup`",
            at: action.range, label: "no `popup`",
            help: ["add `popup` with the name of the popup that has the action"])
    }
}

extension Diagnostic {
    /// A trigger that is the bare name of something; unless `isHelped`, similar names are not
    /// looked for.
    static func noTrigger(
        _ word: Located<String>, events: [String], keys: [String], isHelped: Bool
    ) -> Self {
        let name = word.value.shortened
        var diagnostic = Diagnostic(
            .schemaEnum, message: "a trigger must be \(formsOfTrigger), but is `\(name)`",
            at: word.range, label: "not a trigger")
        let range = word.range
        let event = { (name: String) in "{ event: \(name) }" }
        let key = { (name: String) in "{ changed: \(name) }" }
        if events.contains(word.value) {
            diagnostic.label = "the name of an event"
            diagnostic.suggest([event(name)], lead: "write the trigger for an event as")
        } else if keys.contains(word.value) {
            diagnostic.label = "the name of a context key"
            diagnostic.suggest([key(name)], lead: "write the trigger for a changed key as")
        } else if openings.contains(word.value.foldedForNames) {
            diagnostic.help = [
                "if you mean each visit: `session`; a session starts when the app starts and, with"
                    + " `session: { timeout: 30m }`, when the app comes back after 30 minutes or"
                    + " more in the background",
                "if you mean each start of the app: `start`, which triggers only once until the app ends",
            ]
            diagnostic.fixes = ["session", "start"].map { .rename(range, to: $0) }
        } else if let word = triggerWords[word.value.foldedForNames] {
            diagnostic.suggest([word], lead: "use")
        } else if isHelped {
            let similar = similarNames(to: word.value, among: events + keys)
            diagnostic.suggest(
                similar.map { events.contains($0) ? event($0) : key($0) },
                lead: "did you mean", end: "?")
        }
        if diagnostic.help.isEmpty {
            diagnostic.help = [
                "write `\(event(name))` for an event that is declared under `events`, or"
                    + " `\(key(name))` for a context key"
            ]
        }
        return diagnostic
    }

    private mutating func suggest(_ forms: [String], lead: String, end: String = "") {
        guard !forms.isEmpty else { return }
        help = ["\(lead) \(alternatives(forms))\(end)"]
        if forms.count == 1 { fixes = [.rename(range, to: forms[0])] }
    }
}

/// The forms of a trigger, as a part of a sentence.
private let formsOfTrigger =
    Trigger.Occasion.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ") + " or a map"

/// Common words for each visit or each start of the app.
private let openings: Set<String> = [
    "app_open", "open", "app_opened", "opened", "on_open", "app.open", "app.opened", "open_app",
    "foreground", "app_foreground", "on_foreground", "resume", "on_resume", "app_resume", "visit",
    "become_active", "did_become_active",
]

/// Other common words for the occasions.
private let triggerWords: [String: String] = {
    let words: [(words: String, thing: String)] = [
        (
            "app_start launch app_launch startup start_up on_start on_launch init"
                + " always immediately auto automatic on_appear appear on_load load page_load"
                + " view_did_load view_did_appear on_mount mount on_create ready"
                + " document_ready started app_started"
                + " app.start app.started app.launch", "start"
        ),
        (
            "session_start session_started session.start session.started session_begin new_session"
                + " begin_session every_session each_session", "session"
        ),
        ("none code api programmatic by_code on_demand by_app", "manual"),
    ]
    return wordTable(words)
}()
