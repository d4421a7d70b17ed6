internal import PopCEL
internal import PopExplanations
internal import PopScheduler
internal import PopSource

extension Simulation {
    /// Returns the difference between the state and an expectation; nil if they agree.
    func failure(_ expectation: RunnableExpectation) -> Diagnostic? {
        switch expectation.kind {
        case .showing(let lane, let popup):
            let found = scheduler.showing[lane]
            guard found != popup else { return nil }
            return failed(
                expectation,
                message: "`\(lane)` shows \(found.map { "`\($0)`" } ?? "nothing") at \(timeText)",
                expected: popup.map { "`\($0)`" } ?? "nothing",
                notes: popup.map { whyNot($0) } ?? found.map { whyInTheBackground($0) } ?? [],
                help: popup.map { helpOnTrigger(of: $0) } ?? [])
        case .waiting(let lane, let popups):
            let found = scheduler.waiting[lane] ?? []
            // An empty list isn't a part of any queue: it means that nothing waits.
            guard popups.isEmpty ? !found.isEmpty : !found.contains(inOrder: popups) else {
                return nil
            }
            let order = popups.count > 1 ? ", in this order" : ""
            return failed(
                expectation, message: "`\(lane)` has \(list(found)) waiting at \(timeText)",
                expected: list(popups) + order,
                notes: popups.filter { !found.contains($0) }.flatMap { whyNot($0) })
        case .reason(let popup, let reason):
            let found = scheduler.reason(popup, at: now)
            guard found != reason else { return nil }
            return failed(
                expectation, message: "\(stateText(popup)) at \(timeText)",
                expected: (found == nil ? "the reason code " : "") + "`\(reason.rawValue)`",
                notes: whyNot(popup) + (reason == .heldOut ? whyNotHeldOut(popup) : [])
                    + (reason == .outsideHours ? whyNotOutsideHours(popup) : []),
                help: reason.keepsAway
                    ? reason == .sessionCap ? helpOnSessionCap(popup) : []
                    : [reason.endingHelp(popup)])
        case .dismissed(let popup, let reason):
            guard case .dismissed(_, let found)? = endings[popup], found == reason else {
                return failed(
                    expectation, message: endText(popup),
                    expected: "the reason code `\(reason.rawValue)`", notes: endNotes(popup),
                    help: reason.endsWhatShows ? [] : [reason.placeHelp(popup)])
            }
            return nil
        case .ended(let popup, let reason):
            guard endings[popup]?.ending == reason else {
                return failed(
                    expectation, message: endText(popup),
                    expected: "the reason code `\(reason.rawValue)`", notes: endNotes(popup),
                    help: reason.endsTasks ? [] : [reason.placeHelp(popup)])
            }
            return nil
        case .dropped(let popup, let reason):
            guard let found = obstacles[popup] else {
                return failed(
                    expectation, message: endText(popup),
                    expected: "to be dropped because of `\(reason.rawValue)`",
                    notes: endNotes(popup),
                    help: reason.keepsAway ? [] : [reason.endingHelp(popup)])
            }
            guard found != reason else { return nil }
            return failed(
                expectation, message: "`\(popup)` was dropped because of `\(found.rawValue)`",
                expected: "`\(reason.rawValue)`", notes: endNotes(popup),
                help: reason.keepsAway ? [] : [reason.endingHelp(popup)])
        case .shown(let popup, let count):
            let found = shown[popup] ?? 0
            guard found != count else { return nil }
            return failed(
                expectation, message: "`\(popup)` was shown \(found)× by \(timeText)",
                expected: "\(count)×", notes: whyNot(popup))
        case .content(let popup, let field, let value):
            guard let content = contents[popup] else {
                return failed(
                    expectation, message: "`\(popup)` was not presented by \(timeText)",
                    expected: value.shown, notes: whyNot(popup))
            }
            let found = if case .map(let map) = content { map[.string(field)] } else { Value?.none }
            guard found != value, found?.plainText == nil || found?.plainText != value.plainText
            else { return nil }
            return failed(
                expectation,
                message: "`\(field)` of `\(popup)` is \(found?.shown ?? "missing")",
                expected: value.shown)
        case .variant(let popup, let arm):
            let found = arms[popup].map { "the last variant of `\(popup)` was `\($0)`" }
            return failure(
                expectation, of: popup, arm: arm, found: arms[popup],
                message: "\(found ?? "`\(popup)` had no variant") by \(timeText)")
        case .exposed(let popup, let arm):
            let found = exposures[popup].map { "to `\($0)`" } ?? "to no variant"
            return failure(
                expectation, of: popup, arm: arm, found: exposures[popup],
                message: "`\(popup)` exposed the user \(found) by \(timeText)")
        case .converted(let popup, let goals):
            let found = conversions[popup] ?? []
            guard goals.isEmpty ? !found.isEmpty : !found.isSuperset(of: goals) else { return nil }
            return failed(
                expectation,
                message: "the goals of `\(popup)` reached by \(timeText): \(list(found.sorted()))",
                expected: list(goals),
                notes: goals.filter { !found.contains($0) }
                    .flatMap { whyNotConverted(popup, by: $0) })
        }
    }

    private func failure(
        _ expectation: RunnableExpectation, of popup: String, arm: String?, found: String?,
        message: String
    ) -> Diagnostic? {
        guard found != arm else { return nil }
        return failed(
            expectation, message: message, expected: arm.map { "`\($0)`" } ?? "none",
            notes: found == nil ? whyNot(popup) : [])
    }

    /// Returns failures for popups that a step with exact expectations doesn't list.
    func unexpected(_ step: RunnableStep) -> [Diagnostic] {
        let kinds = step.expectations.map(\.kind)
        let showing = scheduler.showing.sorted { $0.key < $1.key }.filter { lane, _ in
            !kinds.contains { if case .showing(lane, _) = $0 { true } else { false } }
        }
        let waiting = scheduler.waiting.sorted { $0.key < $1.key }.filter { lane, popups in
            let expected = kinds.compactMap { kind -> [String]? in
                if case .waiting(lane, let popups) = kind { popups } else { nil }
            }.first
            // A state that isn't as expected has been reported already.
            return popups != expected ?? [] && popups.contains(inOrder: expected ?? [])
        }
        return showing.map { lane, popup in
            .unexpected(
                "`\(lane)` shows `\(popup)` at \(timeText)", at: step.range,
                label: "this step does not expect `\(popup)`",
                expected: "showing: { \(lane): \(popup) }")
        }
            + waiting.map { lane, popups in
                .unexpected(
                    "`\(lane)` has \(list(popups)) waiting at \(timeText)", at: step.range,
                    label: "this step does not name all waiting popups",
                    expected: "waiting: { \(lane): [\(popups.joined(separator: ", "))] }")
            }
    }

    private func failed(
        _ expectation: RunnableExpectation, message: String, expected: String,
        notes: [String] = [], help: [String] = []
    ) -> Diagnostic {
        Diagnostic(
            .testFailed, message: message, at: expectation.range, label: "expected \(expected)",
            notes: notes, help: help)
    }

    private func list(_ names: [String]) -> String {
        names.isEmpty ? "nothing" : names.map { "`\($0)`" }.joined(separator: ", ")
    }

    private func stateText(_ popup: String) -> String {
        guard let reason = scheduler.reason(popup, at: now) else { return "`\(popup)` shows" }
        return "`\(popup)` has the reason code `\(reason.rawValue)`"
    }

    private func endText(_ popup: String) -> String {
        guard let end = endings[popup], let reason = end.ending else {
            return "`\(popup)` has not ended by \(timeText)"
        }
        if case .dismissed = end {
            return "`\(popup)` was dismissed with the reason code `\(reason.rawValue)`"
        }
        return "`\(popup)` ended with the reason code `\(reason.rawValue)`, without being shown"
    }

    /// Returns the reason why the last task ended; if no task has ended, the reasons why there was
    /// none.
    private func endNotes(_ popup: String) -> [String] {
        guard let ending = endings[popup]?.ending else { return whyNot(popup) }
        guard let rule = rules.popups.first(where: { $0.id == popup }),
            let explanation = scheduler.explain(popup, at: now)
        else { return [] }
        return ["\(ending.rawValue): \(ending.meaning)"]
            + situation.words(on: ending, rule: rule, explanation: explanation)
    }
}

extension [String] {
    /// Returns true if this list contains all the others in the same order, perhaps with more
    /// between them.
    fileprivate func contains(inOrder others: [String]) -> Bool {
        var rest = others[...]
        for element in self where element == rest.first { rest.removeFirst() }
        return rest.isEmpty
    }
}

extension Value {
    /// The value as a test file writes it.
    fileprivate var shown: String { "`\(plainText ?? description)`" }
}

extension ReasonCode {
    fileprivate func endingHelp(_ popup: String) -> String {
        "use `ended: { \(popup): \(rawValue) }`: `\(rawValue)` is a reason why a popup ends"
    }

    /// Returns where a code can be expected that isn't a reason for a dismissal.
    fileprivate func placeHelp(_ popup: String) -> String {
        endsTasks
            ? "use `ended: { \(popup): \(rawValue) }`: a popup that ends with"
                + " `\(rawValue)` was not shown"
            : "use `reasons: { \(popup): \(rawValue) }`: `\(rawValue)` is a reason why a popup"
                + " waits"
    }
}

extension Diagnostic {
    /// `expected` is the part of an `expect` that describes the state.
    fileprivate static func unexpected(
        _ message: String, at range: SourceRange, label: String, expected: String
    ) -> Self {
        Diagnostic(
            .testFailed, message: message, at: range, label: label,
            notes: [
                "the test sets `exactly: true`, so `expect` must name every popup that shows or"
                    + " waits"
            ],
            help: ["if this result is correct, use `\(expected)` in `expect`"])
    }
}

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
                "users without a value of `\(key.name)` are not in the holdout, because the"
                    + " holdout is assigned by `\(key.name)`"
            ]
        }
        return holdout.includes(value)
            ? [] : situation.holdoutTexts + ["to put a persona in the holdout, write `holdout: in`"]
    }

    /// Returns why a popup does not end by itself while the app is in the background, as a note on
    /// a failure; empty for other popups.
    func whyInTheBackground(_ popup: String) -> [String] {
        guard scheduler.isInBackground,
            rules.popups.first(where: { $0.id == popup })?.timing.hideAfter != nil
        else { return [] }
        return [
            "the app is in the background, where the time of `hide_after` does not pass; to let it"
                + " pass, bring the app back with `foreground: true` first"
        ]
    }

    /// Returns how a test can reach the cap per session of a popup; empty for popups without it.
    func helpOnSessionCap(_ popup: String) -> [String] {
        guard let most = rules.popups.first(where: { $0.id == popup })?.caps.perSession else {
            return []
        }
        return [
            "let `\(popup)` show \(most)× in the test, close it with `close: \(popup)`, and"
                + " trigger it again with `enqueue: \(popup)`; a test starts with a new session, so"
                + " `per_session` does not count impressions in `history`"
        ]
    }

    /// Returns when a test without `start` can start, if an expected popup waits for its schedule;
    /// empty for other expectations.
    func helpOnStart(_ expectation: RunnableExpectation, of test: RunnableTest) -> [String] {
        guard !test.hasStart, case .showing(_, let popup?) = expectation.kind,
            let explanation = scheduler.explain(popup, at: now), explanation.reason == .beforeStart,
            let until = explanation.until
        else { return [] }
        return [
            "set the time at which the clock of the test starts, such as `start: \(until)` next to"
                + " `steps`; without `start`, the clock starts at \(test.start)"
        ]
    }

    /// Returns the clock time at which a popup is in its days and hours, as a note on a failure;
    /// empty if it is outside of them.
    func whyNotOutsideHours(_ popup: String) -> [String] {
        guard let rule = rules.popups.first(where: { $0.id == popup }) else { return [] }
        let entries = rule.timing.schedule.filter { $0.days != nil || $0.hours != nil }
        if entries.isEmpty { return ["`\(popup)` has no `schedule` with `days` or `hours`"] }
        let open = entries.lazy.map { ($0, scheduler.calendar(of: $0.zone)) }
            .first { $0.0.includes(now.date, calendar: $0.1) }
        guard let (entry, calendar) = open else { return [] }
        let time = calendar.civil(at: now.date)
        let day = "\(Schedule.Weekday.allCases[time.dayOfISOWeek])".prefix(3)
        let clock = [time.hour, time.minute].map { $0 < 10 ? "0\($0)" : "\($0)" }
            .joined(separator: ":")
        let zone =
            switch entry.zone {
            case .named(let name): "in `\(name)`"
            case .local: "on the device, whose zone is `\(self.zone ?? "UTC")`"
            case .key(let key): "in the zone that `\(rules.keys[key].name)` names"
            }
        return [
            "\(now.date) is \(day) \(clock) \(zone), which is in the days and hours of `\(popup)`"
        ]
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
