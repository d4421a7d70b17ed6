internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
internal import PopSource

extension HistoryReading {
    /// Adds the dates at which exposures to a popup were converted under its first goal.
    func addConversions(
        _ past: PastOfPopup, of popup: String, to history: inout History,
        with decoder: inout Decoder
    ) {
        guard let converted = past.converted else { return }
        guard let goal = rules.popups.first(where: { $0.id == popup })?.goals.first else {
            return decoder.report(.noGoals(of: popup, at: converted.range))
        }
        let known = history.popups[popup] ?? History.Popup()
        let exposures = known.exposures.dates + known.impressions
        for date in dates(converted.value, last: past.last?.value) {
            if date > start {
                return decoder.report(.notPast(date, start: start, at: converted.range))
            }
            guard let exposure = exposures.filter({ $0 <= date }).max() else {
                return decoder.report(.convertedUnseen(date, popup, at: converted.range))
            }
            history.apply(
                .goalMatched(popup: popup, goal: goal.name, date: date, exposure: exposure))
        }
    }
}

extension Diagnostic {
    fileprivate static func noGoals(of popup: String, at range: SourceRange) -> Self {
        Diagnostic(
            .testImpossible, message: "`\(popup)` has no `goals` that a user can reach",
            at: range, label: "cannot be converted",
            help: ["add `goals` to its rule, or remove this line"])
    }

    fileprivate static func convertedUnseen(
        _ date: Timestamp, _ popup: String, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .testImpossible, message: "`\(popup)` cannot have been converted before it was seen",
            at: range, label: "not yet shown at \(date)",
            help: ["write an earlier time for `shown`, or remove `shown` and `last`"])
    }
}
