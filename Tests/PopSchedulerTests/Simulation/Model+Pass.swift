import PopCEL
import PopScheduler

extension Model {
    func handle(_ event: Event, at moment: Moment) -> [String] {
        output = []
        now = Moment(instant: max(now.instant, moment.instant), date: moment.date)
        _ = dropOverdue()
        for lane in lanes.indices { _ = tick(lane) }
        apply(event)
        _ = dropOverdue()
        repeat { while pass() {} } while dropExcess()
        return output
    }

    /// One step of the pass: false when there is nothing left to do.
    private func pass() -> Bool {
        for lane in lanes.indices where tick(lane) || dismissCondition(lane) || review(lane) {
            return true
        }
        var best: (lane: LaneIndex, task: Task, priority: Int)?
        for lane in lanes.indices {
            guard let task = choice(lane), let rule = popup(task.id.popup) else { continue }
            see(.severalChoices, when: best != nil)
            if let best, best.priority >= rule.priority { continue }
            see(.laterSchedulerGoesFirst, when: best != nil)
            best = (lane, task, rule.priority)
        }
        if let best {
            take(best.task, best.lane)
            return true
        }
        let drops = lanes.indices.contains { dropFirstPassedOver($0, before: limit($0)) }
        see(.dropWithoutChoice, when: drops)
        return drops
    }

    private func dropExcess() -> Bool {
        var drops = false
        for lane in lanes.indices {
            if lanes[lane].rule.maxWaiting != nil {
                see(.switchedOutIsNotCounted, when: lanes[lane].waiting.contains(where: \.wasShown))
            }
            while let most = lanes[lane].rule.maxWaiting,
                case let queue = queue(lane).filter({ !$0.wasShown }), queue.count > most,
                let last = queue.last
            {
                drop(lane, last, .queueFull)
                drops = true
            }
        }
        return dropOverdue() || drops
    }

    private func dropOverdue() -> Bool {
        var drops = false
        for lane in lanes.indices {
            if let task = lanes[lane].next?.task, let reason = overdue(task) {
                let sight = wasAsked(lane) ? Sight.waitedTooLongAsked : .waitedTooLongSettling
                see(sight, when: reason == .waitedTooLong)
                dropNext(lane, reason)
                drops = true
            }
            for task in queue(lane) {
                guard let reason = overdue(task) else { continue }
                drop(lane, task, reason)
                drops = true
            }
        }
        return drops
    }

    private func overdue(_ task: Task) -> ReasonCode? {
        guard let rule = popup(task.id.popup) else { return nil }
        if lanes[rule.scheduler].forced == task.id.number { return nil }
        if isExpired(rule) { return .expired }
        guard !task.wasShown, let maxWait = rule.timing.maxWait else { return nil }
        return task.made + maxWait <= now.instant ? .waitedTooLong : nil
    }

    func isExpired(_ rule: PopupRule) -> Bool {
        let entries = rule.timing.schedule
        return !entries.isEmpty
            && entries.allSatisfy { entry in
                entry.until.map { end($0, of: entry.zone) <= now.date } ?? false
            }
    }

    // MARK: Choosing

    func isResting(_ lane: LaneIndex) -> Bool {
        lanes[lane].gap.map { visibleTime(since: $0.since) < $0.length } ?? false
    }

    /// Returns the task that a lane could ask about, present, or let settle now; nil if none.
    private func choice(_ lane: LaneIndex) -> Task? {
        if isAway { return nil }
        if isSuspended(lane) {
            see(.severalSuspensions, when: suspensions.count > 1)
            return nil
        }
        guard let next = lanes[lane].next else {
            if lanes[lane].holder == nil {
                return isResting(lane) ? firstForced(lane) : firstEligible(lane)
            }
            guard let (task, rule) = challenger(lane) else { return nil }
            if ousts(rule, lane) { return task }
            return rule.timing.grace > .zero || isMinShowOver(lane) ? task : nil
        }
        switch next.phase {
        case .settling(let since, let grace):
            guard visibleTime(since: since) >= grace else { return nil }
            let isFree = lanes[lane].holder == nil && !isResting(lane)
            let isUrgent = popup(next.task.id.popup).map { ousts($0, lane) } ?? false
            let maySwitch = isUrgent || isSwitchable(lane) && isMinShowOver(lane)
            return isFree || maySwitch ? next.task : nil
        case .asked: return nil
        case .allowed: return lanes[lane].holder == nil ? next.task : nil
        }
    }

    private func take(_ task: Task, _ lane: LaneIndex) {
        // On the way to it, when the screen is free.
        if dropFirstPassedOver(lane, before: order(lane, task)) { return }
        if let next = lanes[lane].next {
            guard case .allowed = next.phase else { return ask(lane) }
            if arm(next.task) == Assignment.control { return endControl(lane) }
            see(.switchOverOneThatGoes, when: isResting(lane))
            expose(lane)
            return present(lane)
        }
        let isForced = lanes[lane].forced == task.id.number
        let grace = isForced ? .zero : popup(task.id.popup)?.timing.grace ?? .zero
        lanes[lane].waiting.removeAll { $0.id == task.id }
        see(.settlesBehindAnother, when: lanes[lane].holder != nil && grace > .zero)
        lanes[lane].next = Next(task: task, phase: .settling(since: now.instant, grace: grace))
        if grace == .zero { ask(lane) }
    }

    /// The first task that may show, of those before a limit.
    private func firstEligible(_ lane: LaneIndex, before limit: (Int, Int)? = nil) -> Task? {
        for var task in queue(lane) {
            if let limit, order(lane, task) >= limit { return nil }
            let obstacle = judge(lane, &task)
            keep(lane, task)
            if obstacle == nil { return task }
        }
        return nil
    }

    private func keep(_ lane: LaneIndex, _ task: Task) {
        for index in lanes[lane].waiting.indices where lanes[lane].waiting[index].id == task.id {
            lanes[lane].waiting[index] = task
        }
    }

    /// Up to where a lane without a choice walks its queue.
    private func limit(_ lane: LaneIndex) -> (Int, Int)? {
        lanes[lane].next.map { order(lane, $0.task) }
    }

    /// Drops the first task that a walk of the queue passes over and that does not want to stay.
    private func dropFirstPassedOver(_ lane: LaneIndex, before limit: (Int, Int)?) -> Bool {
        guard lanes[lane].holder == nil, !isSuspended(lane), !isAway else { return false }
        switch lanes[lane].next?.phase {
        case nil, .settling: if isResting(lane) { return false }
        case .asked: return false
        case .allowed: break
        }
        for var task in queue(lane) {
            if let limit, order(lane, task) >= limit { return false }
            let obstacle = judge(lane, &task)
            keep(lane, task)
            guard let obstacle, popup(task.id.popup)?.untriggered == .discard else { continue }
            see(.reservationKeepsOutDiscardable, when: obstacle.isReservation)
            see(.beforeStartStays, when: obstacle.reason == .beforeStart)
            if obstacle.isSoft { continue }
            drop(lane, task, .discardedUntriggered)
            return true
        }
        return false
    }

    private func ask(_ lane: LaneIndex) {
        guard var next = lanes[lane].next else { return }
        next.task.turn += 1
        next.phase = .asked
        fixArm(&next.task)
        if !next.task.wasShown {
            next.reserved = now.date
            record(.reservation(popup: next.task.id.popup, date: now.date))
            count(&next.task)
        }
        lanes[lane].next = next
        emit(.willShow(next.task.id))
        output.append("ask \(next.task.id.number) \(next.task.turn)")
    }

    /// Puts the next task back if it may no longer show or if a better one may.
    private func review(_ lane: LaneIndex) -> Bool {
        guard let next = lanes[lane].next, !isAway else { return false }
        var isAllowed = false
        switch next.phase {
        case .asked: return false
        case .settling: break
        case .allowed:
            isAllowed = true
            // The popup on the screen has to leave first.
            if let holder = lanes[lane].holder, holder.leaving != nil,
                !(popup(next.task.id.popup).map { ousts($0, lane) } ?? false)
            {
                return false
            }
        }
        if isStillBest(lane) {
            guard isAllowed, let holder = lanes[lane].holder else { return false }
            if arm(next.task) == Assignment.control {
                endControl(lane)
                return true
            }
            let isForced = lanes[lane].forced == next.task.id.number
            let isHigher =
                isForced || popup(next.task.id.popup)?.priority ?? 0 > holder.rule.priority
            see(.switched)
            see(.oustedByForce, when: isForced)
            let isUrgent = popup(next.task.id.popup).map { ousts($0, lane) } ?? false
            see(.ousted, when: isUrgent)
            var comesBack = holder.rule.switch == .latent && isHigher
            if isUrgent { comesBack = holder.rule.switch != .discard }
            if holder.leaving != nil || isForced && isBarred(holder.rule.id) { comesBack = false }
            let reason = holder.leaving?.reason ?? .preempted
            startDismissal(lane, Leaving(reason: reason, requeues: comesBack, isSwitch: true))
            return true
        }
        let isOccupied = lanes[lane].holder != nil
        see(.requeuedAfterYes, when: isAllowed && isOccupied)
        see(.requeuedAfterSwitch, when: isAllowed && !isOccupied)
        see(.goesBackBehindAnother, when: !isAllowed && isOccupied)
        see(.goesBackInTheGap, when: !isAllowed && !isOccupied && isResting(lane))
        guard let task = takeNext(lane) else { return false }
        lanes[lane].waiting.append(task)
        if isAllowed { emit(.requeued(task.id)) }
        return true
    }

    func wasAsked(_ lane: LaneIndex) -> Bool {
        switch lanes[lane].next?.phase {
        case .asked, .allowed: true
        case nil, .settling: false
        }
    }

    private func isStillBest(_ lane: LaneIndex) -> Bool {
        guard !isSuspended(lane), var task = lanes[lane].next?.task else { return false }
        let obstacle = judge(lane, &task)
        lanes[lane].next?.task = task
        return obstacle == nil && firstEligible(lane, before: order(lane, task)) == nil
    }

    // MARK: Switching

    private func isSwitchable(_ lane: LaneIndex) -> Bool {
        guard let holder = lanes[lane].holder, case .showing = holder.phase else { return false }
        return holder.leaving == nil && lanes[lane].rule.strategy == .priority
            && holder.rule.switch != .await
    }

    private func isMinShowOver(_ lane: LaneIndex) -> Bool {
        guard let holder = lanes[lane].holder, case .showing(let since) = holder.phase else {
            return false
        }
        return visibleTime(since: since) >= holder.rule.timing.minShow
    }

    /// The first eligible task, if it outranks what shows.
    private func challenger(_ lane: LaneIndex) -> (Task, PopupRule)? {
        guard let holder = lanes[lane].holder, case .showing = holder.phase,
            lanes[lane].rule.strategy == .priority,
            isSwitchable(lane) || rules.popups.contains(where: \.isUrgent)
                || lanes[lane].forced != nil
        else { return nil }
        for var task in queue(lane) {
            guard let rule = popup(task.id.popup) else { continue }
            let isMoreUrgent = rule.priority > holder.rule.priority
            let isNewerEqual =
                rule.priority == holder.rule.priority && lanes[lane].rule.tieBreak == .lifo
                && task.id.number > holder.task.id.number
            let isForced = lanes[lane].forced == task.id.number
            let holds = lanes[lane].forced == holder.task.id.number
            guard isForced || !holds && (isMoreUrgent || isNewerEqual) else { return nil }
            let obstacle = judge(lane, &task)
            keep(lane, task)
            if obstacle == nil {
                return isSwitchable(lane) || ousts(rule, lane) ? (task, rule) : nil
            }
        }
        return nil
    }

    /// Returns true if an urgent popup takes the screen from the one that shows.
    private func ousts(_ rule: PopupRule, _ lane: LaneIndex) -> Bool {
        let isForced = isForced(rule.id, lane)
        guard rule.isUrgent || isForced, lanes[lane].rule.strategy == .priority,
            !isSuspended(lane), let holder = lanes[lane].holder, case .showing = holder.phase
        else { return false }
        return isForced || rule.priority > holder.rule.priority
    }
}
