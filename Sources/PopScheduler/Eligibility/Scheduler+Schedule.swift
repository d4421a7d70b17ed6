package import PopCEL

/// The combined result of the entries of a schedule.
struct Openings {
    fileprivate(set) var isOpen = false
    /// True if an entry has begun.
    fileprivate var hasBegun = false
    /// True if an entry that has begun has a true `when` or none.
    fileprivate var isMet = false
    /// The first entry that has begun and whose `when` isn't true, with the result of that `when`.
    fileprivate var unmet: (condition: Condition, truth: Truth)?
    fileprivate var error: Truth?
    /// The deadline at which the result may change by itself.
    fileprivate(set) var ends = Deadline.never
    /// The slots that the result depends on, in addition to time.
    fileprivate(set) var slots: [SlotIndex] = []
}

extension Scheduler {
    mutating func judgeSchedule(_ popup: PopupIndex, into verdict: inout Verdict) {
        let entries = catalog.popups[popup].timing.schedule
        if entries.isEmpty { return }
        let openings = openings(of: entries)
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

    /// Returns the combined result of the entries of a schedule, also under former rules. A
    /// schedule without entries is open.
    mutating func openings(of entries: [Schedule], under former: RuleSet? = nil) -> Openings {
        var openings = Openings()
        openings.isOpen = entries.isEmpty
        for entry in entries { look(at: entry, under: former, into: &openings) }
        return openings
    }

    private mutating func look(
        at entry: Schedule, under former: RuleSet?, into openings: inout Openings
    ) {
        let calendar = calendar(of: entry.zone, under: former)
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
        guard holds(entry.when, under: former, into: &openings) else { return }
        openings.isMet = true
        if !isOver, entry.includes(now.date, calendar: calendar) { openings.isOpen = true }
    }

    private mutating func holds(
        _ condition: Condition?, under former: RuleSet?, into openings: inout Openings
    ) -> Bool {
        guard let condition else { return true }
        let (truth, ends) =
            if let former { truth(of: condition, under: former) } else { truth(of: condition) }
        openings.slots += condition.program.slots
        openings.ends = openings.ends.or(.at(ends))
        if truth == .yes { return true }
        openings.unmet = openings.unmet ?? (condition, truth)
        if truth.error != nil { openings.error = openings.error ?? truth }
        return false
    }

    /// Returns the date at which the schedule of a popup ends permanently; nil if it never ends or
    /// there is no schedule.
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

    /// Returns true if the schedule of a popup has ended permanently.
    func isExpired(_ popup: PopupIndex) -> Bool {
        scheduleEnds(popup).map { $0 <= now.date } ?? false
    }
}

extension LocalCalendar {
    /// Returns the instant of a beginning: the first instant at which the clocks show this time, or
    /// the end of the gap in which they skip it.
    package func start(_ bound: Schedule.Bound) -> Timestamp {
        switch bound {
        case .moment(let moment): moment
        case .day(let day): start(ofDay: day)
        case .reading(let seconds): instants(atReading: seconds).lowerBound
        }
    }

    /// Returns the instant of an end: the last instant at which the clocks show this time, or the
    /// end of the gap in which they skip it.
    package func end(_ bound: Schedule.Bound) -> Timestamp {
        switch bound {
        case .moment(let moment): moment
        case .day(let day): start(ofDay: day)
        case .reading(let seconds): instants(atReading: seconds).upperBound
        }
    }
}
