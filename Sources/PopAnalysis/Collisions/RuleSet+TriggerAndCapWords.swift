internal import PopScheduler

extension CommonTrigger {
    /// The sort order of triggers in lists: start, events, changes, actions.
    var rank: (Int, Int, String) {
        switch self {
        case .launch: (0, 0, "")
        case .event(let event): (1, event.number, "")
        case .changed(let key): (2, key.number, "")
        case .acted(let popup, let action): (3, popup.number, action)
        }
    }
}

extension RuleSet {
    /// Returns a trigger as text for reports.
    func text(of trigger: CommonTrigger) -> String {
        switch trigger {
        case .launch: "at the start"
        case .event(let event): "at `\(events[event].name)`"
        case .changed(let key): "when `\(keys[key].name)` changes"
        case .acted(let popup, "close"): "when `\(popups[popup].id)` is closed"
        case .acted(let popup, let action): "at `\(action)` in `\(popups[popup].id)`"
        }
    }
}

extension WindowCap {
    /// Returns the cap as text for reports.
    func text(in rules: RuleSet) -> String {
        let times = max == 1 ? "once" : "\(max) times"
        switch per {
        case .rolling(let time): return "\(times) in \(PopScheduler.timeText(time))"
        case .calendar(let unit): return "\(times) a \(unit.noun)"
        case .session: return "\(times) a session"
        case .value(let key): return "\(times) for each value of `\(rules.keys[key].name)`"
        }
    }
}
