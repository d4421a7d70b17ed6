internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// The same popup, trigger or tag twice in a list.
///
/// Bad:
/// ```yaml
/// popups: { welcome: { trigger: [start, start] } }
/// ```
/// Good:
/// ```yaml
/// popups: { welcome: { trigger: [start, manual] } }
/// ```
public enum DuplicateItem: Lint {
    public static let check = Check.schemaDuplicateItem

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        subject.model.popups.entries.flatMap { popup in
            let triggers = (popup.trigger?.value ?? []).compactMap { trigger in
                trigger.value.plainText.map { Located($0, at: trigger.range) }
            }
            let lists = [
                ("after", popup.place.after?.value.filter(\.isPlain).map(\.popup) ?? []),
                ("tags", popup.texts.tags?.value ?? []),
                ("trigger", triggers),
            ]
            return lists.flatMap { key, items in repeats(in: items, of: key, popup) }
        }
    }

    private static func repeats(
        in items: [Located<String>], of key: String, _ popup: PopupModel
    ) -> [Diagnostic] {
        var first: [String: SourceRange] = [:]
        return items.compactMap { item in
            guard let earlier = first.updateValue(item.range, forKey: item.value) else {
                return nil
            }
            first[item.value] = earlier
            return .again(item, key: key, first: earlier, of: popup.name.value)
        }
    }
}

extension PredecessorModel {
    /// True if only the popup is named.
    fileprivate var isPlain: Bool { action == nil && since == nil }
}

extension TriggerModel {
    /// The trigger in a few words; nil for one with a filter, which may differ in that.
    fileprivate var plainText: String? {
        switch self {
        case .occasion(let occasion): return occasion.rawValue
        case .word(let word): return word
        case .unread: return nil
        case .changed(let key): return "changed: \(key.value)"
        case .acted(let popup, let action): return "popup: \(popup.value), action: \(action.value)"
        case .event(let trigger):
            guard trigger.where == nil, trigger.nth == nil, trigger.every == nil else { return nil }
            return "event: \(trigger.event.value)"
        }
    }
}

extension Diagnostic {
    fileprivate static func again(
        _ item: Located<String>, key: String, first: SourceRange, of popup: String
    ) -> Self {
        Diagnostic(
            .schemaDuplicateItem, message: "`\(item.value)` appears twice in `\(key)`",
            at: item.range,
            label: "no effect", subject: "popup `\(popup)`",
            secondary: [Label("first appears here", at: first)],
            help: ["remove one of the two items"])
    }
}
