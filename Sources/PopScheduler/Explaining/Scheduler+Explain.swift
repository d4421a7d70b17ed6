internal import PopCEL

extension Scheduler {
    /// Explains why a popup shows, waits or is absent; nil if there is no popup with that id.
    ///
    /// Computed on each call; nothing is changed. Linear in the popups.
    public func explain(_ id: String, at now: Moment) -> PopupExplanation? {
        var copy = at(now)
        guard let popup = catalog.place(of: id), queues.tasks[popup] != nil else {
            return copy.explain(id, places: [:])
        }
        return copy.explain(id, places: [popup: copy.place(of: popup)])
    }

    /// Explains several popups; ids without a popup are left out. Linear in the existing popups and
    /// in the given ids.
    public func explanations(of ids: [String], at now: Moment) -> [PopupExplanation] {
        explanations(of: ids, at: now) { _ in true }
    }

    /// Explains several popups; for some of them, the parts of the deciding condition are left out.
    package func explanations(
        of ids: [String], at now: Moment, withConditionsOf hasCondition: (String) -> Bool
    ) -> [PopupExplanation] {
        var copy = at(now)
        var places: [PopupIndex: Int] = [:]
        for lane in lanes.indices {
            for (place, popup) in queue(lane).enumerated() { places[popup] = place + 1 }
        }
        return ids.compactMap {
            copy.explain($0, places: places, hasCondition: hasCondition($0))
        }
    }

    /// Returns why each waiting popup waits, by its id; a chosen popup isn't included. Linear in
    /// the popups.
    public func waitingReasons(at now: Moment) -> [String: ReasonCode] {
        var copy = at(now)
        var reasons: [String: ReasonCode] = [:]
        for popup in queues.tasks.indices where queues.tasks.isWaiting(popup) {
            let lane = catalog.traits[popup].lane
            reasons[catalog.popups[popup].id] =
                lanes[lane].holding
                ?? copy.judge(popup, task: queues.tasks.claim(of: popup)).reason
                ?? copy.reasonToWait(lane)
        }
        return reasons
    }

    /// Returns a copy of the scheduler at a later time, without any event in between.
    private func at(_ now: Moment) -> Scheduler {
        var copy = self
        copy.now = Moment(instant: max(self.now.instant, now.instant), date: now.date)
        copy.conditions.setNow(now.date)
        if now.date < self.now.date { copy.conditions.calendarWentBack() }
        return copy
    }

    /// Returns only the reason code of a popup; nil if the popup is chosen, on screen or doesn't
    /// exist.
    public func reason(_ id: String, at now: Moment) -> ReasonCode? {
        var copy = at(now)
        // The position in the queue isn't computed: that takes time in proportion to the tasks.
        return copy.explain(id, places: [:], hasCondition: false)?.reason
    }

    /// Explains a popup without its position in the queue, which takes time for each task.
    package func outlined(_ id: String, at now: Moment) -> PopupExplanation? {
        var copy = at(now)
        return copy.explain(id, places: [:])
    }

    /// Returns the rule of a popup; nil if the rules have no popup with that id.
    package func rule(of id: String) -> PopupRule? {
        guard !catalog.isForeign(id) else { return nil }
        return catalog.place(of: id).map { catalog.rules.popups[$0] }
    }

    /// Returns only the state of a popup; nil if the popup doesn't exist.
    package func state(of id: String, at now: Moment) -> PopupExplanation.State? {
        var copy = at(now)
        return copy.explain(id, places: [:], hasCondition: false)?.state
    }

    /// Explains a popup. `places` contains the positions of popups in their queues, from 1. Without
    /// `hasCondition`, the deciding condition isn't explained part by part.
    private mutating func explain(
        _ id: String, places: [PopupIndex: Int], hasCondition: Bool = true
    ) -> PopupExplanation? {
        if let lane = lanes.showing(id), let occupant = lanes[lane].screen.occupant {
            return explanation(of: occupant, lane)
        }
        guard let popup = catalog.place(of: id) else { return nil }
        var explanation = outline(catalog.popups[popup], in: catalog.popups[popup].scheduler)
        if let task = queues.tasks[popup] {
            explanation.position = places[popup]
            explain(popup, task: task, hasCondition: hasCondition, into: &explanation)
        } else {
            explainAbsence(popup, hasCondition: hasCondition, into: &explanation)
        }
        return explanation
    }

    private func explainAbsence(
        _ popup: PopupIndex, hasCondition: Bool, into explanation: inout PopupExplanation
    ) {
        let rule = catalog.popups[popup]
        if let reason = reasonAgainst(popup) {
            explanation.state = .absent(reason)
        } else if let filtered = outcomes.filter(of: rule.id) {
            explanation.state = .absent(filtered.reason)
            explanation.isFormer =
                filtered.reason == .notInRollout || filtered.reason == .heldOut
            explanation.filter = filtered.event?.filter
            guard let event = filtered.event, let program = event.program else { return }
            explanation.role = .where
            guard hasCondition else { return }
            explanation.condition = conditions.explanation(of: program, reading: event.values)
        } else {
            explanation.state = .absent(.notTriggered)
        }
    }

    private func outline(_ rule: PopupRule, in lane: LaneIndex) -> PopupExplanation {
        PopupExplanation(
            popup: rule.id, state: .absent(.notTriggered),
            range: !catalog.isForeign(rule.id) ? rule.range : nil, scheduler: lanes[lane].rule.name,
            waiting: queues.waitingCount(lane) + (lanes[lane].chosen == nil ? 0 : 1),
            occupant: lanes[lane].screen.occupant?.popup.id
                ?? lanes[lane].chosen.map { catalog.popups[$0.popup].id },
            lastEnding: outcomes.ending(of: rule.id), obstacle: obstacle(of: rule.id))
    }

    private func explanation(of occupant: Screen.Occupant, _ lane: LaneIndex) -> PopupExplanation {
        var explanation = outline(occupant.popup, in: lane)
        explanation.task = occupant.presentation.task
        switch occupant.phase {
        case .presenting: explanation.state = .presenting
        case .showing:
            explanation.state = .showing
            explanation.leaving = occupant.leaving?.reason
            let end = occupant.leaving == nil ? occupant.goesByItself : occupant.minShowEnds
            if !lanes[lane].isAway {
                explanation.until = end.map { now.date.advanced(by: $0 - now.instant) }
            }
        case .dismissing:
            explanation.state = .dismissing(occupant.leaving?.reason ?? .dismissed)
        }
        return explanation
    }

    private mutating func explain(
        _ popup: PopupIndex, task: LiveTask, hasCondition: Bool,
        into explanation: inout PopupExplanation
    ) {
        let lane = catalog.popups[popup].scheduler
        explanation.task = taskID(popup)
        if let chosen = lanes[lane].chosen, chosen.popup == popup {
            // A popup that settles while another shows, or in the gap, only has a place.
            explanation.isSettling = chosen.isSettling
            let reason = reasonToWait(lane)
            let waits = chosen.isSettling && reason != .outranked
            explanation.state = waits ? .waiting(reason) : .chosen
            return
        }
        if let reason = lanes[lane].holding {
            explanation.state = .waiting(reason)
            return
        }
        let verdict = judge(popup, task: task.claim)
        explanation.state = .waiting(verdict.reason ?? reasonToWait(lane))
        if verdict.reason == .awaitingPredecessor {
            explanation.awaited = catalog.popups[popup].after
                .filter { end(of: $0).map { $0 > now.date } ?? true }
                .map { catalog.popups[$0.popup].id }
        }
        if let reason = verdict.reason {
            let first = date(of: verdict.obstacleEnds)
            // A condition is evaluated again only at that date.
            explanation.until =
                reason.role != nil
                ? first : first.flatMap { end(of: reason, from: $0, for: popup, task: task.claim) }
        }
        if hasCondition { addCondition(popup, verdict: verdict, into: &explanation) }
    }

    /// Returns the date at which a reason no longer blocks a popup, if only time passes.
    ///
    /// When the first obstacle ends, another one may remain for the same reason, such as the next
    /// of several caps or another day. Nil if the end isn't found, or if the popup's schedule is
    /// over by then.
    private func end(
        of reason: ReasonCode, from first: Timestamp, for popup: PopupIndex, task: LiveTask.Claim
    ) -> Timestamp? {
        var end = first
        for _ in 0..<Self.mostEnds {
            var later = at(now.advanced(by: end.duration(since: now.date)))
            if later.isExpired(popup) { return nil }
            let verdict = later.judge(popup, task: task)
            guard verdict.reason == reason else { return end }
            guard let next = later.date(of: verdict.obstacleEnds), next > end else { return nil }
            end = next
        }
        return nil
    }

    /// The maximum number of obstacles of one kind that are followed to their end.
    private static let mostEnds = 64

    func reasonToWait(_ lane: LaneIndex) -> ReasonCode {
        if lanes[lane].screen.occupant != nil { return .slotBusy }
        if let ends = lanes[lane].gapEnds, ends > visibleNow { return .inGap }
        return .outranked
    }

    private mutating func addCondition(
        _ popup: PopupIndex, verdict: Verdict, into explanation: inout PopupExplanation
    ) {
        if verdict.reason == .dismissCondition || verdict.reason == .groupConditionFalse {
            explanation.role = verdict.reason?.role
        } else if verdict.when != nil {
            explanation.role = .when
        } else if verdict.scheduleCondition != nil {
            explanation.role = .scheduleWhen
        }
        let decisive =
            verdict.scheduleCondition
            ?? explanation.role.flatMap { condition(of: popup, role: $0) }
        explanation.condition = decisive.map {
            conditions.explanation(of: $0.program, events: memory.history.events)
        }
    }

    func date(of deadline: Deadline) -> Timestamp? {
        earlier(deadline.date, deadline.instant.map { now.date.advanced(by: $0 - now.instant) })
    }

    func instant(of date: Timestamp) -> Duration {
        now.instant + max(date.duration(since: now.date), .zero)
    }
}
