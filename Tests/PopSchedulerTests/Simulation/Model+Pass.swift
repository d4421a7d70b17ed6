import PopCEL
import PopScheduler

extension Model {
    func handle(_ event: Event, at moment: Moment) -> [String] {
        output = []
        now = Moment(instant: max(now.instant, moment.instant), date: moment.date)
        dropOverdue()
        for lane in lanes.indices { _ = tick(lane) }
        apply(event)
        var before = 0
        repeat {
            runPasses()
            before = liveCount
            dropExcess()
        } while liveCount < before
        return output
    }

    /// How many tasks there are.
    private var liveCount: Int {
        lanes.reduce(0) { $0 + $1.waiting.count + ($1.holder == nil ? 0 : 1) }
    }

    private func runPasses() {
        var changes = true
        while changes {
            changes = false
            for lane in lanes.indices { while step(lane) { changes = true } }
        }
    }

    private func dropExcess() {
        for lane in lanes.indices {
            while let most = lanes[lane].rule.maxWaiting, lanes[lane].waiting.count > most,
                let last = queue(lane).last
            {
                drop(lane, last, .queueFull)
            }
        }
        dropOverdue()
    }

    private func dropOverdue() {
        for lane in lanes.indices {
            if let holder = lanes[lane].holder, !holder.isOnScreen, isExpired(holder.rule) {
                lanes[lane].holder = nil
                gone(holder.task, .expired)
            }
            for task in queue(lane) {
                guard let rule = popup(task.id.popup) else { continue }
                if isExpired(rule) {
                    drop(lane, task, .expired)
                } else if let maxWait = rule.maxWait, !task.wasShown,
                    task.made + maxWait <= now.instant
                {
                    drop(lane, task, .waitedTooLong)
                }
            }
        }
    }

    private func isExpired(_ rule: PopupRule) -> Bool {
        rule.schedule?.until.map { $0 <= now.date } ?? false
    }

    private func step(_ lane: Int) -> Bool {
        guard let holder = lanes[lane].holder else { return choose(lane) }
        if !holder.isOnScreen { return review(lane, holder) }
        return tick(lane) || dismissCondition(lane) || considerSwitch(lane)
    }

    /// The first eligible task before a limit; drops what is passed over.
    private func passOver(_ lane: Int, before limit: (Int, Int)?) -> Task? {
        for var task in queue(lane) {
            if let limit, order(lane, task) >= limit { return nil }
            let reason = judge(lane, &task)
            keep(lane, task)
            guard let reason else { return task }
            let isSoft = [.suspended, .postponed, .delayed].contains(reason)
            if popup(task.id.popup)?.untriggered == .discard, !isSoft {
                drop(lane, task, .discardedUntriggered)
                // Its end may be what others wait for.
                if task.wasShown { return passOver(lane, before: limit) }
            }
        }
        return nil
    }

    private func keep(_ lane: Int, _ task: Task) {
        for index in lanes[lane].waiting.indices where lanes[lane].waiting[index].id == task.id {
            lanes[lane].waiting[index] = task
        }
    }

    private func choose(_ lane: Int) -> Bool {
        if lanes[lane].isSuspended || lanes[lane].gapEnds ?? .zero > now.instant { return false }
        guard let task = passOver(lane, before: nil), let rule = popup(task.id.popup) else {
            return false
        }
        lanes[lane].waiting.removeAll { $0.id == task.id }
        lanes[lane].holder = Holder(
            task: task, rule: rule, rules: rules, user: user,
            phase: .settling(until: now.instant + rule.grace))
        if rule.grace == .zero { ask(lane) }
        return true
    }

    private func ask(_ lane: Int) {
        lanes[lane].holder?.task.turn += 1
        lanes[lane].holder?.phase = .asked
        guard let task = lanes[lane].holder?.task else { return }
        emit(.willShow(task.id))
        output.append("ask \(task.id.number) \(task.turn)")
    }

    private func review(_ lane: Int, _ holder: Holder) -> Bool {
        var task = holder.task
        var isGood = !lanes[lane].isSuspended
        if isGood {
            isGood = judge(lane, &task) == nil
            lanes[lane].holder?.task = task
        }
        let before = lanes[lane].waiting.count
        if !isGood || passOver(lane, before: order(lane, task)) != nil {
            lanes[lane].holder = nil
            lanes[lane].waiting.append(task)
            return true
        }
        if lanes[lane].waiting.count < before {
            let reason = judge(lane, &task)
            lanes[lane].holder?.task = task
            if reason != nil { return true }
        }
        switch holder.phase {
        case .settling(let until):
            if until > now.instant { return false }
            ask(lane)
        case .allowed: present(lane)
        default: return false
        }
        return true
    }

    private func present(_ lane: Int) {
        guard var holder = lanes[lane].holder else { return }
        if !holder.task.wasShown {
            holder.impression = now.date
            record(.impression(popup: holder.rule.id, date: now.date))
            sessionCounts[user, default: [:]][holder.rule.id, default: 0] += 1
        }
        holder.task.wasShown = true
        holder.phase = .presenting(timeout: now.instant + .seconds(10))
        lanes[lane].holder = holder
        output.append("present \(holder.task.id.number) \(holder.task.turn)")
        let truth = dismissTruth(lane)
        lanes[lane].holder?.dismissWasTrue = truth == .yes
    }

    // MARK: On the screen

    func tick(_ lane: Int) -> Bool {
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

    private func tickVisible(_ lane: Int, _ holder: Holder, _ since: Duration) -> Bool {
        var leaving = holder.leaving
        let visible = holder.task.visibleTime + (now.instant - since)
        if leaving == nil, let hideAfter = holder.rule.hideAfter, visible >= hideAfter {
            leaving = (.timedOut, false, false)
        }
        guard let leaving else { return false }
        if leaving.isImmediate || now.instant >= since + holder.rule.minShow {
            startDismissal(lane, leaving)
            return true
        }
        lanes[lane].holder?.leaving = leaving
        return holder.leaving == nil
    }

    func becomeVisible(_ lane: Int) {
        guard let holder = lanes[lane].holder, case .presenting = holder.phase else { return }
        lanes[lane].holder?.phase = .showing(since: now.instant)
        emit(.shown(holder.task.id))
    }

    func startDismissal(
        _ lane: Int, _ leaving: (reason: ReasonCode, isImmediate: Bool, requeues: Bool)
    ) {
        guard var holder = lanes[lane].holder, case .showing(let since) = holder.phase else {
            return
        }
        holder.task.visibleTime += now.instant - since
        holder.leaving = leaving
        holder.phase = .dismissing(timeout: now.instant + .seconds(10))
        lanes[lane].holder = holder
        emit(.willDismiss(holder.task.id, leaving.reason))
        output.append("dismiss \(holder.task.id.number) \(holder.task.turn)")
    }

    func finish(_ lane: Int) {
        guard let holder = lanes[lane].holder, let leaving = holder.leaving else { return }
        lanes[lane].holder = nil
        lanes[lane].gapEnds = now.instant + lanes[lane].rule.gap.lowerBound
        if leaving.requeues, let rule = popup(holder.rule.id), !isExpired(rule) {
            lanes[rule.scheduler].waiting.append(holder.task)
            return emit(.requeued(holder.task.id))
        }
        record(
            .dismissal(popup: holder.rule.id, reason: leaving.reason, date: now.date),
            user: holder.user)
        emit(.dismissed(holder.task.id, leaving.reason))
    }

    private func dismissCondition(_ lane: Int) -> Bool {
        guard let holder = lanes[lane].holder, holder.leaving == nil,
            let truth = dismissTruth(lane)
        else { return false }
        lanes[lane].holder?.dismissWasTrue = truth == .yes
        guard truth == .yes, !holder.dismissWasTrue else { return false }
        leave(lane, .dismissCondition)
        return true
    }

    private func dismissTruth(_ lane: Int) -> Truth? {
        guard let holder = lanes[lane].holder, let condition = holder.rule.dismissWhen else {
            return nil
        }
        // It was compiled for the rules that it came with.
        let current = rules
        rules = holder.rules
        let truth = truth(condition)
        rules = current
        var last = holder.dismissError
        note(truth, &last, .dismissWhen, holder.rule.id)
        lanes[lane].holder?.dismissError = last
        return truth
    }

    private func considerSwitch(_ lane: Int) -> Bool {
        guard let holder = lanes[lane].holder, case .showing(let since) = holder.phase,
            holder.leaving == nil, lanes[lane].rule.strategy == .priority,
            !lanes[lane].isSuspended, holder.rule.switch != .await,
            since + holder.rule.minShow <= now.instant
        else { return false }
        for var task in queue(lane) {
            guard let rule = popup(task.id.popup) else { continue }
            let isMoreUrgent = rule.priority > holder.rule.priority
            let isNewerEqual =
                rule.priority == holder.rule.priority && lanes[lane].rule.tieBreak == .lifo
                && task.id.number > holder.task.id.number
            guard isMoreUrgent || isNewerEqual else { return false }
            let reason = judge(lane, &task)
            keep(lane, task)
            guard reason == nil else { continue }
            startDismissal(
                lane, (.preempted, false, holder.rule.switch == .latent && isMoreUrgent))
            return true
        }
        return false
    }
}
