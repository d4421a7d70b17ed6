internal import PopCEL

extension PauseAfterClose {
    /// Returns the date until which the popup is suppressed after the given actions of users; nil
    /// if none of them causes a pause. `declared` contains the actions that its template declares.
    func ends(after done: [String: History.Action], declared: [TemplateRule.Action]) -> Timestamp? {
        var end: Timestamp?
        for (name, action) in done {
            guard let pause = pause(after: name, declared: declared) else { continue }
            let over = action.last.advanced(by: pause)
            end = max(end ?? over, over)
        }
        return end
    }

    private func pause(after name: String, declared: [TemplateRule.Action]) -> Duration? {
        if let pause = actions[name] { return pause }
        let counts =
            name == TemplateRule.Action.close
            || declared.contains { $0.name == name && $0.isRefusal }
        return counts ? close : nil
    }
}
