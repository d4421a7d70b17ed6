package import PopScheduler

/// The work of judging the popups of rules, measured in popups without caps.
package struct JudgingCost: Sendable {
    /// The cost of judging one popup.
    package let ofPopup: Int
    /// The cost of creating a scheduler for the rules.
    package let ofStart: Int
    /// The popups that can be judged in the time of filtering an event, which each trigger does; 0
    /// if that isn't counted.
    package let ofFilters: Int

    /// Computes the costs from the caps, schedules, and actions of rules. Linear in them.
    ///
    /// - Parameter countsFilters: True if the filters of triggers count as work.
    package init(_ rules: RuleSet, countsFilters: Bool = false) {
        let count = max(1, rules.popups.count)
        let own = rules.popups.reduce(0) { $0 + $1.caps.windows.count }
        let clocks = rules.popups.reduce(0) { $0 + $1.timing.schedule.count { $0.readsClocks } }
        let actions = rules.templates.reduce(0) { max($0, $1.actions.count) }
        ofPopup =
            1 + (own / count + rules.sharedCaps.count) / Self.windowsPerPopup
            + clocks * Self.popupsPerClock / count + actions / Self.actionsPerPopup
        ofStart = 1 + (rules.popups.count + own + rules.sharedCaps.count) / Self.partsPerPopup
        ofFilters = countsFilters ? rules.popups.count / Self.triggersPerPopup : 0
    }

    /// The number of triggers that take as long to filter as judging one popup.
    private static let triggersPerPopup = 2
    /// The number of cap windows that take as long to check as judging one popup.
    private static let windowsPerPopup = 8
    /// The number of popups that take as long to judge as computing when one schedule entry opens
    /// or closes in the time zone of its clock.
    private static let popupsPerClock = 24
    /// The number of actions of a template that take as long to search as judging one popup.
    private static let actionsPerPopup = 64
    /// The number of popups and windows that take as long to prepare as judging one popup.
    private static let partsPerPopup = 2
}

extension Schedule {
    /// True if it opens by days or hours in a time zone.
    fileprivate var readsClocks: Bool { days != nil || hours != nil }
}
