package import PopScheduler

/// How much work it is to judge the popups of rules, measured in popups without caps.
package struct JudgingCost: Sendable {
    /// Judging one of them.
    package let ofPopup: Int
    /// Making a scheduler for them.
    package let ofStart: Int

    /// Counts the caps, schedules and actions of rules. Linear in them.
    package init(_ rules: RuleSet) {
        let count = max(1, rules.popups.count)
        let own = rules.popups.reduce(0) { $0 + $1.caps.windows.count }
        let clocks = rules.popups.reduce(0) { $0 + $1.timing.schedule.count { $0.readsClocks } }
        let actions = rules.templates.reduce(0) { max($0, $1.actions.count) }
        ofPopup =
            1 + (own / count + rules.sharedCaps.count) / Self.windowsPerPopup
            + clocks * Self.popupsPerClock / count + actions / Self.actionsPerPopup
        ofStart = 1 + (rules.popups.count + own + rules.sharedCaps.count) / Self.partsPerPopup
    }

    /// As many windows of caps are looked at in the time of judging one popup.
    private static let windowsPerPopup = 8
    /// The number of popups that take as long to judge as computing when one entry of a schedule
    /// opens or closes by the clocks of a zone.
    private static let popupsPerClock = 24
    /// The number of actions of a template that take as long to search as judging one popup.
    private static let actionsPerPopup = 64
    /// As many popups and windows are made ready in the time of judging one popup.
    private static let partsPerPopup = 2
}

extension Schedule {
    /// Whether it opens by the days or hours of a zone's clocks.
    fileprivate var readsClocks: Bool { days != nil || hours != nil }
}
