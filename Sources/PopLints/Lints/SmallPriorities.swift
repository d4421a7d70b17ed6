internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// Popups of one scheduler are numbered from 1, as in tools where 1 shows first: here it shows
/// last.
///
/// Bad:
///
/// ```yaml
/// popups:
///   consent: { priority: 1 }
///   update: { priority: 2 }
///   promo: { priority: 10 }
/// ```
///
/// Good:
///
/// ```yaml
/// popups:
///   consent: { priority: very_high }
///   update: { priority: high }
///   promo: { priority: very_low }
/// ```
///
/// ```yaml
/// popups:
///   consent: { priority: 1000 }
///   promo: { priority: 1 }
/// ```
public enum SmallPriorities: Lint {
    public static let check = Check.hygieneSmallPriorities

    /// Numbers up to this one count places rather than weigh popups against each other.
    static let highestPlace = 20

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        var written: [String: Located<Int>] = [:]
        for popup in subject.model.popups.entries {
            // A word such as `very_low` is a number too.
            guard let priority = popup.priority,
                priority.range.bytes.count == "\(priority.value)".utf8.count
            else { continue }
            written[popup.name.value] = priority
        }
        let rules = subject.rules
        return rules.schedulers.places.compactMap { lane -> Diagnostic? in
            guard rules.schedulers[lane].strategy == .priority else { return nil }
            let own = rules.popups.filter { $0.scheduler == lane }
                .compactMap { popup in written[popup.id].map { (popup, $0) } }
            guard let first = own.first(where: { $0.1.value == 1 }),
                own.allSatisfy({ (1...highestPlace).contains($0.1.value) }),
                let highest = own.max(by: { $0.1.value < $1.1.value }), highest.1.value > 1
            else { return nil }
            return .numberedFromOne(first.0, at: first.1.range, behind: highest.0, highest.1)
        }
    }
}

extension Diagnostic {
    fileprivate static func numberedFromOne(
        _ popup: PopupRule, at range: SourceRange, behind other: PopupRule,
        _ highest: Located<Int>
    ) -> Self {
        Diagnostic(
            .hygieneSmallPriorities,
            message:
                "a higher number shows first: `\(other.id)`, with \(highest.value), before"
                + " `\(popup.id)`", at: range, label: "the lowest priority",
            subject: "popup `\(popup.id)`",
            secondary: [Label("shows first", at: highest.range)],
            help: [
                "if `\(popup.id)` should show first, give it the highest number, or use a word:"
                    + " `priority: very_high`"
            ])
    }
}
