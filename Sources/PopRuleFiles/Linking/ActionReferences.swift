internal import PopScheduler
internal import PopSource

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
            label: template == nil ? "the popup has no template" : "not declared by its template")
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
                    (template.map { "declare it in the template `\($0)`" }
                        ?? "add a `template` to `\(popup)` that declares the action")
                        + ", such as `actions: [\(action.value.shortened)]`"
                ]
            } else {
                ["use one of the actions of `\(popup)`, \(enumeration(declared, atMost: 12))"]
            }
        return diagnostic
    }

    fileprivate static func closeIsNoEnd(_ action: Located<String>, of popup: String) -> Self {
        Diagnostic(
            .refUndefinedAction,
            message: "`\(action.value)` is not an action that `\(popup)` can end with",
            at: action.range, label: "means that the user closes the popup",
            help: [
                "write only the name of the popup to wait until it is dismissed in any way",
                "use `popups.\(popup).last_reason == \"USER_CLOSED\"` in `when` to check that the"
                    + " user closed it",
            ])
    }
}
