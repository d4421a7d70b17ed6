internal import PopCEL
internal import PopSource

extension Scheduler {
    /// Returns the name of the task of a popup.
    func taskID(_ popup: PopupIndex) -> TaskID {
        catalog.taskID(queues.tasks.order(of: popup).number, of: popup)
    }

    /// Adds a task of a popup to the queue of its scheduler.
    mutating func admit(_ task: LiveTask, of popup: PopupIndex) {
        let order = order(
            ofTask: task.number, priority: catalog.traits[popup].priority,
            on: catalog.traits[popup].lane)
        queues.insert(task, order: order, of: popup)
        wait(popup)
    }

    /// Puts a task into the queue of its scheduler.
    mutating func wait(_ popup: PopupIndex) {
        guard queues.tasks.isLive(popup) else { return }
        queues.enter(
            popup, lane: catalog.traits[popup].lane,
            isDiscardable: catalog.traits[popup].isDiscardable)
        scheduleDeadlines(popup)
    }

    /// Ends a task that is not on the screen.
    mutating func end(_ popup: PopupIndex, event: HostEvent) {
        detach(popup)
        emit(event)
        vacate(popup)
    }

    /// Drops a waiting or chosen task.
    mutating func discard(_ popup: PopupIndex, for reason: ReasonCode) {
        guard let task = queues.tasks[popup] else { return }
        if reason == .discardedUntriggered || reason == .waitedTooLong { noteObstacle(of: popup) }
        let lane = catalog.traits[popup].lane
        if lanes[lane].chosen?.popup == popup { unchoose(lane) }
        let wasShown = task.claim.wasShown
        if wasShown, !catalog.isForeign(popup) {
            recordDismissal(catalog.popups[popup].id, for: reason, of: memory.user)
        }
        end(popup, event: .dropped(taskID(popup), for: reason, wasShown: wasShown))
    }

    /// Removes a task from the queues and from everything else that is kept about waiting and
    /// chosen tasks.
    ///
    /// A task that goes on a screen may continue to watch a usual condition until it leaves the
    /// screen: waking it does nothing as long as it has no task here. Removing it from the list of
    /// a key that many popups read would write to its neighbors, which may be anywhere in memory:
    /// that took a fifth of the time to present a chosen popup.
    mutating func detach(_ popup: PopupIndex, toScreen: Bool = false) {
        guard queues.tasks.isLive(popup) else { return }
        predecessorChanged(popup)
        if !toScreen || !catalog.traits[popup].isUsual || !queues.tasks.watchesCondition(popup) {
            conditions.leave(queues.tasks.post(of: popup))
        }
        queues.remove(popup, lane: catalog.traits[popup].lane)
    }

    /// Determines if a task is eligible, if that isn't known.
    mutating func examine(_ popup: PopupIndex) -> LiveTask.Status {
        guard queues.tasks.isLive(popup) else { return .unknown }
        let known = queues.tasks.status(of: popup)
        guard known == .unknown else { return known }
        queues.countExamination()
        if hangsOnConditionAlone(popup) {
            let (truth, end) = truthOfCondition(popup) ?? (.yes, nil)
            return learn(popup, truth: truth, until: end)
        }
        return learn(popup, verdict: judge(popup, task: queues.tasks.claim(of: popup)))
    }

    /// Examines a new task before the pass if the pass would begin with it and only pass it over.
    /// When many tasks are made at the same time, the data of each is still in the caches. They are
    /// examined in the order of the rules, which is their order in memory, unlike the order of the
    /// queue. This is most of the change that reduced adding 100,000 tasks from 140 to 25 ms.
    ///
    /// Errors are left to the pass, which reports them in the order of the queue.
    mutating func examineAhead(_ popup: PopupIndex) {
        let lane = catalog.traits[popup].lane
        guard queues.firstOpen(lane)?.popup == popup, lanes[lane].isReady,
            queues.tasks.status(of: popup) == .unknown
        else { return }
        queues.countExamination()
        if hangsOnConditionAlone(popup) {
            if case (.no, let end)? = truthOfCondition(popup) {
                _ = learn(popup, truth: .no, until: end)
            }
            return
        }
        let verdict = judge(popup, task: queues.tasks.claim(of: popup))
        if verdict.reason != nil, !verdict.hasErrors { _ = learn(popup, verdict: verdict) }
    }

    /// Returns true if only its condition can keep a task from showing. Most tasks are like that:
    /// they are examined without a verdict, which takes several times as long to fill, pass around
    /// and empty.
    ///
    /// Inlined: for a call from a mutating function, the compiler would copy the whole scheduler.
    @inline(__always)
    private func hangsOnConditionAlone(_ popup: PopupIndex) -> Bool {
        catalog.traits[popup].isPlain && queues.tasks.isPlain(popup)
            && catalog.sharedCaps.isFree(popup, on: catalog.traits[popup].lane)
            && !isForced(popup)
    }

    /// Stores the status of a task for which only the result of its condition decides.
    private mutating func learn(
        _ popup: PopupIndex, truth: Truth, until end: Timestamp?
    ) -> LiveTask.Status {
        watchCondition(popup)
        let status: LiveTask.Status =
            if case .yes = truth { .eligible } else { .blocked(isDroppable: true) }
        know(popup, status: status, until: .at(end))
        if end != nil { scheduleDeadlines(popup) }
        if case .error = truth { reportError(popup, role: .when, truth: truth) }
        return status
    }

    private mutating func learn(_ popup: PopupIndex, verdict: Eligibility) -> LiveTask.Status {
        watch(popup, verdict: verdict)
        let status =
            verdict.reason == nil
            ? LiveTask.Status.eligible : .blocked(isDroppable: verdict.isDroppable)
        know(popup, status: status, until: verdict.ends)
        scheduleDeadlines(popup)
        reportErrors(popup, verdict: verdict)
        return status
    }

    private mutating func know(
        _ popup: PopupIndex, status: LiveTask.Status, until ends: Deadline
    ) {
        queues.know(
            popup, status: status, until: ends, lane: catalog.traits[popup].lane,
            isDiscardable: catalog.traits[popup].isDiscardable)
    }

    private mutating func watch(_ popup: PopupIndex, verdict: Eligibility) {
        if verdict.watchesCondition {
            watchCondition(popup)
        } else {
            queues.watch(
                popup, keys: verdict.watched[...], areOfCondition: false, with: &conditions)
        }
    }

    private mutating func watchCondition(_ popup: PopupIndex) {
        if queues.tasks.watchesCondition(popup) {
            conditions.resume(queues.tasks.post(of: popup))
        } else {
            queues.watch(
                popup, keys: catalog.slotsOfCondition(popup), areOfCondition: true,
                with: &conditions)
        }
    }

    /// Reports errors of conditions, each once, until the condition has another result.
    private mutating func reportErrors(_ popup: PopupIndex, verdict: Eligibility) {
        reportError(popup, role: .scheduleWhen, truth: verdict.schedule)
        reportError(popup, role: .groupWhen, truth: verdict.group)
        reportError(popup, role: .when, truth: verdict.when)
        reportError(popup, role: .dismissWhen, truth: verdict.dismissWhen)
    }

    private mutating func reportError(_ popup: PopupIndex, role: ConditionRole, truth: Truth?) {
        guard let truth else { return }
        let errors = queues.tasks.errors(of: popup)
        if truth.error == nil, errors.isEmpty { return }
        report(truth.error, before: errors[role], role: role, of: catalog.popups[popup].id)
        queues.setError(truth.error, role: role, of: popup)
    }

    mutating func report(
        _ error: EvaluationError?, before: EvaluationError?, role: ConditionRole, of popup: String
    ) {
        if let error, error != before { emit(.conditionError(popup: popup, role, error)) }
    }
}

extension Scheduler {
    /// Wakes the watchers of a slot that has a new value.
    mutating func changed(slot: SlotIndex) {
        if conditions.hasNamed {
            changed(slots: [slot])
        } else {
            wake(watcherOf: slot)
        }
    }

    /// Wakes all watchers that depend on slots with new values, also through named conditions.
    mutating func changed(slots: [SlotIndex]) {
        guard !slots.isEmpty else { return }
        for slot in conditions.changed(slots, events: memory.history.events) {
            wake(watcherOf: slot)
        }
    }

    mutating func wake(watcherOf slot: SlotIndex) {
        while let watcher = conditions.takeWatcher(of: slot) {
            switch watcher {
            case .popup(let popup): wake(popup)
            case .lane(let lane): lanes[lane].recheckDismissCondition()
            }
        }
    }

    /// Marks a task as to be examined again before its status is used.
    mutating func wake(_ popup: PopupIndex) {
        queues.wake(popup, lane: catalog.traits[popup].lane)
    }

    /// Keeps a record and has the host store it; `popup` is the index of the rules' popup that the
    /// record is about.
    mutating func record(_ record: HistoryRecord, at popup: PopupIndex? = nil) {
        memory.keep(record, at: popup)
        effects.add(.record(record, user: memory.user))
    }

    /// The history of a popup has changed.
    mutating func historyChanged(_ popup: PopupIndex) {
        changed(slots: conditions.refill(popup: popup, from: memory.history))
    }
}

extension Scheduler {
    /// Takes over the new time and handles what is due by it.
    mutating func advance(to moment: Moment) {
        let wentBack = moment.date < now.date
        now = Moment(instant: max(now.instant, moment.instant), date: moment.date)
        conditions.setNow(now.date)
        if wentBack { calendarWentBack() }
        dropOverdue()
        for lane in lanes.indices where lanes[lane].isOccupied {
            if let ends = lanes[lane].screen.dismissConditionEnds, ends <= now.date {
                lanes[lane].recheckDismissCondition()
            }
            tick(lane)
        }
    }

    /// Discards everything that was determined by the calendar.
    private mutating func calendarWentBack() {
        conditions.calendarWentBack()
        for popup in queues.tasks.indices { wake(popup) }
        for lane in lanes.indices { lanes[lane].recheckDismissCondition() }
    }

    /// Schedules the time-dependent changes of a task: when its status may change, and when it is
    /// dropped.
    mutating func scheduleDeadlines(_ popup: PopupIndex) {
        if catalog.traits[popup].isPlain, queues.tasks.isPlain(popup), !queues.hasDeadlines {
            return
        }
        var due = queues.tasks.statusEnds(of: popup)
        if !isForced(popup) { due.date = earlier(due.date, scheduleEnds(popup)) }
        if let end = waitEnds(popup) { due.instant = earlier(due.instant, end) }
        queues.schedule(popup, at: due)
    }

    /// Returns the end of a task's waiting time, which also runs while it settles and while the
    /// host is asked; nil if the waiting time has no end.
    private func waitEnds(_ popup: PopupIndex) -> Duration? {
        guard let maxWait = catalog.popups[popup].timing.maxWait, queues.tasks.isLive(popup),
            !isForced(popup)
        else { return nil }
        let claim = queues.tasks.claim(of: popup)
        return claim.wasShown ? nil : claim.made + maxWait
    }

    /// Wakes the tasks whose status may have changed with time, and drops those whose time is over,
    /// in the order of their schedulers and queues, a chosen task first. Returns true if any was
    /// dropped.
    @discardableResult
    mutating func dropOverdue() -> Bool {
        if !queues.hasDeadlines { return false }
        let due = queues.takeDue(at: now)
        if due.isEmpty { return false }
        var overdue: [(popup: PopupIndex, reason: ReasonCode)] = []
        for popup in due {
            if isExpired(popup), !isForced(popup) {
                overdue.append((popup, .expired))
            } else if let end = waitEnds(popup), end <= now.instant {
                overdue.append((popup, .waitedTooLong))
            } else {
                if queues.tasks.statusEnds(of: popup).isDue(at: now) { wake(popup) }
                scheduleDeadlines(popup)
            }
        }
        for (popup, reason) in overdue.ordered(by: { isBefore($0.popup, $1.popup) }) {
            discard(popup, for: reason)
        }
        return !overdue.isEmpty
    }

    private func isBefore(_ left: PopupIndex, _ right: PopupIndex) -> Bool {
        guard queues.tasks.isLive(left), queues.tasks.isLive(right) else { return left < right }
        let lanes = (catalog.traits[left].lane, catalog.traits[right].lane)
        guard lanes.0 == lanes.1 else { return lanes.0 < lanes.1 }
        if queues.tasks.isWaiting(left) != queues.tasks.isWaiting(right) {
            return queues.tasks.isWaiting(right)
        }
        return queues.tasks.order(of: left) < queues.tasks.order(of: right)
    }
}

extension Scheduler {
    /// The instant at which `timePassed` is due; nil when only an event can change anything.
    ///
    /// Exact except for conditions that use `now` in ways that can't be solved for it: those are
    /// checked every second while a task depends on them.
    public var nextWake: Duration? {
        var wake = queues.nextInstant
        if let date = queues.nextDate { wake = earlier(wake, instant(of: date)) }
        for lane in lanes.indices { wake = earlier(wake, nextWake(lane)) }
        return wake.map { max($0, now.instant) }
    }

    private func nextWake(_ lane: LaneIndex) -> Duration? {
        var settled: Duration?
        if let chosen = lanes[lane].chosen {
            if case .settling(let until) = chosen.phase, !lanes[lane].isAway { settled = until }
        } else if case .free = lanes[lane].screen {
            guard !lanes[lane].isHeld, queues.hasWork(lane) else { return nil }
            return lanes[lane].gapEnds
        }
        guard case .occupied(let occupant) = lanes[lane].screen else {
            return settled.map { max($0, lanes[lane].gapEnds ?? $0) }
        }
        let wake = nextWake(occupant, in: lane)
        guard let settled, let chosen = lanes[lane].chosen else { return wake }
        if ousts(chosen.popup, on: lane) { return earlier(wake, settled) }
        guard occupant.leaving == nil, let ends = occupant.minShowEnds else { return wake }
        return earlier(wake, max(settled, ends))
    }

    private func nextWake(_ occupant: Screen.Occupant, in lane: LaneIndex) -> Duration? {
        switch occupant.phase {
        case .dismissing(let timeout): return timeout
        case .presenting(let timeout):
            if occupant.leaving != nil { return timeout }
            return earlier(timeout, occupant.dismissConditionEnds.map(instant))
        case .showing:
            // Visible time doesn't run in the background.
            let isAway = lanes[lane].isAway
            if occupant.leaving != nil { return isAway ? nil : occupant.minShowEnds }
            var wake = earlier(
                isAway ? nil : occupant.hideDue, occupant.dismissConditionEnds.map(instant))
            if let ends = occupant.minShowEnds, ends > now.instant, awaitsSwitch(occupant, in: lane)
            {
                wake = earlier(wake, ends)
            }
            return wake
        }
    }

    private func awaitsSwitch(_ occupant: Screen.Occupant, in lane: LaneIndex) -> Bool {
        guard lanes[lane].chosen == nil, mayBeSwitched(occupant, in: lane),
            let next = queues.firstOpen(lane)
        else { return false }
        return next.key.outranks(
            order(of: occupant, lane), tieBreak: lanes[lane].rule.tieBreak)
    }
}
