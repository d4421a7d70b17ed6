package import PopScheduler

/// Something that a popup does because a key of its rule says so.
package struct Behaviour: Sendable, Hashable {
    /// As it is written: `cap.lifetime`.
    package var key: String
    package var sight: Sight

    /// What it is seen by.
    package enum Sight: Sendable, Hashable {
        case reason(ReasonCode)
        /// The popup is chosen and not on the screen yet.
        case settling
        /// The popup is asked to go and stays.
        case kept

        var text: String {
            switch self {
            case .reason(let code): code.rawValue
            case .settling: "chosen, not on the screen yet"
            case .kept: "asked to go, stays"
            }
        }
    }
}

extension RuleSet {
    /// What a popup's rule asks for, in the order of the reason codes' evaluation.
    package func behaviours(of popup: PopupRule) -> [Behaviour] {
        let lane = schedulers[popup.scheduler]
        let group = popup.group.map { groups[$0] }
        let switches = lane.strategy == .priority && popup.switch != .await
        let table: [(isAsked: Bool, key: String, reason: ReasonCode)] = [
            (!popup.isEnabled, "enabled", .disabled),
            (popup.audience.rollout.map { $0.percent < 100 } ?? false, "rollout", .notInRollout),
            (popup.hasFilter, "trigger.where", .triggerFiltered),
            (popup.counts, "trigger.\(popup.countingKey)", .triggerCounting),
            (popup.timing.delay > .zero, "delay", .delayed),
            (popup.timing.schedule?.from != nil, "schedule.from", .beforeStart),
            (popup.timing.schedule?.until != nil, "schedule.until", .expired),
            (popup.timing.schedule?.hasHours ?? false, "schedule.hours", .outsideHours),
            (!popup.after.isEmpty, "after", .awaitingPredecessor),
            (group?.when != nil, "group.when", .groupConditionFalse),
            (group?.cap != nil, "group.cap", .groupCap),
            (popup.caps.lifetime != nil, "cap.lifetime", .lifetimeCap),
            (popup.caps.perSession != nil, "cap.per_session", .sessionCap),
            (popup.caps.every != nil, "cap.every", .cooldown),
            (!popup.caps.windows.isEmpty, "cap.windows", .periodCap),
            (popup.when != nil, "when", .conditionFalse),
            (popup.untriggered == .discard, "untriggered", .discardedUntriggered),
            (popup.timing.maxWait != nil, "max_wait", .waitedTooLong),
            (switches, "switch", .preempted),
            (popup.timing.hideAfter != nil, "hide_after", .timedOut),
            (popup.dismissWhen != nil, "dismiss_when", .dismissCondition),
        ]
        let coded = table.filter(\.isAsked).map {
            Behaviour(key: $0.key, sight: .reason($0.reason))
        }
        let others: [(isAsked: Bool, key: String, sight: Behaviour.Sight)] = [
            (popup.timing.grace > .zero, "grace", .settling),
            (popup.timing.minShow > .zero, "min_show", .kept),
        ]
        return coded
            + others.filter(\.isAsked).map { Behaviour(key: $0.key, sight: $0.sight) }
    }

    /// The reason codes that these rules give by themselves, and the closing of a popup by a
    /// person.
    package var ownReasonCodes: [ReasonCode] {
        var codes: Set<ReasonCode> = [.userClosed]
        for popup in popups { codes.formUnion(behaviours(of: popup).compactMap(\.reason)) }
        for index in schedulers.places {
            let lane = schedulers[index]
            let count = popups.count { $0.scheduler == index }
            if count > 1 { codes.insert(.slotBusy) }
            if lane.gap.upperBound > .zero, count > 0 { codes.insert(.inGap) }
            if lane.maxWaiting != nil { codes.insert(.queueFull) }
            if lane.cap != nil { codes.insert(.schedulerCap) }
        }
        return ReasonCode.allCases.filter(codes.contains)
    }
}

extension Behaviour {
    fileprivate var reason: ReasonCode? {
        if case .reason(let code) = sight { code } else { nil }
    }
}

extension PopupRule {
    fileprivate var hasFilter: Bool {
        triggers.contains {
            if case .event(let trigger) = $0 { trigger.where != nil } else { false }
        }
    }

    /// Whether a trigger has `nth` or `every`.
    fileprivate var counts: Bool { occurrences.contains { $0 != .any } }

    /// The key that the first such trigger has.
    fileprivate var countingKey: String {
        if case .nth? = occurrences.first(where: { $0 != .any }) { "nth" } else { "every" }
    }

    private var occurrences: [EventTrigger.Occurrence] {
        triggers.compactMap {
            if case .event(let trigger) = $0 { trigger.occurrence } else { nil }
        }
    }
}

extension Schedule {
    fileprivate var hasHours: Bool { days != nil || hours != nil }
}
