import PopCEL
import PopScheduler

extension Model {
    func present(_ lane: LaneIndex) {
        guard let next = lanes[lane].next, let rule = popup(next.task.id.popup) else { return }
        lanes[lane].next = nil
        var task = next.task
        task.wasShown = true
        lanes[lane].holder = Holder(
            task: task, rule: rule, rules: rules, user: user,
            phase: .presenting(timeout: now.instant + .seconds(10)), reserved: next.reserved)
        if lanes[lane].forced == task.id.number {
            let truth = dismissTruth(lane)
            see(.forcedWhileToBeDismissed, when: truth == .yes)
            lanes[lane].holder?.dismissWasTrue = truth == .yes
        }
        output.append("present \(task.id.number) \(task.turn)")
    }

    /// Lets time act on the popup on a screen: animations time out, and a popup is hidden at its
    /// end. Returns true if anything has changed.
    func tick(_ lane: LaneIndex) -> Bool {
        guard let holder = lanes[lane].holder else { return false }
        switch holder.phase {
        case .presenting(let timeout) where timeout <= now.instant:
            emit(.animationTimeout(holder.task.id, .present))
            becomeVisible(lane)
        case .dismissing(let timeout) where timeout <= now.instant:
            emit(.animationTimeout(holder.task.id, .dismiss))
            finish(lane)
        case .showing(let since): return tickVisible(lane, holder, since)
        default: return false
        }
        return true
    }

    private func tickVisible(_ lane: LaneIndex, _ holder: Holder, _ since: Duration) -> Bool {
        var leaving = holder.leaving
        let visible = holder.task.visibleTime + visibleTime(since: since)
        if leaving == nil, let hideAfter = holder.rule.timing.hideAfter, visible >= hideAfter {
            leaving = Leaving(reason: .timedOut)
        }
        guard let leaving else { return false }
        if leaving.isImmediate || visibleTime(since: since) >= holder.rule.timing.minShow {
            startDismissal(lane, leaving)
            return true
        }
        lanes[lane].holder?.leaving = leaving
        return holder.leaving == nil
    }

    func becomeVisible(_ lane: LaneIndex) {
        guard let holder = lanes[lane].holder, case .presenting = holder.phase else { return }
        if dismissBecomesTrue(lane) {
            lanes[lane].holder?.leaving = Leaving(reason: .dismissCondition)
        }
        lanes[lane].holder?.phase = .showing(since: now.instant)
        makeImpression(lane)
        emit(.shown(holder.task.id))
    }

    /// The first time that it is visible. That does not by itself make its `dismiss_when` become
    /// true.
    func makeImpression(_ lane: LaneIndex) {
        guard let holder = lanes[lane].holder, let reserved = holder.reserved else { return }
        lanes[lane].holder?.reserved = nil
        lanes[lane].holder?.impression = now.date
        lanes[lane].holder?.session = session
        sessionCounts[holder.user, default: [:]][holder.rule.id, default: 0] += 1
        if holder.task.isExposed {
            unseenCounts[holder.user, default: [:]][holder.rule.id, default: 0] -= 1
        }
        record(
            .impression(
                popup: holder.rule.id, date: now.date, reserved: reserved,
                isExposed: holder.task.isExposed), user: holder.user)
        // A popup of a former user is about to leave: its condition is no longer evaluated.
        guard holder.leaving?.reason != .userSwitched else { return }
        let truth = dismissTruth(lane)
        lanes[lane].holder?.dismissWasTrue = truth == .yes
    }

    func startDismissal(_ lane: LaneIndex, _ leaving: Leaving) {
        guard var holder = lanes[lane].holder, case .showing(let since) = holder.phase else {
            return
        }
        holder.task.visibleTime += visibleTime(since: since)
        holder.leaving = leaving
        holder.phase = .dismissing(timeout: now.instant + .seconds(10))
        lanes[lane].holder = holder
        emit(.willDismiss(holder.task.id, leaving.reason))
        output.append("dismiss \(holder.task.id.number) \(holder.task.turn)")
    }

    func finish(_ lane: LaneIndex) {
        guard let holder = lanes[lane].holder, let leaving = holder.leaving else { return }
        lanes[lane].holder = nil
        if leaving.isSwitch {
            lanes[lane].gap = nil
        } else {
            let rule = lanes[lane].rule
            let draw = nextDraw("gap", of: rule.name, bounds: rule.gap)
            let length = drawn(rule.gap, "gap", of: rule.name, number: draw)
            lanes[lane].gap = (now.instant, length)
        }
        let settles = lanes[lane].next != nil && !wasAsked(lane)
        see(.settlesInTheGap, when: settles && isResting(lane))
        if leaving.requeues, let rule = popup(holder.rule.id), !isExpired(rule) {
            see(.reachedWhileItShows, when: isReached(rule))
            if isReached(rule) { return gone(holder.task, .goalReached) }
            lanes[rule.scheduler].waiting.append(holder.task)
            return emit(.requeued(holder.task.id))
        }
        if leaving.reason == .acted, let action = holder.endingAction {
            record(
                .endedByAction(popup: holder.rule.id, action: action, date: now.date),
                user: holder.user)
        }
        record(
            .dismissal(popup: holder.rule.id, reason: leaving.reason, date: now.date),
            user: holder.user)
        emit(.dismissed(holder.task.id, leaving.reason))
        tryAgain(after: holder)
    }

    func dismissCondition(_ lane: LaneIndex) -> Bool {
        guard dismissBecomesTrue(lane) else { return false }
        leave(lane, .dismissCondition)
        return true
    }

    private func dismissBecomesTrue(_ lane: LaneIndex) -> Bool {
        guard let holder = lanes[lane].holder, holder.leaving == nil,
            let truth = dismissTruth(lane)
        else { return false }
        lanes[lane].holder?.dismissWasTrue = truth == .yes
        return truth == .yes && !holder.dismissWasTrue
    }

    private func asksForSchedule(_ rule: PopupRule) -> Bool {
        rule.dismissWhen?.program.slots.contains { rules.slots[$0] == .scheduleOpen } ?? false
    }

    private func dismissTruth(_ lane: LaneIndex) -> Truth? {
        guard let holder = lanes[lane].holder, holder.rule.dismissWhen != nil else { return nil }
        // It was compiled for the rules that it came with.
        let current = rules
        rules = holder.rules
        let truth = dismissal(holder.rule)
        let closes = truth == .yes && !holder.dismissWasTrue && asksForSchedule(holder.rule)
        see(.leavesAsItsScheduleCloses, when: closes && !isOpen(holder.rule))
        rules = current
        guard let truth else { return nil }
        var task = holder.task
        note(truth, &task, .dismissWhen)
        lanes[lane].holder?.task = task
        return truth
    }
}
