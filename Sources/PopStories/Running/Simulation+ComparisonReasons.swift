internal import PopCEL
internal import PopExplanations
internal import PopScheduler

// Reasons why a state differs from the expectation of a test, if no reason code covers them.
extension Simulation {
    /// Returns the reasons why a user isn't held out of a popup, as notes on a failure; empty if
    /// the user is.
    func whyNotHeldOut(_ popup: String) -> [String] {
        guard let holdout = rules.holdout else { return ["the rules have no `holdout`"] }
        if rules.popups.first(where: { $0.id == popup })?.isEssential == true {
            return ["`\(popup)` is essential, so it also shows to users in the holdout"]
        }
        if draws.isHeldOut == false {
            return [
                "the test puts this user outside the holdout"
            ]
        }
        let key = rules.keys[holdout.key]
        let value = context[key.name] ?? key.defaultValue
        if value == nil || value == .string("") {
            return [
                "users without a value of `\(key.name)` are not in the holdout, which is assigned"
                    + " by it"
            ]
        }
        return holdout.includes(value)
            ? [] : situation.holdoutTexts + ["to put a persona in the holdout, write `holdout: in`"]
    }

    /// Returns how a step can trigger a popup again that waits for the start of a session or of the
    /// app.
    func helpOnTrigger(of popup: String) -> [String] {
        guard scheduler.reason(popup, at: now) == .notTriggered,
            let rule = rules.popups.first(where: { $0.id == popup })
        else { return [] }
        return rule.triggers.compactMap { trigger in
            switch trigger {
            case .occasion(.session): "to start a session, add `begin_session: true` to a step"
            case .occasion(.start): "to start the app again, add `restart: true` to a step"
            case .occasion(.manual): "to trigger it, add `enqueue: \(popup)` to a step"
            case .event, .changed, .acted: nil
            }
        }
    }

    /// Returns the reasons why a goal of a popup wasn't reached, as notes on a failure; empty if
    /// the reasons aren't certain.
    func whyNotConverted(_ popup: String, by name: String) -> [String] {
        guard let rule = rules.popups.first(where: { $0.id == popup }),
            let goal = rule.goals.first(where: { $0.name == name })
        else { return [] }
        let event = rules.events[goal.event].name
        guard let seen = sightings[popup] else {
            return ["`\(popup)` was not seen in this test"] + whyNot(popup)
        }
        guard let sent = sendings[event] else {
            return ["`\(event)`, the event of `\(name)`, was not sent"]
        }
        if sent.instant < seen.first.instant {
            return [
                "`\(event)` was sent at \(PopScheduler.timeText(sent.instant)), before `\(popup)`"
                    + " was seen at \(PopScheduler.timeText(seen.first.instant))"
            ]
        }
        // A sighting after the event doesn't explain it.
        guard seen.last.instant <= sent.instant else { return [] }
        let since = sent.date.duration(since: seen.last.date)
        if since > goal.within {
            return [
                "`\(event)` was sent \(PopScheduler.timeText(since)) after `\(popup)` was seen, and"
                    + " its `within` is \(PopScheduler.timeText(goal.within))"
            ]
        }
        return goal.where == nil
            ? [] : ["the payload of `\(event)` did not match the `where` of `\(name)`"]
    }
}

extension HostEvent {
    /// The popup that the user sees by this event, or would see without an experiment.
    var sighting: String? {
        if case .shown(let task) = self { return task.popup }
        if case .exposed(let task, _, _) = self { return task.popup }
        return nil
    }
}
