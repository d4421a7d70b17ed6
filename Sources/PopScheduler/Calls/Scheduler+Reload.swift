internal import PopCEL
internal import PopSource

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
        let names = ParallelArray<LaneIndex, String>(lanes.rules.map { $0.name })
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
