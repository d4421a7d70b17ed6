public import PopCEL

extension History {
    /// What people did with one popup by one of its actions.
    public struct Action: Sendable, Hashable {
        /// How often it was reported.
        public var count = 0
        /// When that was the last time.
        public var last: Timestamp
        /// When a task of the popup ended by it the last time; nil when it stayed each time.
        public var lastEnd: Timestamp?

        /// An action that was never reported; `last` is when it will be.
        public init(last: Timestamp) { self.last = last }
    }
}

extension History.Popup {
    /// What people did with it, by the name of the action; closing it is one, called `close`.
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

    /// When it was last gone from a screen; when it was shown, where no end is known. Control is
    /// gone as soon as its user was exposed to it.
    var lastGone: Timestamp? {
        let exposed =
            isNeverExposed || exposures.controlCount == 0 ? nil : exposures.dates.last
        return [lastDismissed, lastShown, reservations.last, exposed].compactMap { $0 }.max()
    }
}
