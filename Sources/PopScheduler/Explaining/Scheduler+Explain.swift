public import PopCEL

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
        _ popup: PopupIndex, verdict: Eligibility, into explanation: inout PopupExplanation
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

extension Scheduler {
    /// Records why a task that is about to be dropped may not show.
    mutating func noteObstacle(of popup: PopupIndex) {
        guard let task = queues.tasks[popup], catalog.isRuled(popup) else { return }
        let lane = catalog.traits[popup].lane
        // A settling task is the best of its scheduler: only its own grace delays it.
        if lanes[lane].chosen?.popup == popup { return }
        if let reason = lanes[lane].holding {
            let obstacle = FormerObstacle(reason: reason, date: now.date)
            return outcomes.note(obstacle, of: catalog.traits[popup].id)
        }
        let verdict = judge(popup, task: task.claim)
        let reason = verdict.reason ?? reasonToWait(lane)
        var obstacle = FormerObstacle(reason: reason, date: now.date)
        if let condition = verdict.scheduleCondition {
            obstacle.role = .scheduleWhen
            obstacle.program = condition.program
        } else if let role = reason.role, role == .when || role == .groupWhen {
            obstacle.role = role
            obstacle.program = condition(of: popup, role: role)?.program
        }
        obstacle.values = obstacle.program.map(conditions.values) ?? []
        outcomes.note(obstacle, of: catalog.traits[popup].id)
    }

    /// Returns the condition of a popup in a role that counts while its task waits; nil if the
    /// popup has no such condition.
    func condition(of popup: PopupIndex, role: ConditionRole) -> Condition? {
        switch role {
        case .when: catalog.popups[popup].when
        case .groupWhen: catalog.popups[popup].group.flatMap { catalog.rules.groups[$0].when }
        case .dismissWhen: catalog.popups[popup].dismissWhen
        case .where, .goalWhere, .scheduleWhen: nil
        }
    }

    /// Returns the obstacle for which the last task of a popup was dropped; nil if no obstacle is
    /// known.
    func obstacle(of id: String) -> Obstacle? {
        guard let former = outcomes.obstacle(of: id) else { return nil }
        return Obstacle(
            reason: former.reason, date: former.date, role: former.role,
            condition: former.program.map { conditions.explanation(of: $0, reading: former.values) }
        )
    }
}

extension Scheduler {
    /// Returns the values for which caps have no room and thus block a popup for this reason; empty
    /// for a popup that doesn't belong to the rules.
    package func usedUpValues(of id: String, for reason: ReasonCode) -> [UsedUpValue] {
        guard let popup = catalog.ruledPlace(of: id) else { return [] }
        let caps = catalog.popups[popup].caps
        var counted: [UsedUpValue] = []
        if reason == .closedTooOften, let key = caps.closesPer, let most = caps.closes {
            counted.append(value(of: key, count: closings(of: popup, by: key), most: most))
        }
        for cap in caps.windows where reason == .periodCap {
            guard let key = cap.key else { continue }
            counted.append(value(of: key, dates: self.counted(of: popup, by: key), most: cap.max))
        }
        for index in catalog.sharedCaps(of: popup) where catalog.sharedCaps[index].reason == reason
        {
            let cap = catalog.sharedCaps[index].cap
            guard let key = cap.key else { continue }
            counted.append(value(of: key, dates: self.counted(index, by: key), most: cap.max))
        }
        return counted.filter { $0.count >= $0.most }
    }

    private func value(of key: KeyIndex, dates: CappedDates, most: Int) -> UsedUpValue {
        value(of: key, count: dates.inSession + dates.reserved, most: most)
    }

    private func value(of key: KeyIndex, count: Int, most: Int) -> UsedUpValue {
        UsedUpValue(
            key: catalog.rules.keys[key].name, value: conditions.value(ofKey: key), count: count,
            most: most)
    }
}

extension Scheduler {
    /// Returns the values that conditions read at a time, or would read under a supposition.
    ///
    /// All slots of the rule set are included. Named conditions and rolling counts are up to date
    /// only if they are in `slots` or those depend on them. Nothing is changed.
    public func slotValues(
        _ slots: [SlotIndex], at now: Moment, supposing supposition: Supposition = Supposition()
    ) -> SlotValues {
        var conditions = conditions
        conditions.setNow(now.date)
        var changed: [SlotIndex] = []
        for (name, value) in supposition.context {
            guard let key = catalog.triggers.keys[name] else { continue }
            conditions.set(key.index, at: key.slot, to: value)
            changed.append(key.slot)
        }
        if let event = supposition.event, let index = catalog.triggers.events[event] {
            conditions.setPayload(supposition.payload, of: index)
        }
        conditions.makeStale(changed)
        if conditions.scheduleSlot != nil {
            conditions.setScheduleOpen(
                supposition.popup.flatMap { isOpen($0, at: now, under: conditions) })
        }
        return conditions.values(with: slots, events: memory.history.events)
    }

    /// Returns true if the schedule of a popup would be open if conditions read these values; nil
    /// if there is no such popup.
    private func isOpen(_ id: String, at now: Moment, under conditions: Conditions) -> Bool? {
        guard let popup = catalog.place(of: id) else { return nil }
        var copy = self
        copy.now = now
        copy.conditions = conditions
        return copy.openings(of: catalog.popups[popup].timing.schedule).isOpen
    }
}

extension Scheduler {
    /// The id of the popup on the screen of each scheduler that shows one, by the scheduler's name.
    public var showing: [String: String] {
        var result: [String: String] = [:]
        for lane in lanes.indices {
            result[lanes[lane].rule.name] = lanes[lane].screen.occupant?.popup.id
        }
        return result
    }

    /// The ids of the popups that wait on each scheduler, in order, by the scheduler's name; a
    /// popup that is chosen and not yet on the screen comes first. Sorts the waiting tasks.
    public var waiting: [String: [String]] {
        var result: [String: [String]] = [:]
        for lane in lanes.indices {
            result[lanes[lane].rule.name] = queue(lane).map { catalog.popups[$0].id }
        }
        return result
    }

    /// The popup on the screen of each settled scheduler, by the scheduler's name; nil if the
    /// screen is free. A scheduler is settled if only time or a call can change its screen: no
    /// popup is being dismissed, and the host isn't being asked about a chosen popup.
    package var settledScreens: [String: String?] {
        var result: [String: String?] = [:]
        for lane in lanes.indices {
            if lanes[lane].chosen?.isSettling == false { continue }
            if lanes[lane].screen.occupant?.isDismissing == true { continue }
            result.updateValue(
                lanes[lane].screen.occupant?.popup.id, forKey: lanes[lane].rule.name)
        }
        return result
    }

    /// Returns true if a popup of the user is on a screen, or is being presented, and isn't being
    /// dismissed.
    package func isOnScreen(_ id: String) -> Bool {
        guard let occupant = lanes.showing(id).flatMap({ lanes[$0].screen.occupant }) else {
            return false
        }
        return !occupant.isDismissing
    }

    /// True while the app is in the background.
    package var isInBackground: Bool { lanes.indices.contains { lanes[$0].isAway } }

    /// The rules that are in force.
    package var rules: RuleSet { catalog.rules }

    /// The user whose history decides.
    package var user: String { memory.user }

    /// The seed for random durations.
    package var seed: UInt64 { draws.seed }

    /// The values of the context keys that the app has set; keys at their defaults are absent.
    package var contextValues: [String: Value] { conditions.context }

    /// The forced arms of experiments, by popup.
    package var armsForced: [String: String] { forcedArms }

    /// The time zone of the host.
    package var zone: String { hostZone }

    /// True once the event `started` was received.
    package var isStarted: Bool { hasStarted }

    /// True if no task is live.
    public var isEmpty: Bool {
        lanes.indices.allSatisfy { lane in
            !lanes[lane].isOccupied && lanes[lane].chosen == nil && queues.waitingCount(lane) == 0
        }
    }

    /// Returns true if a popup is known, doesn't wait and isn't on a screen.
    package func isAbsent(_ id: String) -> Bool {
        guard let popup = catalog.place(of: id) else { return false }
        return queues.tasks[popup] == nil && lanes.occupied(by: id) == nil
    }

    /// Returns true if a popup is known and on no screen.
    package func isOffScreen(_ id: String) -> Bool {
        catalog.place(of: id) != nil && lanes.occupied(by: id) == nil
    }

    /// Returns the rule under which a popup is on a screen, even if those rules are no longer in
    /// force; nil if the popup is on no screen.
    package func shownRule(of id: String) -> PopupRule? {
        lanes.occupied(by: id).flatMap { lanes[$0].screen.subject?.popup }
    }

    /// The suspensions in force, with their owners.
    public var suspensions: Set<Suspension> { lanes.suspensions }

    /// The names of the schedulers that are suspended.
    public var suspended: Set<String> {
        Set(lanes.indices.filter { lanes[$0].isSuspended }.map { lanes[$0].rule.name })
    }
}

// Queries of hosts about a popup that they follow.
extension Scheduler {
    /// Returns the presentation that the host was given for a popup; nil if the popup is on no
    /// screen, or is being dismissed.
    package func presentation(onScreen id: String) -> Presentation? {
        guard let lane = lanes.showing(id), let occupant = lanes[lane].screen.occupant,
            !occupant.isDismissing
        else { return nil }
        return occupant.subject.whole
    }

    /// Returns true if a popup with that id exists, even if only on a screen.
    package func knows(_ id: String) -> Bool {
        catalog.place(of: id) != nil || lanes.occupied(by: id) != nil
    }

    /// Returns if the live task of a popup was visible, and the action by which it is ending.
    package func progress(of id: String) -> (wasShown: Bool, action: String?) {
        if let lane = lanes.showing(id), let occupant = lanes[lane].screen.occupant {
            if case .presenting = occupant.phase { return (false, occupant.subject.endingAction) }
            return (true, occupant.subject.endingAction)
        }
        let task = catalog.place(of: id).flatMap { queues.tasks[$0] }
        return (task?.claim.wasShown == true, nil)
    }
}
