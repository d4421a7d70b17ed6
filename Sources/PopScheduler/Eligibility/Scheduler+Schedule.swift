package import PopCEL

/// What the entries of a schedule come to together.
private struct Openings {
    var isOpen = false
    /// Whether the beginning of one has come.
    var hasBegun = false
    /// Of those that have begun: whether the `when` of one is true.
    var isMet = false
    /// The first of those that have begun whose `when` is not true, and what that came to.
    var unmet: (condition: Condition, truth: Truth)?
    var error: Truth?
    /// What the answer hangs on.
    var ends = Deadline.never
    var slots: [SlotIndex] = []
}

extension Scheduler {
    mutating func judgeSchedule(_ popup: PopupIndex, into verdict: inout Verdict) {
        let entries = catalog.popups[popup].timing.schedule
        if entries.isEmpty { return }
        var openings = Openings()
        for entry in entries { look(at: entry, into: &openings) }
        if entries.contains(where: { $0.when != nil }) {
            verdict.schedule = openings.error ?? openings.unmet?.truth ?? .yes
            verdict.keepDepending(until: openings.ends, on: openings.slots)
        } else {
            verdict.depend(until: openings.ends)
        }
        if openings.isOpen { return }
        if !openings.hasBegun {
            verdict.block(.beforeStart, until: openings.ends)
        } else if openings.isMet {
            verdict.block(.outsideHours, until: openings.ends)
        } else {
            verdict.scheduleCondition = openings.unmet?.condition
            verdict.block(openings.error == nil ? .conditionFalse : .conditionError)
        }
    }

    private mutating func look(at entry: Schedule, into openings: inout Openings) {
        let calendar = calendar(of: entry.zone)
        let from = entry.from.map { calendar.start($0) }
        let until = entry.until.map { calendar.end($0) }
        if let from, now.date < from {
            openings.ends = openings.ends.or(.at(from))
            return
        }
        openings.hasBegun = true
        let isOver = until.map { $0 <= now.date } ?? false
        if !isOver {
            let change = entry.nextChange(after: now.date, calendar: calendar)
            openings.ends = openings.ends.or(.at(earlier(until, change)))
        }
        guard holds(entry.when, into: &openings) else { return }
        openings.isMet = true
        if !isOver, entry.includes(now.date, calendar: calendar) { openings.isOpen = true }
    }

    private mutating func holds(_ condition: Condition?, into openings: inout Openings) -> Bool {
        guard let condition else { return true }
        let (truth, ends) = truth(of: condition)
        openings.slots += condition.program.slots
        openings.ends = openings.ends.or(.at(ends))
        if truth == .yes { return true }
        openings.unmet = openings.unmet ?? (condition, truth)
        if truth.error != nil { openings.error = openings.error ?? truth }
        return false
    }

    /// When the schedule of a popup is over for good; nil when it is never, or there is none.
    func scheduleEnds(_ popup: PopupIndex) -> Timestamp? {
        if catalog.traits[popup].isPlain { return nil }
        var last: Timestamp?
        for entry in catalog.popups[popup].timing.schedule {
            guard let until = entry.until else { return nil }
            let end = calendar(of: entry.zone).end(until)
            last = max(last ?? end, end)
        }
        return last
    }

    /// Whether the schedule of a popup is over for good.
    func isExpired(_ popup: PopupIndex) -> Bool {
        scheduleEnds(popup).map { $0 <= now.date } ?? false
    }
}

extension LocalCalendar {
    /// The instant of a beginning: the first at which the clocks read it, or the end of the gap in
    /// which they do not.
    package func start(_ bound: Schedule.Bound) -> Timestamp {
        switch bound {
        case .moment(let moment): moment
        case .day(let day): start(ofDay: day)
        case .reading(let seconds): instants(atReading: seconds).lowerBound
        }
    }

    /// The instant of an end: the last at which the clocks read it, or the end of the gap in which
    /// they do not.
    package func end(_ bound: Schedule.Bound) -> Timestamp {
        switch bound {
        case .moment(let moment): moment
        case .day(let day): start(ofDay: day)
        case .reading(let seconds): instants(atReading: seconds).upperBound
        }
    }
}
