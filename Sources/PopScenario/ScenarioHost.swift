package import PopScheduler
package import PopSource

/// An app without a screen: it answers the scheduler immediately, except for the faults that a
/// scenario injects, and its clock only moves on request.
///
/// The caller passes an event, and observes the effects:
///
///     host.post(.started)
///     while let effects = host.next() {
///         for effect in effects { observe(effect) }
///     }
///
/// While it observes effects, the scheduler is in the state right after them: the host's answers
/// are handled by the next call of `next()`.
package struct ScenarioHost: Sendable {
    package private(set) var scheduler: Scheduler
    package private(set) var now: Moment
    /// By popup, the fault of its next presentation.
    package private(set) var faults: [String: Fault] = [:]
    /// The popups whose next dismissal never ends.
    package private(set) var stuck: Set<String> = []
    /// True if the budget is used up; nothing happens after that.
    package private(set) var isCutShort = false

    /// The events that the scheduler handles next: an event, then the answers to its effects.
    private var inbox: [Event] = []
    private var handled = 0
    /// The limit for all events; nil if the caller counts the work itself.
    private let work: Work?
    /// The work of the scheduler before the event that was posted.
    private var workBefore = 0

    /// The work that a host may do.
    package struct Work: Sendable {
        package let budget: WorkBudget
        package let cost: JudgingCost

        package init(_ budget: WorkBudget, cost: JudgingCost) {
            self.budget = budget
            self.cost = cost
        }
    }

    /// Creates a host whose app hasn't started yet.
    ///
    /// - Parameter work: The limit that events are charged to; nil for no limit.
    package init(_ scheduler: Scheduler, at now: Moment, work: Work? = nil) {
        self.scheduler = scheduler
        self.now = now
        self.work = work
    }

    /// Continues with another scheduler, as after a restart of the app; faults stay.
    package mutating func restart(with scheduler: Scheduler) { self.scheduler = scheduler }
}

// MARK: Events

extension ScenarioHost {
    /// Takes an event that the scheduler handles next.
    package mutating func post(_ event: Event) {
        guard !isCutShort, work?.budget.charge(.simulatedSteps) != false else {
            isCutShort = true
            return
        }
        workBefore = scheduler.work
        inbox.append(event)
    }

    /// Passes the next event to the scheduler, and answers the effects. Returns the effects; nil if
    /// no event is left.
    package mutating func next() -> [Effect]? {
        guard handled < inbox.count else {
            finish()
            return nil
        }
        let effects = scheduler.handle(inbox[handled], at: now)
        handled += 1
        for effect in effects {
            if let answer = answer(to: effect) { inbox.append(answer) }
        }
        return effects
    }

    /// Charges the work of the event that was posted.
    private mutating func finish() {
        guard let event = inbox.first else { return }
        inbox.removeAll(keepingCapacity: true)
        handled = 0
        guard let work else { return }
        var judged = scheduler.work - workBefore
        if case .reload(let rules, _) = event { judged += JudgingCost(rules).ofStart }
        if case .send = event { judged += work.cost.ofFilters }
        charge(judged: judged)
    }

    /// Charges work that isn't caused by events.
    ///
    /// - Parameters:
    ///   - starts: The number of times that an app starts.
    ///   - judged: The number of popups that are judged.
    ///   - others: Other work, in popups without caps.
    /// - Returns: True if the budget allows it.
    @discardableResult
    package mutating func charge(starts: Int = 0, judged: Int = 0, others: Int = 0) -> Bool {
        guard let work else { return true }
        let amount = work.cost.ofStart * starts + work.cost.ofPopup * judged + others
        let isAllowed = !isCutShort && work.budget.charge(.judgedPopups, amount)
        if !isAllowed { isCutShort = true }
        return isAllowed
    }

    /// Ends the scenario, because a limit was exceeded.
    package mutating func cutShort() { isCutShort = true }
}

// MARK: Answers

extension ScenarioHost {
    /// Injects a fault into the next presentation, or the next dismissal, of a popup.
    package mutating func inject(_ fault: Fault, into popup: String) {
        if fault == .hangDismissal { stuck.insert(popup) } else { faults[popup] = fault }
    }

    private mutating func answer(to effect: Effect) -> Event? {
        switch effect {
        case .askWillShow(let presentation):
            guard !faults.isEmpty, let answer = faults[presentation.popup.id]?.answer else {
                return .answered(presentation.id, .show)
            }
            faults[presentation.popup.id] = nil
            return .answered(presentation.id, answer)
        case .present(let presentation):
            switch faults.isEmpty ? nil : faults.removeValue(forKey: presentation.popup.id) {
            case .fail?: return .presentFailed(presentation.id, message: "the test made it fail")
            case .hang?: return nil
            case .veto?, .postpone?, .hangDismissal?, nil: return .didPresent(presentation.id)
            }
        case .dismiss(let id):
            let isStuck = !stuck.isEmpty && stuck.remove(id.task.popup) != nil
            return isStuck ? nil : .didDismiss(id)
        case .record, .emit: return nil
        }
    }
}

// MARK: Time

extension ScenarioHost {
    /// Moves the clock to the next time at which the scheduler asks to be woken, and posts that
    /// time has passed. Returns false if nothing happens by `end`.
    package mutating func wake(by end: Moment) -> Bool {
        guard let wake = scheduler.nextWake, wake <= end.instant else { return false }
        now = now.advanced(by: max(.zero, wake - now.instant))
        post(.timePassed)
        return true
    }

    /// Moves the clock without an event.
    package mutating func move(to moment: Moment) { now = moment }
}

/// A fault of a presentation or a dismissal.
package enum Fault: Sendable, Hashable {
    /// The app cancels the presentation.
    case veto
    /// The app postpones it.
    case postpone(Duration)
    /// The presentation fails.
    case fail
    /// The presentation never ends.
    case hang
    /// The dismissal never ends.
    case hangDismissal

    fileprivate var answer: WillShowAnswer? {
        switch self {
        case .veto: .cancel
        case .postpone(let duration): .postpone(duration)
        case .fail, .hang, .hangDismissal: nil
        }
    }
}
