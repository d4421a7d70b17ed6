internal import PopRuleFiles
public import PopSource

/// A popup whose `when` replaces the one in `defaults`, or whose `cap` replaces the one in
/// `defaults` although the two set different keys. The default no longer applies to this popup.
///
/// Bad:
/// ```yaml
/// context: { consent: bool, plan: string }
/// defaults: { when: consent }
/// popups: { news: {}, upsell: { when: plan == "free" } }
/// ```
/// ```yaml
/// defaults: { cap: { lifetime: 3, every: 7d } }
/// popups:
///   news: {}
///   tip: { cap: { per_session: 1 } }
/// ```
/// Good:
/// ```yaml
/// context: { consent: bool }
/// groups: { promo: { when: consent } }
/// popups: { news: { group: promo } }
/// ```
/// ```yaml
/// defaults: { cap: { lifetime: 3, every: 7d } }
/// popups: { news: {}, upsell: { cap: { lifetime: 1 } } }
/// ```
public enum DefaultReplaced: Lint {
    public static let check = Check.hygieneDefaultReplaced
    public static let asksForAll = true

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        subject.model.defaults.flatMap { defaults -> [Diagnostic] in
            let popups = subject.model.popups.entries.filter {
                $0.name.range.file == defaults.range.file
            }
            return defaults.value.names.flatMap { name -> [Diagnostic] in
                // A default that no popup takes has a finding of its own.
                guard let other = popups.first(where: { !$0.writes(name.value) }) else { return [] }
                let own = popups.filter { $0.writes(name.value) }
                switch name.value {
                case "when": return own.compactMap { .replaced(name, of: $0) }
                case "cap":
                    return own.compactMap { popup in
                        guard let cap = popup.limits.cap?.value,
                            let usual = other.limits.cap?.value
                        else { return nil }
                        let lost = usual.keys.filter { !cap.keys.contains($0) }
                        return lost.count == usual.keys.count
                            ? .replaced(name, of: popup, losing: lost) : nil
                    }
                default: return []
                }
            }
        }
    }
}

extension CapModel {
    /// The names of the keys that are set.
    fileprivate var keys: [String] {
        let all: [(String, Bool)] = [
            ("lifetime", lifetime != nil), ("per_session", perSession != nil),
            ("every", every != nil), ("windows", windows != nil), ("closes", closes != nil),
            ("after_close", afterClose != nil),
        ]
        return all.filter(\.1).map(\.0)
    }
}

extension Diagnostic {
    fileprivate static func replaced(_ name: Located<String>, of popup: PopupModel) -> Self? {
        guard let when = popup.when else { return nil }
        return Diagnostic(
            .hygieneDefaultReplaced,
            message: "`when` of `\(popup.name.value)` replaces `when` of `defaults`",
            at: when.range, label: "the only condition of this popup",
            subject: "popup `\(popup.name.value)`",
            secondary: [Label("does not apply to `\(popup.name.value)`", at: name.range)],
            help: [
                "to require both conditions, join them with `&&`, or move the condition of"
                    + " `defaults` into `when` of a group; if the default should not apply, ignore"
                    + " this finding"
            ])
    }

    fileprivate static func replaced(
        _ name: Located<String>, of popup: PopupModel, losing keys: [String]
    ) -> Self? {
        guard let cap = popup.limits.cap else { return nil }
        let verb = keys.count == 1 ? "does" : "do"
        let names = keys.map { "`\($0)`" }.joined(separator: " and ")
        return Diagnostic(
            .hygieneDefaultReplaced,
            message: "`cap` of `\(popup.name.value)` replaces the whole `cap` of `defaults`, so"
                + " \(names) \(verb) not apply",
            at: cap.range, label: "the only cap of this popup",
            subject: "popup `\(popup.name.value)`",
            secondary: [Label("does not apply to `\(popup.name.value)`", at: name.range)],
            help: [
                "to keep the default too, repeat its keys in the `cap` of `\(popup.name.value)`; if"
                    + " the default should not apply, ignore this finding"
            ])
    }
}
