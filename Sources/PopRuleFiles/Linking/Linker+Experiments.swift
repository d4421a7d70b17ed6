internal import PopCEL
internal import PopScheduler
internal import PopSource

extension Linker {
    /// Experiments of a layer have no user in common: their ranges do not overlap.
    mutating func checkLayers() {
        if model.layers.entries.isEmpty { return }
        var parts: [String: [Located<Range<Double>>]] = [:]
        func add(_ division: DivisionModel) {
            guard let layer = division.layer, let range = division.range else { return }
            parts[layer.value, default: []].append(range)
        }
        for experiment in model.experiments.entries { add(experiment.division) }
        // By index: going through the popups themselves copies each.
        for index in model.popups.entries.indices {
            if let experiment = model.popups.entries[index].limits.experiment {
                add(experiment.value.division)
            }
        }
        for layer in model.layers.entries {
            let sorted = (parts[layer.name.value] ?? []).sorted {
                $0.value.lowerBound < $1.value.lowerBound
            }
            for (left, right) in zip(sorted, sorted.dropFirst())
            where right.value.lowerBound < left.value.upperBound {
                diagnostics.report(.overlap(right, with: left, in: layer.name))
            }
        }
    }
}

extension CELType {
    /// True if users can be assigned by its values; a value of type `any` may be one of these.
    fileprivate var tellsUsersApart: Bool {
        [.bool, .int, .uint, .string, .bytes, .dyn].contains(self)
    }
}

extension Diagnostic {
    fileprivate static func tellsNobodyApart(
        _ key: Located<String>, type: Located<CELType>
    ) -> Self {
        Diagnostic(
            .refUndefinedKey,
            message:
                "`\(key.value)` is \(type.value.phrase), which cannot identify users",
            at: key.range, label: "cannot identify users",
            secondary: [Label("the type of `\(key.value)` is declared here", at: type.range)],
            help: ["use a string or integer key that identifies users, such as the user id"])
    }
}

// Checks the names in the assignment of users, and in variants.
extension Linker {
    mutating func check(_ holdout: HoldoutModel) {
        var found = Diagnostics()
        checkUsers(holdout.by, into: &found)
        if !found.isEmpty { diagnostics.report(contentsOf: found.about("`holdout`")) }
    }

    mutating func check(_ layer: LayerModel) {
        var found = Diagnostics()
        checkUsers(layer.by, into: &found)
        let subject = "layer `\(layer.name.value)`"
        if !found.isEmpty { diagnostics.report(contentsOf: found.about(subject)) }
    }

    mutating func check(_ experiment: NamedExperimentModel) {
        var found = Diagnostics()
        check(experiment.division, into: &found)
        let subject = "experiment `\(experiment.name.value)`"
        if !found.isEmpty { diagnostics.report(contentsOf: found.about(subject)) }
    }

    mutating func check(_ division: DivisionModel, into found: inout Diagnostics) {
        checkUsers(division.by, into: &found)
        if let name = division.layer {
            look(
                name, among: model.layers, check: .refUndefinedExperiment, kind: "layer",
                into: &found)
        }
    }

    /// Checks a key by whose values users are assigned.
    mutating func checkUsers(_ key: Located<String>?, into found: inout Diagnostics) {
        guard let key else { return }
        look(key, among: model.context, check: .refUndefinedKey, kind: "context key", into: &found)
        guard let type = model.context[key.value]?.type else { return }
        if !type.value.tellsUsersApart { found.report(.tellsNobodyApart(key, type: type)) }
    }

    mutating func check(_ experiment: ExperimentModel, into found: inout Diagnostics) {
        check(experiment.division, into: &found)
        if let name = experiment.of {
            look(
                name, among: model.experiments, check: .refUndefinedExperiment,
                kind: "experiment", into: &found)
        }
        for variant in experiment.variants?.value ?? [] {
            guard let name = variant.template else { continue }
            look(
                name, among: model.templates, check: .refUndefinedTemplate, kind: "template",
                into: &found)
        }
    }
}

extension Diagnostic {
    fileprivate static func overlap(
        _ range: Located<Range<Double>>, with other: Located<Range<Double>>,
        in layer: Located<String>
    ) -> Self {
        Diagnostic(
            .schemaRange, message: "two experiments share users of the layer `\(layer.value)`",
            at: range.range, label: "overlaps with `\(text(other.value))`",
            subject: "layer `\(layer.value)`",
            secondary: [Label("overlaps with `\(text(range.value))`", at: other.range)],
            help: ["use ranges that do not overlap, such as `[0, 50]` and `[50, 100]`"])
    }

    private static func text(_ range: Range<Double>) -> String {
        let bounds = [range.lowerBound, range.upperBound].map {
            $0 == $0.rounded() ? "\(Int($0))" : "\($0)"
        }
        return "[\(bounds.joined(separator: ", "))]"
    }
}

/// The names that a reference may use in addition to the actions of a popup's template.
enum ActionUse {
    /// `close`, for a user who closes the popup.
    case closable
    /// None: a task has to end by the action.
    case end
}

extension RuleModel {
    /// Returns the actions of a popup, by its template and those of its variants; nil if they are
    /// unknown because of another mistake.
    func actions(ofPopup id: String) -> [ActionModel]? {
        popups.index(of: id).flatMap { index in
            let popup = popups.entries[index]
            let own = popup.template.map { [$0.value] } ?? []
            return templates.actions(of: own + popup.templatesOfVariants)
        }
    }
}

extension PopupModel {
    /// The names of the templates that its variants have in place of its own.
    fileprivate var templatesOfVariants: [String] {
        (limitsIfAny?.experiment?.value.variants?.value ?? []).compactMap { $0.template?.value }
    }
}

extension Section<TemplateModel> {
    /// All that the templates of these names declare; nil if a template does not exist or is
    /// broken.
    fileprivate func actions(of names: [String]) -> [ActionModel]? {
        var actions: [ActionModel] = []
        for name in names {
            guard let template = self[name] else { return nil }
            if template.actions == nil, template.isBroken { return nil }
            actions += template.actions?.value ?? []
        }
        return actions
    }
}

/// The templates of the popups.
///
/// It does not hold the popups, so that keeping it does not keep the nodes that they were read
/// from.
struct PopupTemplates: Sendable {
    private var popups: Section<PopupModel>
    private let templates: Section<TemplateModel>
    /// The popup's own, by its position.
    private let names: [String?]
    private var ofVariants: [Int: [String]] = [:]

    init(_ model: RuleModel) {
        templates = model.templates
        popups = model.popups
        // By index: going through the popups themselves copies each.
        let all = model.popups.entries
        names = all.indices.map { all[$0].template?.value }
        for index in all.indices where all[index].limitsIfAny?.experiment != nil {
            ofVariants[index] = all[index].templatesOfVariants
        }
        _ = popups.takeEntries()
    }

    func contains(_ popup: String) -> Bool { popups.index(of: popup) != nil }

    /// The names of all popups, in their order.
    var popupNames: [String] { popups.knownNames }

    func template(ofPopup id: String) -> String? { popups.index(of: id).flatMap { names[$0] } }

    /// As in the model.
    func actions(ofPopup id: String) -> [ActionModel]? {
        popups.index(of: id).flatMap { index in
            let own = names[index].map { [$0] } ?? []
            return templates.actions(of: own + (ofVariants[index] ?? []))
        }
    }
}

extension Linker {
    /// Looks up an action of a popup.
    func check(
        _ action: Located<String>?, of popup: String, as use: ActionUse,
        into found: inout Diagnostics
    ) {
        guard let action, let declared = model.actions(ofPopup: popup) else { return }
        if declared.contains(where: { $0.name.value == action.value }) { return }
        if action.value == TemplateRule.Action.close {
            if use == .end { found.report(.closeIsNoEnd(action, of: popup)) }
            return
        }
        if use == .end, wordsForClosing.contains(action.value.foldedForNames) {
            return found.report(.closeIsNoEnd(action, of: popup))
        }
        found.report(
            .undefinedAction(
                action, of: popup, template: model.popups[popup]?.template?.value,
                declared: declared.map(\.name.value)))
    }
}

/// Other common words for closing, folded.
private let wordsForClosing: Set<String> = [
    "closed", "closes", "dismiss", "dismissed", "user_closed", "swipe", "swiped", "x",
    "close_button",
]

extension Diagnostic {
    /// The template of a popup declares no such action.
    package static func undefinedAction(
        _ action: Located<String>, of popup: String, template: String?, declared: [String]
    ) -> Self {
        var diagnostic = Diagnostic(
            .refUndefinedAction,
            message: "`\(popup)` has no action `\(action.value.shortened)`", at: action.range,
            label: template == nil
                ? "the popup has no template" : "the template of `\(popup)` has no such action")
        if wordsForClosing.contains(action.value.foldedForNames) {
            diagnostic.help = ["use `close` if you mean that the user closes the popup"]
            return diagnostic
        }
        let similar = similarNames(to: action.value, among: declared)
        if similar.count == 1 { diagnostic.fixes = [.rename(action.range, to: similar[0])] }
        diagnostic.help =
            if !similar.isEmpty {
                ["did you mean \(alternatives(similar))?"]
            } else if declared.isEmpty {
                [
                    (template.map { "declare the action in the template `\($0)`" }
                        ?? "add a `template` to `\(popup)`, and declare the action in the template")
                        + ", such as `actions: [\(action.value.shortened)]`"
                ]
            } else if declared.count == 1 {
                ["use `\(declared[0])`, the only action of `\(popup)`"]
            } else {
                [
                    "use one of the actions of `\(popup)`, which are"
                        + " \(enumeration(declared, atMost: 12))",
                    template.map {
                        "or add `\(action.value.shortened)` to `actions` of the template `\($0)`"
                    } ?? "or add `\(action.value.shortened)` to the actions of its template",
                ]
            }
        return diagnostic
    }

    fileprivate static func closeIsNoEnd(_ action: Located<String>, of popup: String) -> Self {
        Diagnostic(
            .refUndefinedAction,
            message: "`\(action.value)` is not an action of `\(popup)`",
            at: action.range, label: "`\(action.value)` means that the user closes the popup",
            help: [
                "to wait until the popup is dismissed in any way, write only its name, such as"
                    + " `\(popup)`",
                "to check that the user closed the popup, use"
                    + " `popups.\(popup).last_reason == \"USER_CLOSED\"` in `when`",
            ])
    }
}
