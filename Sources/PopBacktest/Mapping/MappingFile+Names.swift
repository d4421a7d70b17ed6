internal import PopRuleFiles
public import PopScheduler
public import PopSource
internal import PopYAML

/// The names of rules that a mapping file mentions, with their places.
struct MappingMentions: Sendable {
    /// An event with its fields, or a popup or template with the actions of its replies.
    struct Name: Sendable {
        var name: Located<String>
        var parts: [Located<String>]
        /// The single name that an event has in the log.
        var logged: String?
        /// True if that name is the value of `names`.
        var hasKeyOfNames = false
        /// The names of its fields in the log, by their names in the rules.
        var loggedFields: [String: String] = [:]
    }

    /// A context key and its value.
    struct Key<Value: Sendable>: Sendable {
        var name: Located<String>
        var value: Located<Value>
    }

    var events: [Name] = []
    var sources: [Key<LogMapping.ContextSource>] = []
    var given: [Key<LogScalar>] = []
    var replies: [Name] = []
}

extension YAMLNode {
    /// The keys of the map below a key.
    func keys(below name: String) -> [Located<String>] {
        let map = entries.first { $0.key.scalar?.text == name }?.value
        return map?.entries.compactMap { entry in
            entry.key.scalar.map { Located($0.text, at: entry.key.range) }
        } ?? []
    }

    /// The strings of the map below a key, by their keys.
    func texts(below name: String) -> [String: String] {
        let map = entries.first { $0.key.scalar?.text == name }?.value
        var texts: [String: String] = [:]
        guard let map else { return texts }
        for entry in map.entries {
            if let key = entry.key.scalar?.text { texts[key] = entry.value.scalar?.text }
        }
        return texts
    }
}

extension MappingFile {
    /// Reads a mapping file, and holds every name that it mentions against the rules that are
    /// played: a name that none of them has is an error, since it would do nothing.
    public static func parse(_ source: SourceFile, for rules: [RuleSet]) -> Checked<MappingFile> {
        parse(source).then { file in
            var names = NameCheck(rules, areAll: true)
            names.check(file.mentions)
            return Checked(file, diagnostics: names.found)
        }
    }

    /// Returns the findings about names that the rules in the same folder don't declare. An unknown
    /// name is a warning, since old rules that are replayed together with them may have it.
    package func findings(among rules: [RuleSet]) -> Diagnostics {
        var names = NameCheck(rules, areAll: false)
        names.check(mentions)
        return names.found
    }
}

/// Holds names of a mapping against rules.
private struct NameCheck {
    private let rules: [RuleSet]
    /// True if no other rules are replayed.
    private let areAll: Bool
    private let keys: [ContextKey]
    private let events: [String: Set<String>]
    private(set) var found = Diagnostics()

    init(_ rules: [RuleSet], areAll: Bool) {
        self.rules = rules
        self.areAll = areAll
        keys = rules.flatMap { $0.keys }
        var events: [String: Set<String>] = [:]
        for event in rules.flatMap({ $0.events }) {
            events[event.name, default: []].formUnion(event.fields.map { $0.name })
        }
        for name in rules.flatMap({ $0.slots.compactMap { $0.event } }) {
            events[name, default: []].formUnion([])
        }
        self.events = events
    }

    mutating func check(_ mentions: MappingMentions) {
        for event in mentions.events { check(event: event) }
        for source in mentions.sources {
            for key in declarations(of: source.name).prefix(1) { check(source, of: key) }
        }
        for given in mentions.given {
            for key in declarations(of: given.name).prefix(1) { check(given, of: key) }
        }
        for reply in mentions.replies { check(reply: reply) }
    }

    private mutating func check(event: MappingMentions.Name) {
        guard let fields = events[event.name.value] else {
            var finding = Diagnostic.undefined(
                .refUndefinedEvent, kind: "event", name: event.name, among: Array(events.keys))
            if let logged = event.logged, events[logged] != nil {
                finding.swapNames(
                    event.name.value, logged: logged, below: event.hasKeyOfNames ? "names" : nil)
            }
            return report(unknown: finding)
        }
        for field in event.parts where !fields.contains(field.value) {
            var finding = Diagnostic.undefinedField(
                field, of: event.name.value, declared: fields.sorted())
            if let logged = event.loggedFields[field.value], fields.contains(logged) {
                finding.swapNames(field.value, logged: logged)
            }
            report(unknown: finding)
        }
    }

    /// Reports a name that the rules do not have.
    private mutating func report(unknown finding: Diagnostic) {
        var finding = finding
        if !areAll {
            finding.level = .warning
            // The name may be right.
            for index in finding.fixes.indices { finding.fixes[index].isSafe = false }
            finding.notes.append(
                "`poprules backtest` reports an error for this name, unless the old rules of"
                    + " `--against` declare the name"
            )
        }
        found.report(finding)
    }

    /// Returns the declarations of a key in the rules; empty, with a report, if no rules have it.
    private mutating func declarations(of name: Located<String>) -> [ContextKey] {
        let known = keys.filter { $0.name == name.value }
        if known.isEmpty {
            report(
                unknown: .undefined(
                    .refUndefinedKey, kind: "context key", name: name, among: keys.map { $0.name }))
        }
        return known
    }

    private mutating func check(
        _ source: MappingMentions.Key<LogMapping.ContextSource>, of key: ContextKey
    ) {
        switch source.value.value {
        case .user:
            if LogScalar.text("").value(as: key.type) == nil {
                found.report(.wrongSource(source.value, of: key, gives: "the id of the user"))
            }
        case .happened:
            if !key.canBeTrue {
                found.report(
                    .wrongSource(
                        source.value, of: key, gives: "true, because this entry has no `field`"))
            }
        case .field, .column: break
        }
    }

    private mutating func check(_ given: MappingMentions.Key<LogScalar>, of key: ContextKey) {
        guard let value = given.value.value.value(as: key.type, times: .text) else {
            return found.report(
                .wrongGiven(given.value, of: key, because: "not of the type `\(key.type)`"))
        }
        if let reason = key.refusal(of: value) {
            found.report(.wrongGiven(given.value, of: key, because: reason))
        }
    }

    private mutating func check(reply: MappingMentions.Name) {
        let name = reply.name.value
        if name == nameOfTheRest { return checkOthers(reply.parts) }
        let popups = rules.flatMap { $0.popups.filter { $0.id == name || $0.template == name } }
        let templates = rules.flatMap { $0.templates.filter { $0.name == name } }
        guard !popups.isEmpty || !templates.isEmpty else {
            return report(
                unknown: .undefined(
                    .refUndefinedPopup, kind: "popup", name: reply.name, among: namesWithReplies,
                    otherwise: ["name a popup, a template, or `others` for the rest"]))
        }
        let actions = Set(
            rules.flatMap { rules in popups.flatMap { rules.actions(of: $0) } }
                + templates.flatMap { $0.actions.map { $0.name } }
        ).sorted()
        for action in reply.parts where !actions.contains(action.value) {
            let template = templates.first?.name ?? popups.first { $0.template != nil }?.template
            report(
                unknown: .undefinedAction(action, of: name, template: template, declared: actions))
        }
    }

    private mutating func checkOthers(_ actions: [Located<String>]) {
        let declared = rules.flatMap { $0.templates.flatMap { $0.actions.map { $0.name } } }
        for action in actions where !declared.contains(action.value) {
            report(
                unknown: .undefined(
                    .refUndefinedAction, kind: "action", name: action, among: declared,
                    otherwise: ["name an action that a template declares"]))
        }
    }

    private var namesWithReplies: [String] {
        rules.flatMap { rules in
            rules.popups.map { $0.id } + rules.popups.compactMap { $0.template }
                + rules.templates.map { $0.name } + [nameOfTheRest]
        }
    }
}

extension Diagnostic {
    /// Offers to swap two names: the value is a name of the rules, unlike the key.
    fileprivate mutating func swapNames(
        _ key: String, logged: String, below name: String? = nil
    ) {
        fixes = []
        if let name {
            help = [
                "swap the two names, as in `\(logged): { \(name): \(key) }`: the name from the"
                    + " rules comes before the `:`, and the name from the log in `\(name)`"
            ]
            return
        }
        help = [
            "write the name from the rules before the `:`, and the name from the log after it:"
                + " `\(logged): \(key)`"
        ]
    }

    fileprivate static func undefinedField(
        _ field: Located<String>, of event: String, declared: [String]
    ) -> Self {
        var finding = Diagnostic(
            .refUndefinedKey, message: "`\(event)` has no field `\(field.value)`",
            at: field.range, label: "not declared by the event")
        let similar = similarNames(to: field.value, among: declared)
        if similar.count == 1 { finding.fixes = [.rename(field.range, to: similar[0])] }
        finding.help =
            if !similar.isEmpty {
                ["did you mean \(alternatives(similar))?"]
            } else if declared.isEmpty {
                ["remove it: `\(event)` declares no fields"]
            } else {
                ["use one of its fields: \(alternatives(declared))"]
            }
        return finding
    }

    fileprivate static func wrongSource(
        _ source: Located<LogMapping.ContextSource>, of key: ContextKey, gives value: String
    ) -> Self {
        Diagnostic(
            .schemaType, message: "the source of `\(key.name)` does not fit its type `\(key.type)`",
            at: source.range,
            label: "gives \(value)",
            help: ["write `{ field: NAME, events: [EVENT] }` or `{ column: NAME }`"])
    }

    /// Returns help with the values that a key allows; empty for a key that does not list them.
    private static func helpOnValues(of key: ContextKey) -> [String] {
        let texts = (key.allowedValues ?? []).prefix(12).map { "\($0)" }
        guard !texts.isEmpty else { return [] }
        let more = (key.allowedValues?.count ?? 0) > texts.count
        return [more ? "use a value such as \(alternatives(texts))" : "use \(alternatives(texts))"]
    }

    fileprivate static func wrongGiven(
        _ value: Located<LogScalar>, of key: ContextKey, because reason: String
    ) -> Self {
        Diagnostic(
            .schemaType,
            message: "`\(key.name)` cannot be `\(value.value.written.shortened)`: \(reason)",
            at: value.range, label: reason, help: helpOnValues(of: key))
    }
}

extension LogScalar {
    /// The value in messages.
    fileprivate var written: String {
        switch self {
        case .missing, .null: "null"
        case .bool(let flag): "\(flag)"
        case .int(let number): "\(number)"
        case .double(let number): "\(number)"
        case .text(let text), .json(let text): text
        }
    }
}

extension Decoder {
    /// Reports an invalid place: it would be found in no row.
    mutating func checkPlace(_ place: Located<String>) {
        if let mistake = PlaceMistake(place.value) {
            report(.noPlace(mistake, at: place))
        }
    }

    mutating func checkPlaces(of columns: WrittenColumns) {
        let lists = [columns.user, columns.time, columns.event, columns.order, columns.insertID]
        for list in lists {
            for place in list?.value ?? [] {
                if let list { checkPlace(Located(place, at: list.range)) }
            }
        }
        // A point means the row itself.
        if let payload = columns.payload, payload.value != "." { checkPlace(payload) }
    }
}

/// The reason why a string isn't a place in a row.
enum PlaceMistake {
    case empty
    case emptyName
    case root
    case bracket
    case tooDeep

    /// The number of names of a place.
    private static let mostNames = 64

    init?(_ text: String) {
        let names = text.split(separator: ".", omittingEmptySubsequences: false)
        let bare = names.map { $0.utf8.count > 2 && $0.hasSuffix("[]") ? $0.dropLast(2) : $0 }
        if text.isEmpty {
            self = .empty
        } else if names.first == "$" {
            self = .root
        } else if names.count > Self.mostNames {
            self = .tooDeep
        } else if names.contains("") {
            self = .emptyName
        } else if bare.contains(where: { $0.contains("[") || $0.contains("]") }) {
            self = .bracket
        } else {
            return nil
        }
    }

    var words: String {
        switch self {
        case .empty: "an empty name"
        case .emptyName: "a name is missing next to a dot"
        case .root: "`$` of JSONPath is not supported"
        case .bracket: "a list item cannot be selected"
        case .tooDeep: "more than \(Self.mostNames) names"
        }
    }

    var help: String {
        switch self {
        case .empty, .emptyName, .root, .tooDeep:
            "write names with dots between them, such as `properties.plan`"
        case .bracket:
            "use `[]` only for a list of keys with values, such as `event_params[].plan`"
        }
    }
}

extension Diagnostic {
    fileprivate static func noPlace(_ mistake: PlaceMistake, at place: Located<String>) -> Self {
        let subject = place.value.isEmpty ? "an empty string" : "`\(place.value.shortened)`"
        return Diagnostic(
            .schemaRange, message: "\(subject) is not a place in a row", at: place.range,
            label: mistake.words, help: [mistake.help])
    }
}
