internal import PopRuleFiles
public import PopSource

/// A cap that another one never lets it reach.
///
/// Bad:
/// ```yaml
/// popups: { welcome: { cap: { lifetime: 1, per_session: 3 } } }
/// ```
/// Good:
/// ```yaml
/// popups: { welcome: { cap: { lifetime: 3, per_session: 1 } } }
/// ```
public enum CapUnreachable: Lint {
    public static let check = Check.scheduleCapUnreachable

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        subject.model.popups.entries.flatMap { popup -> [Diagnostic] in
            guard let cap = popup.cap?.value, let lifetime = cap.lifetime else { return [] }
            let windows = (cap.windows?.value ?? []).compactMap(\.value.max)
            let others = [("per_session", cap.perSession)] + windows.map { ("max", $0) }
            return others.compactMap { name, limit in
                guard let limit, limit.value >= lifetime.value else { return nil }
                return .never(limit, name, lifetime, popup.name.value)
            }
        }
    }
}

extension Diagnostic {
    fileprivate static func never(
        _ limit: Located<Int>, _ name: String, _ lifetime: Located<Int>, _ popup: String
    ) -> Self {
        Diagnostic(
            .scheduleCapUnreachable, "the cap `\(name): \(limit.value)` is never reached",
            at: limit.range, label: "no effect", subject: "popup `\(popup)`",
            secondary: [
                Label("the popup shows at most that often altogether", at: lifetime.range)
            ],
            help: ["remove `\(name)`, or raise `lifetime`"])
    }
}
