internal import PopAnalysis
internal import PopCEL
internal import PopExplanations
internal import PopLogic
internal import PopReplay
internal import PopScheduler

extension Simulation {
    /// Records the conditions and behaviors that an input made the scheduler look at.
    mutating func cover(_ event: Event) {
        guard var coverage, hasFirstRules else { return }
        self.coverage = nil
        defer { self.coverage = coverage }
        if case .send(let name, let payload) = event {
            coverWhere(name, payload: payload, in: &coverage)
        }
        let reasons = scheduler.waitingReasons(at: now)
        var conditions: [Condition] = []
        for (id, reason) in reasons {
            guard let popup = popup(id) else { continue }
            coverage.saw(reason, of: popup)
            let looked = conditionsLooked(at: popup, reason)
            if !looked.isEmpty { coverAudience(of: popup, in: &coverage) }
            if popup.dismissWhen == nil {
                conditions += looked
            } else {
                cover(looked, in: &coverage, supposing: Supposition(popup: id))
            }
        }
        coverTiming(besides: reasons, &coverage)
        for id in scheduler.showing.values {
            guard let condition = popup(id)?.dismissWhen else { continue }
            cover([condition], in: &coverage, supposing: Supposition(popup: id))
        }
        cover(conditions, in: &coverage)
        chargeCoverage(of: reasons.count, work: coverage.work)
    }

    /// Records which popups `grace` keeps off the screen, and which `min_show` keeps on it.
    ///
    /// `reasons` contains the popups that wait and aren't chosen.
    private func coverTiming(besides reasons: [String: ReasonCode], _ coverage: inout Coverage) {
        for popup in rules.popups where popup.timing.grace > .zero || popup.timing.minShow > .zero {
            guard reasons[popup.id] == nil, !scheduler.isAbsent(popup.id),
                let explanation = scheduler.explain(popup.id, at: now)
            else { continue }
            if explanation.state == .chosen || explanation.isSettling {
                coverage.saw(.settling, of: popup)
            }
            if explanation.leaving != nil { coverage.saw(.kept, of: popup) }
        }
    }

    /// Records an event in the life of a popup.
    mutating func cover(_ event: HostEvent) {
        guard coverage != nil, hasFirstRules, let popup = event.popup.flatMap({ popup($0) }) else {
            return
        }
        if let reason = event.reason { coverage?.saw(reason, of: popup) }
        switch event {
        case .willShow:
            guard var coverage else { return }
            self.coverage = nil
            coverAudience(of: popup, in: &coverage)
            cover(
                conditionsLooked(at: popup, nil), in: &coverage,
                supposing: Supposition(popup: popup.id))
            self.coverage = coverage
        case .discarded(_, .discardedUntriggered): coverDiscard(of: popup)
        case .shown: coverage?.sawShown(popup)
        case .exposed(_, let variant, _): coverage?.saw(.exposed(variant), of: popup)
        case .converted(_, let goal, _): coverage?.saw(.converted(goal), of: popup)
        // A popup that gives way may come back; then it isn't dismissed for that reason.
        case .willDismiss(_, let reason):
            coverage?.saw(reason, of: popup)
            if reason == .dismissCondition { coverDismissal(of: popup) }
        case .queued, .coalesced, .remembered, .notMade, .postponed, .acted, .requeued,
            .dismissed, .discarded, .cancelled, .failed, .conditionError, .zoneUnknown,
            .emptyPlaceholder,
            .animationTimeout, .rejected:
            break
        }
    }

    /// Records the conditions that were evaluated before a task was dropped.
    private mutating func coverDiscard(of popup: PopupRule) {
        guard var coverage, let obstacle = obstacle(to: popup.id) else { return }
        self.coverage = nil
        let looked = conditionsLooked(at: popup, obstacle)
        if !looked.isEmpty { coverAudience(of: popup, in: &coverage) }
        cover(looked, in: &coverage, supposing: Supposition(popup: popup.id))
        self.coverage = coverage
    }

    /// Records that the condition that dismisses a popup became true: the popup may be dismissed
    /// before anything else is evaluated.
    private mutating func coverDismissal(of popup: PopupRule) {
        guard var coverage, let condition = popup.dismissWhen else { return }
        self.coverage = nil
        cover([condition], in: &coverage, supposing: Supposition(popup: popup.id))
        self.coverage = coverage
    }

    /// Records the current values that the conditions of a popup's audience read.
    private func coverAudience(of popup: PopupRule, in coverage: inout Coverage) {
        let asked = popup.demand(in: rules).conditions
        let used = asked.flatMap { rules.conditions(usedBy: $0) }
        let programs = asked + used.map { rules.conditions[$0].condition.program }
        let values = scheduler.slotValues(
            Set(programs.flatMap(\.slots)).sorted(), at: now,
            supposing: Supposition(popup: popup.id))
        var moment: AudienceTrials.Moment = [:]
        for (slot, entry) in programs.flatMap(\.slotEntries) {
            if case .value(let value) = values[slot] { moment[entry] = value }
        }
        if !programs.isEmpty { coverage.saw(moment, for: popup) }
    }

    private func popup(_ id: String) -> PopupRule? { place(of: id).map { rules.popups[$0] } }

    /// Returns the conditions of a popup that are evaluated before the reason is known; all of them
    /// if there is no reason.
    private func conditionsLooked(at popup: PopupRule, _ reason: ReasonCode?) -> [Condition] {
        let group = popup.group.flatMap { rules.groups[$0].when }
        let before = popup.timing.schedule.compactMap(\.when) + [group].compactMap { $0 }
        return switch reason?.kind {
        case .capped, .condition(.groupWhen): before
        case .condition(.when): before + [popup.when].compactMap { $0 }
        case .condition(.dismissWhen), .ready, nil:
            before + [popup.when, popup.dismissWhen].compactMap { $0 }
        case .barred, .condition(.scheduleWhen): popup.timing.schedule.compactMap(\.when)
        case .held, .condition(.where), .condition(.goalWhere), .absent, .ruledOut, .endedUnseen,
            .ended:
            []
        }
    }

    private func coverWhere(
        _ event: String, payload: [String: Value], in coverage: inout Coverage
    ) {
        var conditions: [Condition] = []
        for popup in rules.popups {
            conditions += popup.eventConditions.filter { rules.events[$0.event].name == event }
                .map(\.condition)
        }
        cover(conditions, in: &coverage, supposing: Supposition(event: event, payload: payload))
    }

    private func cover(
        _ conditions: [Condition], in coverage: inout Coverage,
        supposing supposition: Supposition = Supposition()
    ) {
        guard !conditions.isEmpty else { return }
        let slots = Set(conditions.flatMap(\.program.slots)).sorted()
        let values = scheduler.slotValues(slots, at: now, supposing: supposition)
        for condition in conditions {
            coverage.sawEvaluation(of: condition, with: values, in: rules)
        }
    }
}
