internal import PopScheduler
internal import PopSource

/// What may be named beside the actions of a popup's template.
enum ActionUse {
    /// A person closing it, as `close`.
    case closable
    /// Nothing: a task has to end by the action.
    case end
}

extension RuleModel {
    /// What people can do with a popup, by its template and those of its variants; nil where that
    /// is not known because of another mistake.
    func actions(ofPopup id: String) -> [ActionModel]? {
        guard let index = popups.index(of: id) else { return nil }
        let popup = popups.entries[index]
        let variants = popup.limits.experiment?.value.variants?.value ?? []
        var actions: [ActionModel] = []
        for name in [popup.template].compactMap(\.self) + variants.compactMap(\.template) {
            guard let template = templates[name.value] else { return nil }
            if template.actions == nil, template.isBroken { return nil }
            actions += template.actions?.value ?? []
        }
        return actions
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
        found.report(.undefinedAction(action, of: popup, in: model))
    }
}

/// What people write for closing, folded.
private let wordsForClosing: Set<String> = [
    "closed", "closes", "dismiss", "dismissed", "user_closed", "swipe", "swiped", "x",
    "close_button",
]

extension Diagnostic {
    /// The template of a popup declares no such action.
    static func undefinedAction(
        _ action: Located<String>, of popup: String, in model: RuleModel
    ) -> Self {
        let declared = model.actions(ofPopup: popup)?.map(\.name.value) ?? []
        let template = model.popups.index(of: popup)
            .flatMap { model.popups.entries[$0].template?.value }
        var diagnostic = Diagnostic(
            .refUndefinedAction,
            message: "`\(popup)` has no action `\(action.value.shortened)`", at: action.range,
            label: template == nil ? "it has no template" : "not declared by its template")
        if wordsForClosing.contains(action.value.foldedForNames) {
            diagnostic.help = ["a person closing the popup is `close`"]
            return diagnostic
        }
        let similar = similarNames(to: action.value, among: declared)
        if similar.count == 1 { diagnostic.fixes = [.rename(action.range, to: similar[0])] }
        diagnostic.help =
            if !similar.isEmpty {
                ["an action with a similar name exists: \(alternatives(similar))"]
            } else if declared.isEmpty {
                [
                    (template.map { "declare it in the template `\($0)`" }
                        ?? "give `\(popup)` a `template` that declares it")
                        + ", such as `actions: [\(action.value.shortened)]`"
                ]
            } else {
                ["the actions of `\(popup)` are \(enumeration(declared))"]
            }
        return diagnostic
    }

    fileprivate static func closeIsNoEnd(_ action: Located<String>, of popup: String) -> Self {
        Diagnostic(
            .refUndefinedAction, message: "`close` is no action that `\(popup)` can end by",
            at: action.range, label: "a person closing it",
            help: [
                "the name of the popup alone waits until it is gone, however it went",
                "`popups.\(popup).last_reason == \"USER_CLOSED\"` in `when` asks whether a person"
                    + " closed it",
            ])
    }
}
