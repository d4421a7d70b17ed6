public import PopCEL

extension History {
    /// The uses of one action of a popup by the user.
    public struct Action: Sendable, Hashable {
        /// The number of times it was reported.
        public var count = 0
        /// The date of the last report.
        public var last: Timestamp
        /// The date at which a task of the popup last ended by it; nil if the popup always stayed.
        public var lastEnd: Timestamp?

        /// Creates an action that was never reported; `last` is the date of the report to come.
        public init(last: Timestamp) { self.last = last }
    }
}

extension History.Popup {
    /// The actions of the user on the popup, by name; closing it is the action `close`.
    public var actions: [String: History.Action] {
        get {
            var all = otherActions
            if let closing { all[TemplateRule.Action.close] = closing }
            return all
        }
        set {
            otherActions = newValue
            closing = otherActions.removeValue(forKey: TemplateRule.Action.close)
        }
    }

    func action(_ name: String) -> History.Action? {
        name == TemplateRule.Action.close ? closing : otherActions[name]
    }

    mutating func acted(_ name: String, at date: Timestamp, isClosing: Bool) {
        var action = action(name) ?? History.Action(last: date)
        action.count += 1
        action.last = max(action.last, date)
        if isClosing { closedCount += 1 }
        if name == TemplateRule.Action.close {
            closing = action
        } else {
            otherActions[name] = action
            lastAction = name
        }
    }

    mutating func ended(by name: String, at date: Timestamp) {
        guard let action = otherActions[name] else { return }
        otherActions[name]?.lastEnd = max(action.lastEnd ?? date, date)
    }

    /// The date at which it was last gone from a screen, or last shown if no end is known. Control
    /// is gone as soon as its user was exposed to it.
    var lastGone: Timestamp? {
        let exposed =
            isNeverExposed || exposures.controlCount == 0 ? nil : exposures.dates.last
        return [lastDismissed, lastShown, reservations.last, exposed].compactMap { $0 }.max()
    }
}
