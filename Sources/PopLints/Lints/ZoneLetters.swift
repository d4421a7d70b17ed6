internal import PopRuleFiles
public import PopSource

/// A time zone in letters such as `CET`, which leave open whether its clocks change and mean
/// different zones on different systems.
///
/// Bad:
/// ```yaml
/// popups: { welcome: { schedule: { hours: 09:00-21:00, zone: CET } } }
/// ```
/// Good:
/// ```yaml
/// popups: { welcome: { schedule: { hours: 09:00-21:00, zone: Europe/Berlin } } }
/// ```
public enum ZoneLetters: Lint {
    public static let check = Check.timeZoneLetters

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        subject.model.popups.entries.flatMap { popup in
            (popup.timing.schedule?.value ?? []).compactMap { entry -> Diagnostic? in
                guard let zone = entry.value.zone, case .named(let name) = zone.value else {
                    return nil
                }
                let readings = readingsOfLetters(name)
                if readings.isEmpty { return nil }
                return .letters(
                    Located(name, at: zone.range), readings: readings, of: popup.name.value)
            }
        }
    }
}

extension Diagnostic {
    fileprivate static func letters(
        _ zone: Located<String>, readings: [Reading], of popup: String
    ) -> Self {
        Diagnostic(
            .timeZoneLetters, message: "the zone `\(zone.value)` does not mean the same everywhere",
            at: zone.range, label: "an abbreviation, not a place", subject: "popup `\(popup)`",
            help: readings.help,
            fixes: readings.fixes(at: zone.range).map { fix in
                Fix(fix.title, edits: fix.edits, isSafe: false)
            })
    }
}
