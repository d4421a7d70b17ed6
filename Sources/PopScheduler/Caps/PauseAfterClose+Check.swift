internal import PopCEL

extension PauseAfterClose {
    /// Until when the popup stays away after what people did with it; nil when that was nothing
    /// for which it does. `declared` is what its template says that they can do.
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
