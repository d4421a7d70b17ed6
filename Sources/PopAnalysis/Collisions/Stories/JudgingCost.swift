package import PopScheduler

/// How much work it is to judge the popups of rules, measured in popups without caps.
package struct JudgingCost: Sendable {
    /// Judging one of them.
    package let ofPopup: Int
    /// Making a scheduler for them.
    let ofStart: Int

    /// Counts the caps of rules. Linear in them.
    package init(_ rules: RuleSet) {
        let own = rules.popups.reduce(0) { $0 + $1.caps.windows.count }
        let perPopup = own / max(1, rules.popups.count) + rules.sharedCaps.count
        ofPopup = 1 + perPopup / Self.windowsPerPopup
        ofStart = 1 + (rules.popups.count + own + rules.sharedCaps.count) / Self.partsPerPopup
    }

    /// As many windows of caps are looked at in the time of judging one popup.
    private static let windowsPerPopup = 8
    /// As many popups and windows are made ready in the time of judging one popup.
    private static let partsPerPopup = 2
}
