internal import PopCEL

// The tests stand in the order in which their reason codes are documented; the first that fails decides.
extension Scheduler {
    mutating func judge(_ popup: Int, _ task: LiveTask.Claim) -> Verdict {
        var verdict = Verdict()
        judgeWaiting(popup, task, &verdict)
        if !traits[popup].isPlain {
            if verdict.reason == nil { judgeSchedule(popup, &verdict) }
            if verdict.reason == nil { judgePredecessors(popup, &verdict) }
            if verdict.reason == nil { judgeGroup(popup, task, &verdict) }
            if verdict.reason == nil, !task.wasShown { judgeOwnCaps(popup, &verdict) }
        }
        if verdict.reason == nil, !task.wasShown { judgeLaneCap(popup, &verdict) }
        if verdict.reason == nil { judgeCondition(popup, &verdict) }
        return verdict
    }

    private func judgeWaiting(_ popup: Int, _ task: LiveTask.Claim, _ verdict: inout Verdict) {
        if let postponed = task.postponedUntil, postponed > now.instant {
            verdict.block(.postponed, until: .at(postponed))
        } else if !traits[popup].isPlain, task.made + popups[popup].delay > now.instant {
            verdict.block(.delayed, until: .at(task.made + popups[popup].delay))
        }
    }

    private func judgeSchedule(_ popup: Int, _ verdict: inout Verdict) {
        guard let schedule = popups[popup].schedule else { return }
        if let from = schedule.from, now.date < from {
            return verdict.block(.beforeStart, until: .at(from))
        }
        guard schedule.days != nil || schedule.hours != nil else { return }
        let calendar = calendar(of: popups[popup])
        let change = schedule.nextChange(after: now.date, calendar: calendar)
        if schedule.includes(now.date, calendar: calendar) {
            verdict.depend(until: .at(change))
        } else {
            verdict.block(.outsideHours, until: .at(change))
        }
    }

    private func judgePredecessors(_ popup: Int, _ verdict: inout Verdict) {
        for predecessor in popups[popup].after where !wasDismissed(predecessor) {
            return verdict.block(
                .awaitingPredecessor, on: [watchKeys.firstDismissal(of: predecessor)])
        }
    }

    private func wasDismissed(_ popup: Int) -> Bool {
        (sources.history[popup]?.dismissals ?? 0) > 0
    }

    private mutating func judgeGroup(
        _ popup: Int, _ task: LiveTask.Claim, _ verdict: inout Verdict
    ) {
        guard let index = popups[popup].group else { return }
        let group = rules.groups[index]
        if let condition = group.when {
            let (truth, ends) = truth(of: condition)
            verdict.group = truth
            guard truth == .yes else {
                return verdict.block(
                    .groupConditionFalse, until: .at(ends), on: condition.program.slots)
            }
            verdict.dependOnGroup(until: .at(ends), on: condition.program.slots)
        }
        guard let cap = group.cap, !task.wasShown else { return }
        let key = watchKeys.groupCap(index)
        let dates = groupImpressions[index].dates
        if let opens = cap.opens(dates, now: now.date, calendar: .utc) {
            verdict.block(.groupCap, until: .at(opens), on: [key])
        } else {
            verdict.depend(on: [key])
        }
    }

    private func judgeLaneCap(_ popup: Int, _ verdict: inout Verdict) {
        let lane = traits[popup].lane
        guard let cap = lanes[lane].rule.cap, !isForeign(popup) else { return }
        let key = watchKeys.laneCap(lane)
        let dates = lanes[lane].impressions.dates
        if let opens = cap.opens(dates, now: now.date, calendar: .utc) {
            verdict.block(.schedulerCap, until: .at(opens), on: [key])
        } else {
            verdict.depend(on: [key])
        }
    }

    // Only the popup's own impressions count here, and it makes none while it waits: nothing to watch.
    private func judgeOwnCaps(_ popup: Int, _ verdict: inout Verdict) {
        guard popups[popup].caps != .none else { return }
        let rule = popups[popup]
        if let most = rule.caps.perSession, sources.history.shownInSession(popup) >= most {
            return verdict.block(.sessionCap)
        }
        let dates = sources.history[popup]?.impressions ?? []
        if let every = rule.caps.every {
            let cooldown = WindowCap(max: 1, per: .rolling(every))
            if let opens = cooldown.opens(dates, now: now.date, calendar: .utc) {
                return verdict.block(.cooldown, until: .at(opens))
            }
        }
        for cap in rule.caps.windows {
            if let opens = cap.opens(dates, now: now.date, calendar: calendar(of: rule)) {
                return verdict.block(.periodCap, until: .at(opens))
            }
        }
    }

    private mutating func judgeCondition(_ popup: Int, _ verdict: inout Verdict) {
        if isForeign(popup), let isTrue = foreign[popups[popup].id] {
            if !isTrue { verdict.block(.conditionFalse) }
            return
        }
        if traits[popup].isUsual, let isMet = store.isMet(traits[popup].condition, in: conditions) {
            verdict.decide(isMet ? .yes : .no, until: nil, by: Array(slotsOfCondition(popup)))
        } else if let condition = popups[popup].when {
            let (truth, end) = truth(of: condition)
            verdict.decide(truth, until: end, by: condition.program.slots)
        }
    }

    /// The slots that the condition of a popup reads.
    func slotsOfCondition(_ popup: Int) -> ArraySlice<Int> {
        conditions.slots(at: traits[popup].condition)
    }

    func isForeign(_ popup: Int) -> Bool {
        popup >= rules.popups.count && foreign[popups[popup].id] != nil
    }

    mutating func truth(of condition: Condition) -> (truth: Truth, ends: Timestamp?) {
        store.truth(of: condition.program, events: sources.history.events)
    }

    /// An unknown zone counts as UTC; rule files with one are refused before they come here.
    func calendar(of rule: PopupRule) -> LocalCalendar {
        LocalCalendar(zone: rule.schedule?.zone, zones: timeZones) ?? .utc
    }

}
