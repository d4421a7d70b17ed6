internal import PopCEL
internal import PopSource
internal import PopYAML

/// The parts of a file that other files can see, and the names of others that it mentions.
struct FileSummary: Sendable {
    /// The first declaration of each name: others are not used.
    private(set) var declared: [DeclaredName: DeclarationSummary] = [:]
    private(set) var mentioned: Set<DeclaredName> = []
    /// The names that each named condition mentions.
    private(set) var mentionedInConditions: [String: Set<DeclaredName>] = [:]
    /// True if popups have examples, for which named conditions are evaluated.
    private(set) var hasExamples = false
    /// True if a popup claims precedence: the finding about that names other popups because of
    /// their own keys.
    private(set) var comparesPopups = false

    /// Makes the summary of an empty file.
    init() {}

    init(_ file: RuleFile) {
        for scheduler in file.schedulers { declare(.scheduler, scheduler.name) }
        for key in file.context { declare(.contextKey, key.name, parts: key.visibleParts) }
        for template in file.templates { declare(template) }
        for event in file.events { declare(event) }
        if let locales = file.locales { declare(locales) }
        for group in file.groups { declare(.group, group.name) }
        for layer in file.layers { declare(.layer, layer.name) }
        for experiment in file.experiments {
            let arms = (experiment.variants?.value ?? []).map(\.name.value)
            declare(.experiment, experiment.name, parts: arms)
        }
        var mentions = Mentions()
        for condition in file.conditions {
            declare(condition)
            mentionedInConditions[condition.name.value, default: []]
                .formUnion(mentions.add(condition.condition))
        }
        for group in file.groups {
            if let when = group.when { mentions.add(when.value) }
            mentions.add(group.caps?.value ?? [])
        }
        for scheduler in file.schedulers { mentions.add([scheduler.cap].compactMap(\.self)) }
        for layer in file.layers { mentions.add(layer) }
        for experiment in file.experiments { mentions.add(experiment.division) }
        for limit in file.limits { mentions.add(limit.value) }
        if let holdout = file.holdout {
            declare(.holdout, Located("", at: holdout.range))
            mentions.add(holdout.value)
        }
        if let quiet = file.quiet { mentions.add(quiet.value) }
        for popup in file.popups {
            declare(.popup, popup.name, parts: [popup.template?.value ?? ""] + popup.visibleParts)
            mentions.add(popup)
            if popup.checks.examples != nil { hasExamples = true }
            if popup.checks.claim != nil { comparesPopups = true }
        }
        mentioned = mentions.names
    }

    private mutating func declare(
        _ kind: DeclaredName.Kind, _ name: Located<String>, parts: [String] = [],
        places: [SourceRange] = []
    ) {
        let declaration = DeclarationSummary(parts: parts, places: [name.range] + places)
        Self.fill(&declared[DeclaredName(kind, name.value)], with: declaration)
    }

    /// By reference, so that the name is looked up once.
    private static func fill(
        _ place: inout DeclarationSummary?, with declaration: DeclarationSummary
    ) {
        if place == nil { place = declaration }
    }

    private mutating func declare(_ locales: Located<LocalesModel>) {
        let required = locales.value.required
        let named = [locales.value.key, locales.value.fallback]
        let languages = required?.value.map(\.value) ?? []
        declare(
            .locales, Located("", at: locales.range),
            parts: named.map { $0?.value ?? "" } + languages,
            places: named.compactMap { $0?.range } + [required?.range].compactMap(\.self))
    }

    private mutating func declare(_ template: TemplateModel) {
        let required = template.required?.value ?? []
        let optional = template.optional?.value ?? []
        declare(
            .template, template.name,
            parts: [template.isBroken ? "broken" : "whole", "\(required.count)"]
                + (required + optional).flatMap(\.visibleParts)
                + (template.actions?.value ?? []).map { "action \($0.name.value)" },
            places: (required + optional).flatMap(\.visiblePlaces)
                + [template.actions?.range].compactMap(\.self))
    }

    private mutating func declare(_ event: EventModel) {
        declare(
            .event, event.name,
            parts: [event.isBroken ? "broken" : "whole"] + event.fields.flatMap(\.visibleParts),
            places: event.fields.map(\.name.range))
    }

    private mutating func declare(_ condition: NamedConditionModel) {
        let meaning = ConditionSummary(condition.condition)
        declare(.condition, condition.name, parts: meaning.parts, places: meaning.places)
    }
}

/// The part of a declaration that others can see.
struct DeclarationSummary: Sendable {
    /// The content of the declaration, regardless of its place.
    var parts: [String]
    /// The places that findings about others may point at.
    var places: [SourceRange]
}

extension ContextKeyModel {
    /// Values as they are written out: those that conditions find equal may look different.
    fileprivate var visibleParts: [String] {
        var parts = [type.map { "\($0.value)" } ?? "", hasDefault ? "default" : ""]
        let single = [defaultValue, minimum, maximum].map { $0.map { "\($0.value)" } }
        parts += single.map { $0 ?? "" } + [allowedValues == nil ? "any" : "these"]
        return parts + (allowedValues?.value.map { "\($0.value)" } ?? [])
    }
}

extension PopupModel {
    /// Conditions may read which variant was seen, and whether a goal was reached.
    fileprivate var visibleParts: [String] {
        let goals = limits.goals == nil ? [] : ["goals"]
        guard let experiment = limits.experiment?.value else { return goals }
        return goals + ["experiment", experiment.of?.value ?? ""]
            + (experiment.variants?.value ?? []).map(\.name.value)
    }
}

extension FieldModel {
    fileprivate var visibleParts: [String] { [name.value, type.map { "\($0.value)" } ?? ""] }
}

extension ContentFieldModel {
    fileprivate var visibleParts: [String] {
        [
            name.value, type.map { "\($0.value)" } ?? "", maximum.map { "\($0.value)" } ?? "",
            format?.value.rawValue ?? "", isLocalized ? "localized" : "",
            allowedValues == nil ? "any" : "\(allowedValues?.value.count ?? 0)",
        ] + (allowedValues?.value.map { "\($0.value)" } ?? [])
    }

    fileprivate var visiblePlaces: [SourceRange] {
        [name.range]
            + [type?.range, maximum?.range, format?.range, allowedValues?.range]
            .compactMap(\.self)
    }
}

/// The content of a named condition apart from its places, and the places of its parts.
struct ConditionSummary {
    private(set) var parts: [String] = []
    private(set) var places: [SourceRange] = []

    init(_ condition: ConditionModel) { add(condition) }

    private mutating func add(_ condition: ConditionModel) {
        places.append(condition.range)
        switch condition.form {
        case .constant(let value): parts.append("\(value)")
        case .expression(let expression):
            parts += ["text", expression.writtenText]
            places.append(expression.range)
        case .all(let conditions): add("all", of: conditions)
        case .any(let conditions): add("any", of: conditions)
        case .none(let conditions): add("none", of: conditions)
        case .keys(let matches):
            parts += ["keys", "\(matches.count)"]
            for match in matches { add(match) }
        case .unread(let text, let map):
            parts += ["unread", text]
            places.append(map.range(0..<text.utf8.count))
        case .broken: parts.append("broken")
        }
    }

    private mutating func add(_ combiner: String, of conditions: [ConditionModel]) {
        parts += [combiner, "\(conditions.count)"]
        for condition in conditions { add(condition) }
    }

    private mutating func add(_ match: ConditionModel.KeyMatch) {
        parts += [match.key.value, "\(match.tests.count) \(match.isNegated)"]
        places += [match.key.range, match.value]
        for test in match.tests {
            parts.append(test.matcher.value.rawValue)
            places.append(test.matcher.range)
            add(test.operand)
        }
    }

    private mutating func add(_ node: YAMLNode) {
        places += [node.range, node.definitionRange]
        parts.append("\(node.kind) \(node.isBroken) \(node.isFlow)")
        if let scalar = node.scalar {
            parts += [scalar.text, "\(scalar.style) \(scalar.value)"]
        }
        parts.append("\(node.items.count) \(node.entries.count)")
        for item in node.items { add(item) }
        for entry in node.entries {
            add(entry.key)
            add(entry.value)
        }
    }
}

extension Expression {
    /// The text that it was read from.
    fileprivate var writtenText: String {
        guard case .text(_, let bytes) = tree.origins[0] else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A name that files declare and mention, and the kind of thing that it names.
struct DeclaredName: Hashable, Sendable {
    enum Kind: UInt8, Sendable {
        case scheduler, contextKey, template, event, condition, group, popup, experiment, layer
        /// The languages of the rules, which have no name.
        case locales
        /// The holdout of the rules, which has no name either.
        case holdout
        /// The actions of all templates, which have no common name.
        case actions
    }

    var kind: Kind
    var name: String

    static let locales = DeclaredName(.locales, "")
    static let holdout = DeclaredName(.holdout, "")
    /// Mentioned by who names an action of a popup, whichever its template is.
    static let actions = DeclaredName(.actions, "")

    init(_ kind: Kind, _ name: String) {
        self.kind = kind
        self.name = name
    }
}

/// The files that declare and those that mention a name: a change of it concerns them.
struct FilesByName: Sendable {
    private(set) var declaring: [DeclaredName: [FileID]] = [:]
    private(set) var mentioning: [DeclaredName: [FileID]] = [:]

    mutating func add(_ summary: FileSummary, of file: FileID) {
        for name in summary.declared.keys { declaring[name, default: []].append(file) }
        for name in summary.mentioned { mentioning[name, default: []].append(file) }
    }

    mutating func remove(_ summary: FileSummary, of file: FileID) {
        for name in summary.declared.keys { declaring.remove(file, of: name) }
        for name in summary.mentioned { mentioning.remove(file, of: name) }
    }
}

extension [DeclaredName: [FileID]] {
    fileprivate mutating func remove(_ file: FileID, of name: DeclaredName) {
        self[name]?.removeAll { $0 == file }
        if self[name]?.isEmpty == true { self[name] = nil }
    }
}
