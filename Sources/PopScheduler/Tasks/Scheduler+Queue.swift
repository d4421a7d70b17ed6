internal import PopCEL

extension Scheduler {
    /// Whether the task of a popup is in a queue, not chosen.
    func isWaiting(_ popup: Int) -> Bool {
        lanes[popups[popup].scheduler].waiting.contains(popup)
    }

    /// Puts a task into the queue of its scheduler.
    mutating func wait(_ popup: Int) {
        guard tasks.isLive(popup) else { return }
        let order = tasks.order(of: popup)
        lanes[popups[popup].scheduler].waiting.insert(popup, key: Reversed(value: order))
        file(popup, tasks.status(of: popup), order)
        scheduleDeadlines(popup, tasks.statusEnds(of: popup))
    }

    /// Takes a task out of its queue; it goes on living.
    mutating func leaveQueue(_ popup: Int) {
        let lane = popups[popup].scheduler
        lanes[lane].waiting.remove(popup)
        lanes[lane].open.remove(popup)
        lanes[lane].doomed.remove(popup)
    }

    /// Puts a waiting task where its status says.
    mutating func file(_ popup: Int, _ status: LiveTask.Status, _ order: TaskOrder) {
        let lane = popups[popup].scheduler
        lanes[lane].doomed.remove(popup)
        switch status {
        case .unknown, .eligible:
            if !lanes[lane].open.contains(popup) {
                lanes[lane].open.insert(popup, key: order)
            }
        case .blocked(let reason):
            lanes[lane].open.remove(popup)
            if popups[popup].untriggered == .discard, reason.dropsWhenPassedOver {
                lanes[lane].doomed.insert(popup, key: order)
            }
        }
    }

    /// Ends a task that is not on the screen.
    mutating func end(_ popup: Int, _ event: HostEvent) {
        detach(popup)
        emit(event)
        vacate(popup)
    }

    /// Drops a waiting or chosen task.
    mutating func discard(_ popup: Int, _ reason: ReasonCode) {
        guard let task = tasks[popup] else { return }
        if lanes[popups[popup].scheduler].screen.chosen?.popup == popup {
            lanes[popups[popup].scheduler].screen = .free
        }
        if task.wasShown, foreign[popups[popup].id] == nil {
            recordDismissal(task.id.popup, reason, of: user)
        }
        end(popup, .dropped(task, reason))
    }

    /// Takes a task out of everything that is kept about waiting and chosen ones.
    @discardableResult
    mutating func detach(_ popup: Int) -> LiveTask? {
        guard let task = tasks[popup] else { return nil }
        leaveQueue(popup)
        watchers.remove(popup, from: task.watched)
        instants.remove(popup)
        dates.remove(popup)
        tasks[popup] = nil
        return task
    }

    /// Finds out whether a task is eligible, if that is not known.
    mutating func examine(_ popup: Int) -> LiveTask.Status {
        guard tasks.isLive(popup) else { return .unknown }
        let known = tasks.status(of: popup)
        guard known == .unknown else { return known }
        tasksExamined += 1
        let verdict = judge(popup, tasks.claim(of: popup))
        // Mostly the same as before; whoever was woken has been taken out and is put in again.
        let before = tasks.watched(by: popup)
        if before != verdict.watched {
            watchers.remove(popup, from: before)
            tasks.change(popup) { $0.watched = verdict.watched }
        }
        watchers.add(popup, to: verdict.watched)
        let status = verdict.reason.map { LiveTask.Status.blocked($0) } ?? .eligible
        tasks.change(popup) { $0.know(status, until: verdict.ends) }
        if isWaiting(popup) { file(popup, status, tasks.order(of: popup)) }
        scheduleDeadlines(popup, verdict.ends)
        reportErrors(popup, verdict)
        return status
    }

    /// An error is reported once, until the condition comes to something else.
    private mutating func reportErrors(_ popup: Int, _ verdict: Verdict) {
        reportError(popup, .groupWhen, verdict.group)
        reportError(popup, .when, verdict.when)
    }

    private mutating func reportError(_ popup: Int, _ role: ConditionRole, _ truth: Truth?) {
        guard let truth, truth.error != nil || tasks.hasErrors(popup) else { return }
        let before = tasks[popup]?.errors[role]
        report(truth.error, before: before, role, of: popups[popup].id)
        tasks.change(popup) { $0.errors[role] = truth.error }
    }

    mutating func report(
        _ error: EvaluationError?, before: EvaluationError?, _ role: ConditionRole, of popup: String
    ) {
        if let error, error != before { emit(.conditionError(popup: popup, role, error)) }
    }
}

extension HostEvent {
    /// The end of a task that is not on the screen: one that was and was to come back has been dismissed.
    static func dropped(_ task: LiveTask, _ reason: ReasonCode) -> HostEvent {
        task.wasShown ? .dismissed(task.id, reason) : .discarded(task.id, reason)
    }
}

extension Truth {
    var error: EvaluationError? {
        if case .error(let error) = self { error } else { nil }
    }
}
