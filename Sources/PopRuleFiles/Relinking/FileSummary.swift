internal import PopCEL
internal import PopSource

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
