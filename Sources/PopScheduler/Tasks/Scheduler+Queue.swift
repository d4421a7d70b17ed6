internal import PopCEL

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

    private mutating func learn(_ popup: PopupIndex, verdict: Verdict) -> LiveTask.Status {
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

    private mutating func watch(_ popup: PopupIndex, verdict: Verdict) {
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
    private mutating func reportErrors(_ popup: PopupIndex, verdict: Verdict) {
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

extension HostEvent {
    /// Returns the event for the end of a task that isn't on the screen: `dismissed` if it was
    /// shown and was to come back, `discarded` otherwise.
    static func dropped(_ task: TaskID, for reason: ReasonCode, wasShown: Bool) -> HostEvent {
        wasShown ? .dismissed(task, reason) : .discarded(task, reason)
    }
}

extension Truth {
    var error: EvaluationError? {
        if case .error(let error) = self { error } else { nil }
    }
}
