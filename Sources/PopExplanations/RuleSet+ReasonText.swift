internal import PopCEL
package import PopScheduler

extension ReasonCode {
    /// The meaning of the code in words for users.
    package var meaning: String {
        switch self {
        case .suspended: "the scheduler is suspended"
        case .background: "the app is in the background"
        case .quietHours: "the time is within the `quiet` hours"
        case .postponed: "the app postponed it"
        case .delayed: "the delay since its trigger is not over"
        case .beforeStart: "its schedule has not started yet"
        case .outsideHours: "the time is outside its days or hours"
        case .awaitingPredecessor:
            "a popup listed in `after` has not been shown and closed as required"
        case .groupConditionFalse: "the condition of its group is not met"
        case .groupCap: "the cap of its group is reached"
        case .sessionCap: "its cap per session is reached"
        case .cooldown: "it was shown too recently"
        case .closedRecently: "the user closed or declined it too recently"
        case .periodCap: "its cap per period is reached"
        case .schedulerCap: "the cap of its scheduler is reached"
        case .globalCap: "one of the `limits`, which several popups share, is reached"
        case .conditionFalse: "its condition is not met"
        case .conditionError: "its condition could not be evaluated"
        case .slotBusy: "the screen is taken by another popup"
        case .inGap:
            "the time in the `gap` of its scheduler has not passed since the last popup ended"
        case .outranked: "a popup that takes precedence shows first"
        case .disabled: "it is switched off"
        case .notInRollout: "this user is not in its rollout"
        case .expired: "its schedule is over"
        case .lifetimeCap: "its lifetime cap is reached"
        case .closedTooOften: "the user closed or declined it as often as its cap allows"
        case .goalReached: "the user reached a goal that ends the popup"
        case .heldOut: "this user is in the holdout and sees essential popups only"
        case .triggerFiltered: "the event does not match the `where` of its trigger"
        case .triggerCounting:
            "its trigger fires only for some events (`nth` or `every`), and not for this one"
        case .notTriggered: "nothing has triggered it"
        case .discardedUntriggered: "dropped because it could not show when its turn came"
        case .waitedTooLong: "dropped after `max_wait`"
        case .queueFull: "dropped because the queue was full"
        case .dismissedBeforeShown: "dismissed before it could show"
        case .removedByReload: "the new rules do not contain it"
        case .cancelled: "the app cancelled it"
        case .control: "this user is in the control group, which does not see the popup"
        case .presentationFailed: "the app could not present it"
        case .preempted: "another popup, which takes precedence, replaced it"
        case .timedOut: "its display time is over (`hide_after`)"
        case .dismissCondition: "`dismiss_when` is true"
        case .dismissed: "the app dismissed it"
        case .userClosed: "the user closed it"
        case .acted: "the user used one of its actions"
        case .disappeared: "it disappeared from the screen"
        case .removed: "the app removed it"
        case .userSwitched: "another user signed in"
        }
    }
}

/// The relation of a popup's rule to a reason code.
package struct ReasonDetails {
    /// A function that returns the details for a situation.
    package typealias Words = (ExplainContext, PopupExplanation) -> [String]

    /// The path of the key in the popup or its group that can cause the code, such as
    /// `cap.lifetime`; nil if no key does.
    package private(set) var key: String?
    /// True if the rules can cause the code by themselves, without the app, another user, or a
    /// mistake.
    package private(set) var isGiven: Bool
    /// The details beyond the code's meaning: the popups involved, the amounts, until when it
    /// holds.
    private(set) var words: Words = { _, _ in [] }
}

extension RuleSet {
    /// Returns how a popup's rule relates to a reason code. This is the only place to extend for a
    /// new code: `explain` uses the words, coverage counts the keys.
    package func grounds(of code: ReasonCode, for popup: PopupRule) -> ReasonDetails {
        let lane = schedulers[popup.scheduler]
        let group = popup.group.map { groups[$0] }
        let (timing, caps, rollout) = (popup.timing, popup.caps, popup.audience.rollout)
        let screen: ReasonDetails.Words = { $0.screenTexts(popup, explanation: $1) }
        let obstacle: ReasonDetails.Words = { $0.obstacleTexts(popup, explanation: $1) }
        let impressions: ReasonDetails.Words = { situation, _ in
            [situation.impressionsText(popup.id)]
        }
        let values: ReasonDetails.Words = { situation, _ in
            situation.valueTexts(popup.id, keptAwayFor: code)
        }
        return switch code {
        case .suspended: .saying("`\(lane.name)` shows nothing new until the app resumes it")
        case .quietHours:
            .given(by: quietText(of: popup)) { $0 }
        case .delayed:
            .key("delay", of: timing.delay.textUnlessZero) { "its `delay` is \($0)" }
        case .beforeStart:
            .key("schedule.from", of: timing.boundsText(\.from, in: self)) {
                "its `from` is \($0)"
            }
        case .outsideHours: .key("schedule.hours", of: timing.hoursText(in: self)) { $0 }
        case .awaitingPredecessor:
            .key("after", if: !popup.after.isEmpty).saying {
                $0.predecessorTexts(popup, explanation: $1)
            }
        case .groupConditionFalse: .key("group.when", if: group?.when != nil)
        case .groupCap:
            .key("group.cap", of: group.flatMap { $0.caps.isEmpty ? nil : $0 }) { group in
                group.caps.map { $0.text(sharedBy: group.name, in: self) }.joined(separator: "; ")
            }
            .saying(values)
        case .sessionCap:
            .key("cap.per_session", of: caps.perSession) { "`cap.per_session` is \($0)" }
                .saying(impressions)
        case .cooldown:
            .key("cap.every", of: caps.every) { "`cap.every` is \(timeText($0))" }.saying(
                impressions)
        case .closedRecently:
            .key("cap.after_close", of: caps.afterClose) { "its `cap.after_close` is \($0.text)" }
                .saying { situation, _ in situation.closingTexts(popup.id) }
        case .periodCap:
            .key("cap.windows", of: caps.windowsText(in: self)) { $0 }.saying(impressions)
                .saying(values)
        case .schedulerCap:
            .given(by: lane.cap) { $0.text(sharedBy: lane.name, in: self) }.saying(values)
        case .globalCap:
            .given(by: limitsText(on: popup)) { $0 }.saying(values)
        case .conditionFalse where popup.when == nil:
            .key("schedule.when", if: timing.schedule.contains { $0.when != nil })
        case .conditionFalse: .key("when", if: true)
        case .slotBusy: .given(if: hasCompany(popup)).saying(screen)
        case .inGap:
            .given(by: lane.gap.textUnlessZero) {
                "`gap` of `\(lane.name)`: no popup shows for \($0) after a dismissal"
            }
            .saying { situation, _ in situation.gapTexts(popup) }
        case .outranked: .none.saying(screen)
        case .disabled:
            .key("enabled", if: !popup.isEnabled).saying("its rule sets `enabled: false`")
        case .notInRollout:
            .key("rollout", if: rollout.map { $0.share != .range(0..<100) } ?? false)
                .saying { situation, _ in situation.rolloutTexts(popup) }
        case .expired:
            .key("schedule.until", of: timing.boundsText(\.until, in: self)) {
                "its `until` was \($0)"
            }
        case .lifetimeCap:
            .key("cap.lifetime", of: caps.lifetime) { "`cap.lifetime` is \($0)" }.saying(
                impressions)
        case .closedTooOften:
            .key("cap.closes", of: caps.closesText(in: self)) { $0 }
                .saying { situation, _ in situation.closingTexts(popup.id) }.saying(values)
        case .goalReached:
            .key("goals.ends", if: popup.goals.contains { $0.ends != nil })
                .saying { situation, _ in situation.goalTexts(popup) }
        case .heldOut:
            .given(if: holdout != nil && !popup.isEssential)
                .saying { situation, _ in situation.holdoutTexts }
        case .triggerFiltered: .key("trigger.where", if: popup.hasFilter)
        case .triggerCounting:
            .key("trigger.\(popup.countingKey ?? "")", if: popup.countingKey != nil)
                .saying { $0.occurrenceTexts(popup, explanation: $1) }
        case .notTriggered: .none.saying { $0.endingTexts(popup, explanation: $1) }
        case .discardedUntriggered:
            .key("untriggered", if: popup.untriggered == .discard)
                .saying("its rule sets `untriggered: discard`").saying(obstacle)
        case .waitedTooLong:
            .key("max_wait", of: timing.maxWait) { "its `max_wait` is \(timeText($0))" }
                .saying(obstacle)
        case .queueFull:
            .given(by: lane.maxWaiting) { "`max_waiting` of `\(lane.name)` is \($0)" }
        case .control:
            .key(
                "experiment.control",
                if: popup.experiment.map { $0.assignment.control > 0 } ?? false
            )
            .saying { situation, _ in situation.experimentTexts(popup) }
        case .presentationFailed: .none.saying { situation, _ in situation.failureTexts(popup) }
        case .preempted:
            .key("switch", if: lane.strategy == .priority && popup.switch != .await)
                .saying("its rule sets `switch: \(popup.switch.rawValue)`")
        case .timedOut:
            .key("hide_after", of: timing.hideAfter) { "its `hide_after` is \(timeText($0))" }
        case .dismissCondition:
            .key("dismiss_when", of: popup.dismissWhen?.program.expression.description) {
                "its `dismiss_when` is `\(bounded($0))`"
            }
        case .userClosed: .given(if: true)
        case .acted: .given(if: !actions(of: popup).isEmpty)
        // Their meaning needs no details.
        case .background, .postponed, .conditionError, .dismissedBeforeShown, .removedByReload,
            .cancelled,
            .dismissed, .disappeared, .removed, .userSwitched:
            .none
        }
    }

    /// Returns the quiet hours of a popup; nil if it has none.
    private func quietText(of popup: PopupRule) -> String? {
        guard let quiet, !popup.isEssential,
            quiet.popups.includes(popup.scheduler, tags: popup.texts.tags)
        else { return nil }
        let hours = Schedule(hours: quiet.hours).hoursText(zone: quiet.zone.text(in: self))
        return hours.map { "it is blocked \($0): the `quiet` hours" }
    }

    /// Returns the entries of `limits` that count a popup, as a sentence; nil if no entry counts
    /// it.
    private func limitsText(on popup: PopupRule) -> String? {
        let limits = limits.filter { $0.popups.includes(popup.scheduler, tags: popup.texts.tags) }
        if limits.isEmpty { return nil }
        let texts = limits.map { $0.cap.text(in: self) + selectionText($0.popups) }
        return "`limits` allow at most \(texts.joined(separator: ", and at most "))"
    }

    /// Returns the selection, such as ` for popups tagged promo on main`.
    private func selectionText(_ popups: PopupSelection) -> String {
        let lanes = popups.schedulers.map { schedulers[$0].name }.joined(separator: " or ")
        if popups.tags.isEmpty, lanes.isEmpty { return " for all popups together" }
        let tags = popups.tags.joined(separator: " or ")
        return " for popups" + (tags.isEmpty ? "" : " tagged \(tags)")
            + (lanes.isEmpty ? "" : " on \(lanes)")
    }

    /// Returns true if another popup uses the same scheduler, and so may occupy its screen.
    private func hasCompany(_ popup: PopupRule) -> Bool {
        popups.indices.contains {
            popups[$0].scheduler == popup.scheduler && popups[$0].id != popup.id
        }
    }
}

extension ReasonDetails {
    fileprivate static var none: Self { Self(isGiven: false) }

    /// Returns grounds that a key causes, if the popup sets it.
    fileprivate static func key(_ key: String, if isAsked: Bool) -> Self {
        Self(key: isAsked ? key : nil, isGiven: isAsked)
    }

    /// Returns grounds that a key with a value causes, with a detail about the value.
    fileprivate static func key<Value>(
        _ name: String, of value: Value?, text: (Value) -> String
    ) -> Self {
        key(name, if: value != nil).saying(value.map { [text($0)] } ?? [])
    }

    /// Returns grounds with a cause other than a key of the popup or its group, such as its
    /// scheduler.
    fileprivate static func given(if isGiven: Bool) -> Self { Self(isGiven: isGiven) }

    fileprivate static func given<Value>(by value: Value?, text: (Value) -> String) -> Self {
        given(if: value != nil).saying(value.map { [text($0)] } ?? [])
    }

    fileprivate static func saying(_ text: String) -> Self { none.saying(text) }

    fileprivate func saying(_ text: String) -> Self { saying([text]) }

    fileprivate func saying(_ texts: [String]) -> Self { saying { _, _ in texts } }

    /// Returns the same grounds with more details at the end.
    fileprivate func saying(_ more: @escaping Words) -> Self {
        var grounds = self
        grounds.words = { [words] in words($0, $1) + more($0, $1) }
        return grounds
    }
}
