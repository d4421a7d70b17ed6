import PopCEL
import PopScheduler

extension Model {
    func apply(_ event: Event) {
        switch event {
        case .started:
            let isFirst = !hasStarted
            hasStarted = true
            reportZones()
            countSession()
            fire(isFirst ? [.start, .session] : [.start])
        case .update(let values, let unset): update(values, unset)
        case .send(let name, let payload): send(name, payload)
        case .enqueue(let id):
            guard let rule = popup(id) else { return emit(.rejected(.unknownPopup(id))) }
            fire(rule)
        case .force(let id): force(id)
        case .dismiss(let id): end(id, .dismissed, waiting: .dismissedBeforeShown)
        case .remove(let id): end(id, .removed, waiting: .removed, isImmediate: true)
        case .removeAll:
            for lane in lanes.indices {
                dropAll(lane, .removed)
                forgetTrigger(lane, .removed)
                leave(lane, .dismissed)
            }
        case .suspend(let owner, let scheduler):
            suspensions.insert(Suspension(by: owner, scheduler: scheduler))
        case .resume(let owner, let scheduler):
            suspensions.remove(Suspension(by: owner, scheduler: scheduler))
        case .switchUser(let user, let history, _): switchUser(user, history)
        case .reload(let rules, _): reload(rules)
        case .answered(let id, let answer): answered(id, answer)
        case .didPresent(let id):
            guard let lane = lane(of: id) else { return }
            lanes[lane].holder?.isConfirmed = true
            becomeVisible(lane)
        case .presentFailed(let id, let message): failed(id, message)
        case .didDismiss(let id):
            guard let lane = lane(of: id), case .dismissing = lanes[lane].holder?.phase else {
                return
            }
            finish(lane)
        case .userClosed(let id): userClosed(id)
        case .acted(let id, let action, let stays): acted(id, action, stays: stays)
        case .didDisappear(let id): didDisappear(id)
        case .zoneChanged(let zone): hostZone = zone
        case .forceArm(let id, let arm): force(arm, of: id)
        case .background: background()
        case .foreground: foreground()
        case .beginSession: beginSession()
        case .forgetPopup(let id): forgetPopup(id)
        case .poke, .timePassed, .enqueueForeign, .setForeign, .forget, .historyChanged: break
        }
    }

    // MARK: Triggers

    /// `refusal` is why no trigger let the event pass.
    func fire(_ rule: PopupRule, refusal: ReasonCode? = nil) {
        if let live = live(rule.id) {
            if let refusal { return emit(.notMade(popup: rule.id, refusal)) }
            emit(remember(rule.id) ? .remembered(live) : .coalesced(live))
        } else if let reason = reasonAgainst(rule) ?? refusal {
            emit(.notMade(popup: rule.id, reason))
        } else {
            taskCount += 1
            let lane = lanes[rule.scheduler].rule.name
            let id = TaskID(popup: rule.id, scheduler: lane, number: taskCount)
            let draw = nextDraw("delay", of: rule.id, bounds: rule.timing.delay)
            lanes[rule.scheduler].waiting.append(
                Task(id: id, made: now.instant, delayDraw: draw))
            emit(.queued(id))
        }
    }

    /// Remembers a trigger, and returns true, if a popup is leaving permanently and nothing has
    /// requested it since.
    private func remember(_ id: String) -> Bool {
        guard let lane = lane(showing: id), let holder = lanes[lane].holder,
            let leaving = holder.leaving, !leaving.requeues, !leaving.isSwitch,
            !holder.isAskedAgain
        else { return false }
        lanes[lane].holder?.isAskedAgain = true
        see(.askedForWhileItLeaves)
        return true
    }

    /// After a popup has left a screen, tries the trigger that fired while it was leaving.
    func tryAgain(after holder: Holder) {
        guard holder.isAskedAgain else { return }
        guard let rule = popup(holder.rule.id) else {
            return emit(.notMade(popup: holder.rule.id, .removedByReload))
        }
        if holder.leaving?.isSwitch == true {
            return emit(.notMade(popup: rule.id, .preempted))
        }
        fire(rule)
    }

    private func forgetTrigger(_ lane: LaneIndex, _ reason: ReasonCode) {
        guard let holder = lanes[lane].holder, holder.isAskedAgain else { return }
        lanes[lane].holder?.isAskedAgain = false
        emit(.notMade(popup: holder.rule.id, reason))
    }

    private func live(_ id: String) -> TaskID? {
        for lane in lanes {
            if let task = lane.waiting.first(where: { $0.id.popup == id }) { return task.id }
            if let next = lane.next, next.task.id.popup == id { return next.task.id }
            if let holder = lane.holder, holder.rule.id == id, !holder.isDetached {
                return holder.task.id
            }
        }
        return nil
    }

    private func update(_ values: [String: Value], _ unset: [String]) {
        let before = TypedArray<KeyIndex, Value?>(rules.keys.places.map { value(ofKey: $0) })
        for (name, value) in values { context[name] = value }
        for name in unset where values[name] == nil { context[name] = nil }
        guard hasStarted else { return }
        let changed = Set(rules.keys.places.filter { value(ofKey: $0) != before[$0] })
        if changed.contains(4) { reportZones() }
        for rule in rules.popups
        where rule.triggers.contains(where: { $0.changedKey.map(changed.contains) ?? false }) {
            fire(rule)
        }
    }

    private func send(_ name: String, _ values: [String: Value]) {
        guard let event = rules.events.firstPlace(where: { $0.name == name }) else { return }
        var amounts: [String: Value] = [:]
        for case .eventSum(let asked) in rules.slots where asked.event == name {
            amounts[asked.field] = values[asked.field]
        }
        record(.event(name: name, date: now.date, amounts: amounts))
        payload = (event, values)
        convert(event)
        for rule in rules.popups {
            let triggers = rule.triggers.compactMap(\.onEvent).filter { $0.event == event }
            guard !triggers.isEmpty else { continue }
            let refusals = triggers.enumerated().map { refusal(by: $1, place: $0, rule) }
            if refusals.contains(nil) {
                fire(rule)
            } else {
                let counts = refusals.contains(.triggerCounting)
                fire(rule, refusal: counts ? .triggerCounting : .triggerFiltered)
            }
        }
        payload = nil
    }

    private func refusal(
        by trigger: EventTrigger, place: Int, _ rule: PopupRule
    ) -> ReasonCode? {
        let name = rules.events[trigger.event].name
        var count = history.events[name]?.count ?? 0
        if let condition = trigger.where {
            let truth = truth(condition)
            if case .error(let error) = truth {
                emit(.conditionError(popup: rule.id, .where, error))
            }
            guard truth == .yes else { return .triggerFiltered }
            if trigger.occurrence != .any {
                let counter = "\(rule.id)/\(name)/\(place)"
                count = (history.occurrences[counter] ?? 0) + 1
                record(.occurrence(trigger: counter, count: count))
            }
        }
        switch trigger.occurrence {
        case .any: return nil
        case .nth(let number): return count == number ? nil : .triggerCounting
        case .every(let number): return count % number == 0 ? nil : .triggerCounting
        }
    }

    // MARK: Ending

    func leave(_ lane: LaneIndex, _ reason: ReasonCode, isImmediate: Bool = false) {
        guard let holder = lanes[lane].holder else { return }
        var leaving = Leaving(reason: reason, isImmediate: isImmediate)
        if case .dismissing = holder.phase {
            leaving.isSwitch = holder.leaving?.isSwitch ?? false
            if holder.leaving?.requeues == true { lanes[lane].holder?.leaving = leaving }
            return
        }
        if let pending = holder.leaving, pending.isImmediate || !isImmediate { return }
        lanes[lane].holder?.leaving = leaving
        _ = tick(lane)
    }

    func lane(showing id: String) -> LaneIndex? {
        lanes.firstIndex { lane in
            lane.holder.map { !$0.isDetached && $0.rule.id == id } ?? false
        }
    }

    private func end(
        _ id: String, _ reason: ReasonCode, waiting: ReasonCode, isImmediate: Bool = false
    ) {
        if let lane = lane(showing: id) {
            forgetTrigger(lane, waiting)
            return leave(lane, reason, isImmediate: isImmediate)
        }
        endOffScreen(id, reason, waiting: waiting)
    }

    func endOffScreen(_ id: String, _ reason: ReasonCode, waiting: ReasonCode) {
        for lane in lanes.indices {
            if let task = lanes[lane].next?.task, task.id.popup == id {
                dropNext(lane, task.wasShown ? reason : waiting)
            }
            for task in lanes[lane].waiting where task.id.popup == id {
                drop(lane, task, task.wasShown ? reason : waiting)
            }
        }
    }

    private func dropAll(_ lane: LaneIndex, _ reason: ReasonCode) {
        dropNext(lane, reason)
        for task in queue(lane) { drop(lane, task, reason) }
    }

    private func didDisappear(_ id: String) {
        let any = lanes.firstIndex { $0.holder?.rule.id == id }
        guard let lane = lane(showing: id) ?? any else { return }
        if lanes[lane].holder?.leaving == nil {
            lanes[lane].holder?.leaving = Leaving(reason: .disappeared)
        }
        // A popup that disappeared from the screen was on it.
        makeImpression(lane)
        finish(lane)
    }

    // MARK: Replies

    private func lane(of id: PresentationID) -> LaneIndex? {
        lanes.firstIndex { lane in
            lane.holder.map { $0.task.id == id.task && $0.task.turn == id.turn } ?? false
        }
    }

    private func answered(_ id: PresentationID, _ answer: WillShowAnswer) {
        let asked = lanes.firstIndex { lane in
            guard let next = lane.next, case .asked = next.phase else { return false }
            return next.task.id == id.task && next.task.turn == id.turn
        }
        guard let lane = asked else { return }
        if answer == .show {
            lanes[lane].next?.phase = .allowed(since: now.date)
            return
        }
        guard var task = takeNext(lane) else { return }
        let better = queue(lane).first.map { order(lane, $0) < order(lane, task) }
        see(.noOfHostWithBetterWaiting, when: better == true)
        if case .postpone(let duration) = answer {
            task.postponedUntil = now.instant + duration
            lanes[lane].waiting.append(task)
            emit(.postponed(id.task, by: duration))
        } else {
            emit(.cancelled(id.task))
        }
    }

    private func failed(_ id: PresentationID, _ message: String) {
        guard let lane = lane(of: id), var holder = lanes[lane].holder, !holder.isConfirmed else {
            return
        }
        if case .dismissing = holder.phase { return }
        lanes[lane].holder = nil
        if let date = holder.reserved {
            record(
                .reservationTakenBack(
                    popup: holder.rule.id, date: date, isExposed: holder.task.isExposed),
                user: holder.user)
        }
        if let date = holder.impression {
            if holder.session == session {
                sessionCounts[holder.user, default: [:]][holder.rule.id, default: 1] -= 1
                if holder.task.isExposed {
                    unseenCounts[holder.user, default: [:]][holder.rule.id, default: 0] += 1
                }
            }
            record(
                .impressionTakenBack(
                    popup: holder.rule.id, date: date, isExposed: holder.task.isExposed),
                user: holder.user)
        }
        takeBack(&holder.task, user: holder.user)
        emit(.failed(id.task, message: message))
        tryAgain(after: holder)
    }

    // MARK: Users and rules

    private func switchUser(_ user: String, _ history: History) {
        for lane in lanes.indices {
            dropAll(lane, .userSwitched)
            forgetTrigger(lane, .userSwitched)
            leave(lane, .userSwitched, isImmediate: true)
            lanes[lane].holder?.isDetached = true
        }
        if user != self.user { self.history = history }
        self.user = user
        if hasStarted { countSession() }
        reportZones()
        if hasStarted { fire([.start]) }
    }

    /// Nothing is known of a popup, but that it may be about to be visible.
    private func forgetPopup(_ id: String) {
        guard popup(id) != nil || history.popups[id] != nil else {
            return emit(.rejected(.unknownPopup(id)))
        }
        see(.forgotten, when: history.popups[id] != nil)
        history.forget(popup: id)
        sessionCounts[user]?[id] = nil
        unseenCounts[user]?[id] = nil
        for lane in lanes.indices {
            guard let holder = lanes[lane].holder, holder.rule.id == id, holder.user == user,
                let date = holder.reserved
            else { continue }
            see(.forgottenAsItComes)
            lanes[lane].holder?.task.isExposed = false
            record(.reservation(popup: id, date: date))
        }
        reload(rules)
    }

    private func reload(_ new: RuleSet) {
        let known = Set(rules.popups.map(\.id))
        var waiting: [Task] = []
        var asked: Set<TaskID> = []
        for lane in lanes.indices {
            waiting += lanes[lane].waiting
            lanes[lane].waiting = []
            if wasAsked(lane), let task = lanes[lane].next?.task { asked.insert(task.id) }
            if let task = takeNext(lane) { waiting.append(task) }
        }
        let former = lanes
        let installed = new.schedulers.map { rule in
            var lane = former.first { $0.rule.name == rule.name } ?? Lane(rule: rule)
            lane.rule = rule
            return lane
        }
        let leaving = former.filter { lane in
            lane.holder != nil && !new.schedulers.contains { $0.name == lane.rule.name }
        }
        lanes = TypedArray(installed + leaving)
        rules = new
        for lane in lanes.indices {
            guard let id = lanes[lane].holder?.rule.id, popup(id) == nil else { continue }
            lanes[lane].holder?.leaving?.requeues = false
        }
        reportZones()
        countAnew()
        for task in waiting.sorted(by: { $0.id.number < $1.id.number }) {
            if readmit(task), asked.contains(task.id) { emit(.requeued(task.id)) }
        }
        for rule in rules.popups
        where hasStarted && !known.contains(rule.id)
            && rule.triggers.contains(where: { $0.isOne(of: [.start]) })
        {
            fire(rule)
        }
    }

    /// Puts a task back into its queue if nothing rules it out; otherwise ends it. Returns true if
    /// it was put back.
    private func readmit(_ task: Task) -> Bool {
        let rule = popup(task.id.popup)
        var reason = rule == nil ? .removedByReload : rule.flatMap(reasonAgainst)
        if let rule, lanes[rule.scheduler].forced == task.id.number { reason = nil }
        if task.wasShown, reason == .lifetimeCap || reason == .closedTooOften { reason = nil }
        if let reason {
            gone(task, reason)
            return false
        }
        if let rule { lanes[rule.scheduler].waiting.append(task) }
        return true
    }
}

extension Trigger {
    var changedKey: KeyIndex? { if case .changed(let key) = self { key } else { nil } }
    var act: (popup: PopupIndex, action: String)? {
        if case .acted(let popup, let action) = self { (popup, action) } else { nil }
    }
    var onEvent: EventTrigger? { if case .event(let trigger) = self { trigger } else { nil } }
}
