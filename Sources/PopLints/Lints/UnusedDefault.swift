internal import PopRuleFiles
public import PopSource

/// A default of a file or a group that no popup takes, because each has a value of its own.
///
/// Bad:
/// ```yaml
/// defaults: { owner: team-growth, priority: low }
/// popups: { welcome: { priority: high } }
/// ```
/// Good:
/// ```yaml
/// defaults: { owner: team-growth, priority: low }
/// popups: { welcome: { priority: high }, tips: {} }
/// ```
public enum UnusedDefault: Lint {
    public static let check = Check.refUnusedDefault
    public static let asksForAll = true

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        let model = subject.model
        let ofGroups = model.groups.entries.filter { $0.defaults != nil }
        if model.defaults.isEmpty, ofGroups.isEmpty { return [] }
        let popups = model.popups.entries
        var found: [Diagnostic] = []
        for defaults in model.defaults {
            let own = popups.filter { $0.name.range.file == defaults.range.file }
            found += defaults.value.names.compactMap { name in
                let isTaken = own.contains { popup in
                    !popup.writes(name.value)
                        && !model.group(of: popup, hasDefault: name.value)
                }
                return isTaken ? nil : .taken(byNoneOf: "the file", name, isEmpty: own.isEmpty)
            }
        }
        for group in ofGroups {
            let own = popups.filter { $0.place.group?.value == group.name.value }
            // A group without popups has a finding of its own.
            if own.isEmpty { continue }
            found += (group.defaults?.value.names ?? []).compactMap { name in
                own.allSatisfy { $0.writes(name.value) }
                    ? .taken(byNoneOf: "the group", name, isEmpty: false) : nil
            }
        }
        return found
    }
}

extension RuleModel {
    /// Returns true if the group of a popup has a default for a key that the popup does not write.
    fileprivate func group(of popup: PopupModel, hasDefault key: String) -> Bool {
        guard let name = popup.place.group?.value else { return false }
        return groups[name]?.defaults?.value.names.contains { $0.value == key } ?? false
    }
}

extension Diagnostic {
    fileprivate static func taken(
        byNoneOf whole: String, _ key: Located<String>, isEmpty: Bool
    ) -> Self {
        Diagnostic(
            .refUnusedDefault, message: "no popup of \(whole) uses `\(key.value)` from `defaults`",
            at: key.range, label: "not used",
            help: [
                isEmpty
                    ? "move `defaults` to a file with popups; they apply only to their own file"
                    : "remove it here, or remove it in the popups that should use the default"
            ])
    }
}
