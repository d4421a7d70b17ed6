package import PopCEL
internal import PopSource

extension Scheduler {
    mutating func dismiss(_ id: String) {
        if let lane = lanes.showing(id) {
            forgetRemembered(on: lane, for: .dismissedBeforeShown)
            leave(lane, leaving: Screen.Leaving(reason: .dismissed))
        } else {
            endOffScreen(id) { $0.claim.wasShown ? .dismissed : .dismissedBeforeShown }
        }
    }

    mutating func remove(_ id: String) {
        if let lane = lanes.showing(id) {
            forgetRemembered(on: lane, for: .removed)
            leave(lane, leaving: Screen.Leaving(reason: .removed, isImmediate: true))
        } else {
            endOffScreen(id) { _ in .removed }
        }
    }

    private mutating func endOffScreen(_ id: String, for reason: (LiveTask) -> ReasonCode) {
        guard let popup = catalog.place(of: id) else { return reportIfUnknown(id) }
        if let task = queues.tasks[popup] { discard(popup, for: reason(task)) }
    }

    mutating func removeAll() {
        for lane in lanes.indices {
            for popup in queue(lane) { discard(popup, for: .removed) }
            forgetRemembered(on: lane, for: .removed)
            leave(lane, leaving: Screen.Leaving(reason: .dismissed))
        }
    }

    mutating func suspend(_ suspension: Suspension) {
        if !isKnown(suspension.scheduler) { return }
        lanes.suspend(suspension)
    }

    /// Lifts the suspension of the same owner, and no other; also for a scheduler that a reload has
    /// removed in the meantime.
    mutating func resume(_ suspension: Suspension) {
        if !lanes.resume(suspension) { isKnown(suspension.scheduler) }
    }

    @discardableResult
    private mutating func isKnown(_ scheduler: String?) -> Bool {
        guard let scheduler, !lanes.contains(scheduler) else { return true }
        emit(.rejected(.unknownScheduler(scheduler)))
        return false
    }

    /// Handles the host's report that the popup is off the screen, in whatever state the popup was.
    mutating func didDisappear(_ id: String) {
        guard let lane = lanes.showing(id) ?? lanes.occupied(by: id) else {
            return reportIfUnknown(id)
        }
        guard var occupant = lanes[lane].screen.occupant else { return }
        if occupant.leaving == nil {
            occupant.leaving = Screen.Leaving(reason: .disappeared)
            lanes[lane].update(occupant)
        }
        // A popup that disappeared from the screen must have been on it.
        makeImpression(lane)
        finishDismissal(lane)
    }

    /// A popup that a reload removed is still known while it leaves the screen.
    mutating func reportIfUnknown(_ id: String) {
        guard catalog.place(of: id) == nil, lanes.occupied(by: id) == nil else { return }
        emit(.rejected(.unknownPopup(id)))
    }

    /// The popups that wait on a scheduler, in order; a chosen one first.
    func queue(_ lane: LaneIndex) -> [PopupIndex] {
        let waiting = queues.tasks.indices.filter {
            queues.tasks.isWaiting($0) && catalog.traits[$0].lane == lane
        }
        .ordered { queues.tasks.order(of: $0) < queues.tasks.order(of: $1) }
        return (lanes[lane].chosen.map { [$0.popup] } ?? []) + waiting
    }

    /// Returns the position of a waiting popup in the queue of its scheduler, from 1. Linear in the
    /// popups.
    func place(of popup: PopupIndex) -> Int {
        let lane = catalog.traits[popup].lane
        if lanes[lane].chosen?.popup == popup { return 1 }
        let ahead = queues.tasks.indices.count {
            queues.tasks.isWaiting($0) && catalog.traits[$0].lane == lane
                && queues.tasks.order(of: $0) < queues.tasks.order(of: popup)
        }
        return (lanes[lane].chosen == nil ? 0 : 1) + ahead + 1
    }
}

// In the background nothing is chosen, and the time doesn't count as visible.
extension Scheduler {
    /// The instant up to which visible time has run: in the background, the instant at which the
    /// app went there.
    var visibleNow: Duration { absences.since?.instant ?? now.instant }

    mutating func background() {
        guard absences.since == nil else { return }
        absences.begin(at: now)
        lanes.goAway()
        if hasStarted { record(.sessionLeft(date: now.date)) }
    }

    mutating func foreground() {
        guard let since = absences.since else { return }
        lanes.comeBack(after: now.instant - since.instant)
        absences.end(at: now.instant)
        guard let timeout = catalog.rules.sessionTimeout else { return }
        if now.date.duration(since: since.date) >= timeout { beginSession() }
    }
}

extension Scheduler {
    /// Begins a session for all users. Linear in the popups.
    ///
    /// Before `started` there is nothing to renew: the first session begins with it.
    mutating func beginSession() {
        guard hasStarted else { return }
        memory.beginSession()
        conditions.beginSession(at: now.date)
        countSession()
        // Popups that a cap of the session blocked may show now.
        for popup in queues.tasks.indices { wake(popup) }
        fire(catalog.triggers.popups(at: [.session]))
    }

    /// Counts the session for the current user, unless that has been done.
    mutating func countSession() {
        guard memory.countSession() else { return }
        record(.session(date: now.date))
        changed(slots: conditions.refillSession(from: memory.history))
    }
}

extension Scheduler {
    /// Returns true if coming back to the foreground on a date begins a session.
    package func beginsSession(comingBackAt date: Timestamp) -> Bool {
        guard hasStarted, let since = absences.since, let timeout = catalog.rules.sessionTimeout
        else { return false }
        return date.duration(since: since.date) >= timeout
    }
}

extension Scheduler {
    /// Ends all live tasks and continues with the other user's history. The context and the
    /// suspensions stay.
    ///
    /// For the same user the history stays too: the ends of the tasks have just been added to it.
    /// Popups on a screen are dismissed as soon as they may be; each end is kept in the history of
    /// the user who saw the popup.
    mutating func switchUser(_ user: String, history: History, context: [String: Value]?) {
        endAll()
        if user != memory.user {
            memory.switchUser(user, history: history, in: catalog)
            holdReservations()
            if hasStarted { countSession() }
        }
        outcomes = Outcomes()
        let values = if let context { takeContext(context) } else { conditions.context }
        refill(context: values)
        if hasStarted { fire(catalog.triggers.popups(at: [.start])) }
    }

    private mutating func endAll() {
        for lane in lanes.indices {
            for popup in queue(lane) { discard(popup, for: .userSwitched) }
            letGo(lane)
        }
    }

    /// Returns the values that fit their keys, and values for keys that the rules don't have.
    /// Reports the others as rejected.
    private mutating func takeContext(_ values: [String: Value]) -> [String: Value] {
        var fitting = values.filter { catalog.triggers.keys[$0.key] == nil }
        for key in catalog.rules.keys {
            guard let value = values[key.name] else { continue }
            switch key.check(value) {
            case .success(let value): fitting[key.name] = value
            case .failure(let problem):
                emit(.rejected(.badValue(key: key.name, message: problem.message)))
            }
        }
        return fitting
    }

    /// Forgets a user. Popups on a screen stay there, but belong to no user whose history could
    /// record them.
    mutating func forget(_ user: String) {
        if user == memory.user { endAll() }
        for lane in lanes.indices {
            guard var occupant = lanes[lane].screen.occupant, occupant.subject.user == user else {
                continue
            }
            occupant.subject = occupant.subject.ofNobody()
            lanes[lane].update(occupant)
        }
        memory.forget(user, in: catalog)
        guard user == memory.user else { return }
        outcomes = Outcomes()
        refill(context: conditions.context)
        if hasStarted { fire(catalog.triggers.popups(at: [.start])) }
    }

    /// Replaces the history. Tasks are judged again as under other rules.
    mutating func historyChanged(_ history: History) {
        memory.replaceHistory(by: history, in: catalog)
        holdReservations()
        reload(catalog.rules, context: [:])
    }

    /// Forgets the history of a popup. Tasks are judged again as under other rules. A popup that is
    /// about to be visible keeps its place, as though its user had not been exposed.
    mutating func forgetPopup(_ id: String) {
        let popup = catalog.ruledPlace(of: id)
        let isKnown = popup != nil || memory.history[id, at: nil] != nil
        guard isKnown else { return reportIfUnknown(id) }
        memory.forgetPopup(id, in: catalog)
        for lane in lanes.indices {
            guard var occupant = lanes[lane].screen.occupant, occupant.popup.id == id,
                occupant.subject.user == memory.user, case .reserved(let date) = occupant.place
            else { continue }
            occupant.subject = occupant.subject.unexposed()
            lanes[lane].update(occupant)
            record(.reservation(popup: id, date: date), at: popup)
        }
        reload(catalog.rules, context: [:])
    }

    /// Marks the reservations of popups that are still on the screens as not left behind.
    mutating func holdReservations() {
        for lane in lanes.indices {
            guard let occupant = lanes[lane].screen.occupant, occupant.subject.user == memory.user,
                case .reserved(let date) = occupant.place
            else { continue }
            let id = occupant.popup.id
            memory.hold(
                id, reserved: date, isExposed: occupant.isExposed, at: catalog.ruledPlace(of: id))
        }
    }

    private mutating func letGo(_ lane: LaneIndex) {
        forgetRemembered(on: lane, for: .userSwitched)
        leave(lane, leaving: Screen.Leaving(reason: .userSwitched, isImmediate: true))
        guard var occupant = lanes[lane].screen.occupant else { return }
        vacate(occupant)
        occupant.isDetached = true
        lanes[lane].update(occupant)
    }

    /// Fills everything again from the rules, the context and the history.
    mutating func refill(context: [String: Value]) {
        defer { reportZones() }
        quietSpan = nil
        conditions.refill(from: catalog, history: memory.history, context: context)
        queues.forgetPosts()
        countImpressions()
        for lane in lanes.indices { lanes[lane].watchAfresh() }
    }
}

extension Scheduler {
    /// Continues with other rules: tasks keep their place and take the new definition, popups on a
    /// screen keep their own.
    mutating func reload(_ new: RuleSet, context: [String: Value]) {
        let former = catalog.rules
        let known = Set(former.popups.map { $0.id })
        keepDefinitions()
        let kept = takeTasks()
        let foreign = catalog.foreign
        let foreignIDs = Set(foreign.map { $0.rule.id })
        var values = conditions.context
        let names = TypedArray<LaneIndex, String>(lanes.rules.map { $0.name })
        install(new)
        for (rule, isTrue) in foreign {
            restore(rule, onto: names[rule.scheduler], isTrue: isTrue)
        }
        takeNewKeys(context, unknownTo: former, values: &values)
        refill(context: values)
        dropUnfitValues()
        countPlacesAnew()
        stopRequeuing()
        for former in kept { readmit(former, isForeign: foreignIDs.contains(former.id.popup)) }
        guard hasStarted else { return }
        fire(
            catalog.triggers.popups(at: [.start]).filter { !known.contains(catalog.popups[$0].id) })
    }

    /// Keeps the former rules for popups on a screen: their conditions continue to read the slots
    /// that they were compiled for, and their templates continue to define the actions of users.
    private mutating func keepDefinitions() {
        for lane in lanes.indices {
            guard var occupant = lanes[lane].screen.occupant, occupant.subject.formerRules == nil,
                occupant.popup.dismissWhen != nil || occupant.popup.template != nil
            else { continue }
            occupant.subject = occupant.subject.under(catalog.rules)
            lanes[lane].update(occupant)
        }
    }

    /// A task that continues under other rules.
    private struct FormerTask {
        let id: TaskID
        let task: LiveTask
        /// True if the host was asked about the task; it is asked again under the new rules.
        let wasAsked: Bool
    }

    /// All waiting and chosen tasks, in the order in which they were made.
    private mutating func takeTasks() -> [FormerTask] {
        var asked: Set<PopupIndex> = []
        for lane in lanes.indices {
            if let chosen = lanes[lane].chosen, !chosen.isSettling { asked.insert(chosen.popup) }
            putBack(lane)
        }
        let live = queues.tasks.indices.compactMap { popup in
            queues.tasks[popup].map {
                FormerTask(id: taskID(popup), task: $0, wasAsked: asked.contains(popup))
            }
        }
        for popup in queues.tasks.indices { detach(popup) }
        return live.ordered { $0.task.number < $1.task.number }
    }

    private mutating func install(_ new: RuleSet) {
        let former = catalog.rules.popups
        catalog = Catalog(new)
        memory.rulesChanged(from: former, to: catalog)
        holdReservations()
        outcomes.rulesChanged(to: catalog)
        lanes.rulesChanged(to: new.schedulers)
        queues.rulesChanged(popups: new.popups.count, lanes: lanes.rules)
    }

    private mutating func restore(_ rule: PopupRule, onto lane: String, isTrue: Bool) {
        guard catalog.place(of: rule.id) == nil,
            let scheduler = catalog.rules.schedulers.firstPlace(where: { $0.name == lane })
        else { return }
        var rule = rule
        rule.scheduler = scheduler
        _ = place(rule, isTrue: isTrue)
    }

    private mutating func takeNewKeys(
        _ context: [String: Value], unknownTo former: RuleSet, values: inout [String: Value]
    ) {
        let known = Set(former.keys.map { $0.name })
        for key in catalog.rules.keys where !known.contains(key.name) {
            guard let value = context[key.name] else { continue }
            switch key.check(value) {
            case .success(let fitting): values[key.name] = fitting
            case .failure(let problem):
                emit(.rejected(.badValue(key: key.name, message: problem.message)))
            }
        }
    }

    /// Unsets and reports values that the new declarations don't allow.
    private mutating func dropUnfitValues() {
        for index in catalog.rules.keys.places where conditions.isSet(index) {
            let key = catalog.rules.keys[index]
            guard let value = conditions.value(ofKey: index),
                case .failure(let problem) = key.check(value)
            else { continue }
            emit(.rejected(.badValue(key: key.name, message: problem.message)))
            conditions.unset(index)
        }
    }

    /// Keeps a switched-out task from being queued again if its popup was removed.
    private mutating func stopRequeuing() {
        for lane in lanes.indices {
            guard var occupant = lanes[lane].screen.occupant, occupant.leaving?.requeues == true,
                catalog.place(of: occupant.popup.id) == nil
            else { continue }
            occupant.leaving?.requeues = false
            lanes[lane].update(occupant)
        }
    }

    private mutating func readmit(_ former: FormerTask, isForeign: Bool) {
        let (id, wasShown) = (former.id, former.task.claim.wasShown)
        guard let popup = catalog.place(of: id.popup) else {
            return dropFormer(id, for: .removedByReload, wasShown: wasShown, isForeign: isForeign)
        }
        let lane = catalog.traits[popup].lane
        if lanes[lane].forced != former.task.number, let reason = reasonAgainst(popup),
            !(wasShown && reason.isUsedUpByShowing)
        {
            return dropFormer(id, for: reason, wasShown: wasShown, isForeign: isForeign)
        }
        admit(former.task, of: popup)
        if former.wasAsked { emit(.requeued(taskID(popup))) }
    }

    /// Ends a task that has no popup under the new rules.
    private mutating func dropFormer(
        _ task: TaskID, for reason: ReasonCode, wasShown: Bool, isForeign: Bool
    ) {
        if wasShown, !isForeign { recordDismissal(task.popup, for: reason, of: memory.user) }
        emit(.dropped(task, for: reason, wasShown: wasShown))
    }
}

extension Scheduler {
    mutating func enqueueForeign(_ popup: ForeignPopup, isTrue: Bool) {
        if catalog.isForeign(popup.id), let index = catalog.place(of: popup.id) {
            setForeign(popup.id, isTrue: isTrue)
            let wasRemembered = remembered[popup.id] != nil
            fire(index)
            if !wasRemembered, remembered[popup.id] != nil { redefine(index, as: popup) }
            return
        }
        guard catalog.place(of: popup.id) == nil, lanes.showing(popup.id) == nil else {
            return emit(.rejected(.idTaken(popup.id)))
        }
        guard let lane = catalog.rules.schedulers.firstPlace(where: { $0.name == popup.scheduler })
        else {
            return emit(.rejected(.unknownScheduler(popup.scheduler)))
        }
        guard catalog.foreignCount < limits.foreignPopups else {
            return emit(.rejected(.tooManyForeignPopups))
        }
        fire(place(popup.rule(scheduler: lane), isTrue: isTrue))
    }

    /// Redefines a hand-made popup that is leaving: it comes back as it was last enqueued.
    private mutating func redefine(_ index: PopupIndex, as popup: ForeignPopup) {
        guard let lane = catalog.rules.schedulers.firstPlace(where: { $0.name == popup.scheduler })
        else { return }
        catalog.redefine(index, as: popup.rule(scheduler: lane))
    }

    /// Returns true while a popup that the app made under this id has a task.
    package func isHandMade(_ id: String) -> Bool { catalog.isForeign(id) }

    mutating func setForeign(_ id: String, isTrue: Bool) {
        guard catalog.isForeign(id), let popup = catalog.place(of: id) else {
            return emit(.rejected(.unknownPopup(id)))
        }
        if catalog.setTruth(isTrue, of: id) { wake(popup) }
    }

    /// Gives a hand-made popup a place.
    mutating func place(_ rule: PopupRule, isTrue: Bool) -> PopupIndex {
        let popup = catalog.add(rule, isTrue: isTrue)
        queues.makeRoom(for: popup)
        return popup
    }

    /// Forgets a hand-made popup whose task has ended.
    mutating func vacate(_ popup: PopupIndex) {
        if catalog.vacate(popup) { outcomes.forget(catalog.popups[popup].id) }
    }

    mutating func vacate(_ occupant: Screen.Occupant) {
        guard let popup = catalog.place(of: occupant.popup.id) else { return }
        if !queues.tasks.isLive(popup) { conditions.leave(queues.tasks.post(of: popup)) }
        if occupant.subject.isForeign, !occupant.isDetached, remembered[occupant.popup.id] == nil {
            vacate(popup)
        }
    }
}

extension ForeignPopup {
    fileprivate func rule(scheduler: LaneIndex) -> PopupRule {
        var rule = PopupRule(id: id, at: SourceRange(file: FileID(index: 0), 0..<0))
        rule.scheduler = scheduler
        rule.priority = priority
        rule.triggers = [.manual]
        rule.untriggered = untriggered
        rule.switch = self.switch
        rule.timing.delay = delay...delay
        rule.timing.grace = grace
        rule.timing.minShow = minShow
        rule.timing.hideAfter = hideAfter
        rule.timing.maxWait = maxWait
        rule.isShownByApp = isShownByApp
        rule.content = content
        return rule
    }
}
