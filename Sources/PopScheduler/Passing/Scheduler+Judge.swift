package import PopCEL

// The tests come in the order in which their reason codes are documented; the first test that fails
// decides.
extension Scheduler {
    mutating func judge(_ popup: PopupIndex, task: LiveTask.Claim) -> Eligibility {
        var verdict = Eligibility()
        if isForced(popup) {
            judgePostponement(task, into: &verdict)
            return verdict
        }
        judgeWhatComesBefore(popup, task: task, into: &verdict)
        if verdict.obstacle == nil { judgeCondition(popup, into: &verdict) }
        if verdict.obstacle == nil { judgeDismissCondition(popup, into: &verdict) }
        return verdict
    }

    /// Runs all tests whose reasons come before the condition.
    private mutating func judgeWhatComesBefore(
        _ popup: PopupIndex, task: LiveTask.Claim, into verdict: inout Eligibility
    ) {
        if catalog.traits[popup].isQuiet { judgeQuietHours(into: &verdict) }
        if verdict.obstacle == nil { judgeWaiting(popup, task: task, into: &verdict) }
        let isPlain = catalog.traits[popup].isPlain
        if !isPlain {
            if verdict.obstacle == nil { judgeSchedule(popup, into: &verdict) }
            if verdict.obstacle == nil { judgePredecessors(popup, into: &verdict) }
            if verdict.obstacle == nil { judgeGroup(popup, task: task, into: &verdict) }
        }
        guard verdict.obstacle == nil, !hasPlace(popup, task: task) else { return }
        if !isPlain { judgeOwnCaps(popup, into: &verdict) }
        judgeSharedCaps(of: popup, areOfGroup: false, into: &verdict)
    }

    /// Checks quiet hours. A task that would be dropped when it is passed over is judged again when
    /// they begin, because nothing is dropped during quiet hours.
    private mutating func judgeQuietHours(into verdict: inout Eligibility) {
        if quietSpan?.includes(now.date) != true { quietSpan = lookUpQuietSpan() }
        guard let quietSpan else { return }
        let change = Deadline.at(quietSpan.ends)
        verdict.keepDepending(until: change, on: [])
        if quietSpan.isQuiet { verdict.block(.quietHours, until: change) }
    }

    private func lookUpQuietSpan() -> QuietSpan? {
        guard let quiet = catalog.rules.quiet else { return nil }
        let calendar = calendar(of: quiet.zone)
        let hours = Schedule(hours: quiet.hours)
        return QuietSpan(
            begins: now.date, ends: hours.nextChange(after: now.date, calendar: calendar),
            isQuiet: hours.includes(now.date, calendar: calendar))
    }

    private func judgeWaiting(
        _ popup: PopupIndex, task: LiveTask.Claim, into verdict: inout Eligibility
    ) {
        judgePostponement(task, into: &verdict)
        if verdict.obstacle == nil, !catalog.traits[popup].isPlain {
            let delayed =
                task.made + delay(of: popup, task: task)
                + absences.time(from: task.made, to: now.instant)
            if delayed > now.instant { verdict.block(.delayed, until: .at(delayed)) }
        }
    }

    private func judgePostponement(_ task: LiveTask.Claim, into verdict: inout Eligibility) {
        guard let postponed = task.postponedUntil, postponed > now.instant else { return }
        verdict.block(.postponed, until: .at(postponed))
    }

    /// Returns the delay of a task after it was made, under the current rules.
    private func delay(of popup: PopupIndex, task: LiveTask.Claim) -> Duration {
        draws.duration(
            from: catalog.popups[popup].timing.delay, for: .delay, of: catalog.traits[popup].id,
            user: memory.user, number: task.delay ?? 0)
    }

    private func judgePredecessors(_ popup: PopupIndex, into verdict: inout Eligibility) {
        let predecessors = catalog.popups[popup].after
        for predecessor in predecessors {
            let end = end(of: predecessor)
            if let end, end <= now.date { continue }
            return verdict.block(
                .awaitingPredecessor, until: .at(end),
                on: [conditions.keys.predecessor(predecessor.popup)])
        }
        if predecessors.isEmpty { return }
        verdict.depend(on: predecessors.map { conditions.keys.predecessor($0.popup) })
    }

    /// Returns the date from which another popup may come after a popup; nil if it isn't known yet.
    func end(of predecessor: Predecessor) -> Timestamp? {
        let popup = predecessor.popup
        guard wasShownAndIsGone(popup) else { return nil }
        if predecessor.action == nil, predecessor.since == .zero { return .min }
        let gone =
            if let action = predecessor.action {
                memory.history.action(action, of: popup)?.lastEnd
            } else {
                memory.history.lastGone(popup) ?? .min
            }
        return predecessor.since == .zero
            ? gone.map { _ in .min } : gone?.advanced(by: predecessor.since)
    }

    /// Returns true if a popup was shown, is on no screen, and isn't about to come back to a
    /// screen. An app that terminated while it showed the popup has left no task that could come
    /// back.
    func wasShownAndIsGone(_ popup: PopupIndex) -> Bool {
        memory.history.wasShown(popup) && !queues.tasks.wasShown(popup)
            && lanes.occupied(by: catalog.traits[popup].id) == nil
    }

    /// Wakes popups that may come after a popup that appeared, was dismissed or ended.
    mutating func predecessorChanged(_ popup: PopupIndex) {
        guard catalog.traits[popup].isPredecessor else { return }
        wake(watcherOf: conditions.keys.predecessor(popup))
    }

    private mutating func judgeGroup(
        _ popup: PopupIndex, task: LiveTask.Claim, into verdict: inout Eligibility
    ) {
        guard let index = catalog.popups[popup].group else { return }
        let group = catalog.rules.groups[index]
        if let condition = group.when {
            let (truth, ends) = truth(of: condition)
            verdict.group = truth
            guard truth == .yes else {
                return verdict.block(
                    .groupConditionFalse, until: .at(ends), on: condition.program.slots)
            }
            verdict.keepDepending(until: .at(ends), on: condition.program.slots)
        }
        if !hasPlace(popup, task: task) {
            judgeSharedCaps(of: popup, areOfGroup: true, into: &verdict)
        }
    }

    /// Judges one kind of caps that the popup shares with others: the caps of its group, or those
    /// of its scheduler and of `limits`.
    private func judgeSharedCaps(
        of popup: PopupIndex, areOfGroup: Bool, into verdict: inout Eligibility
    ) {
        if catalog.sharedCaps.count == 0 || catalog.isForeign(popup) { return }
        for index in catalog.sharedCaps(of: popup) where verdict.obstacle == nil {
            let shared = catalog.sharedCaps[index]
            guard areOfGroup == (shared.reason == .groupCap) else { continue }
            let key = shared.cap.key
            let counted = key.map { self.counted(index, by: $0) } ?? memory.counted(index)
            verdict.limit(
                by: shared.cap, for: shared.reason, counted: counted, now: now.date,
                calendar: calendar(of: shared.cap),
                on: [conditions.keys.sharedCap(index)] + slots(of: key))
        }
    }

    /// Returns the slot to watch of a key for each of whose values something is counted.
    private func slots(of key: KeyIndex?) -> [SlotIndex] {
        key.map { [conditions.slot(ofKey: $0)] } ?? []
    }

    // Only the popup's own impressions and exposures count here, and it makes none while it waits.
    // So there is nothing to watch except the keys for whose values they count. A popup that is
    // still on a screen for the same user, from before a switch of users, wakes its task itself.
    private func judgeOwnCaps(_ popup: PopupIndex, into verdict: inout Eligibility) {
        guard let caps = catalog.popups[popup].capsIfAny else { return }
        let counted = memory.history.counted(popup)
        if let most = caps.perSession {
            let seen = counted.inSession
            if seen >= most { return verdict.block(.sessionCap) }
            if seen + counted.reserved >= most { verdict.reserve(.sessionCap) }
        }
        if let every = caps.every {
            let cooldown = WindowCap(max: 1, per: .rolling(every))
            verdict.limit(by: cooldown, for: .cooldown, counted: counted, now: now.date)
        }
        if let pause = caps.afterClose { judgePause(pause, of: popup, into: &verdict) }
        judgeClosings(caps, of: popup, into: &verdict)
        // A session cap has the same reason code wherever the rules declare it.
        for cap in caps.windows where verdict.obstacle == nil {
            let zone = catalog.popups[popup].timing.commonZone
            verdict.limit(
                by: cap, for: cap.per == .session ? .sessionCap : .periodCap,
                counted: cap.key.map { self.counted(of: popup, by: $0) } ?? counted,
                now: now.date, calendar: calendar(of: cap, in: zone), on: slots(of: cap.key))
        }
    }

    /// Blocks the popup if users closed or refused it too often for the current value of a key,
    /// until the key has another value.
    private func judgeClosings(_ caps: Caps, of popup: PopupIndex, into verdict: inout Eligibility)
    {
        guard verdict.obstacle == nil, let most = caps.closes, let key = caps.closesPer else {
            return
        }
        if closings(of: popup, by: key) >= most {
            verdict.block(.closedTooOften, on: slots(of: key))
        } else {
            verdict.depend(on: slots(of: key))
        }
    }

    /// Blocks the popup for a time after what users did with it before.
    private func judgePause(
        _ pause: PauseAfterClose, of popup: PopupIndex, into verdict: inout Eligibility
    ) {
        guard verdict.obstacle == nil else { return }
        let actions = catalog.rules.actions(of: catalog.popups[popup])
        let ends = pause.ends(after: memory.history.actions(popup), declared: actions)
        if let ends, ends > now.date { verdict.block(.closedRecently, until: .at(ends)) }
    }

    /// Returns true if caps no longer block a task: its impression is made, or a place is reserved
    /// for it.
    private func hasPlace(_ popup: PopupIndex, task: LiveTask.Claim) -> Bool {
        if task.wasShown { return true }
        guard let chosen = lanes[catalog.traits[popup].lane].chosen else { return false }
        return chosen.popup == popup && chosen.reserved != nil
    }

    private mutating func judgeDismissCondition(
        _ popup: PopupIndex, into verdict: inout Eligibility
    ) {
        guard let condition = catalog.popups[popup].dismissWhen else { return }
        // If it weren't open, the schedule would block the popup.
        conditions.setScheduleOpen(true)
        let (truth, ends) = truth(of: condition)
        verdict.decideDismissal(
            truth, until: ends, by: condition.program.slots,
            beside: Array(catalog.slotsOfCondition(popup)))
    }

    private mutating func judgeCondition(_ popup: PopupIndex, into verdict: inout Eligibility) {
        if let isTrue = catalog.truth(of: popup) {
            if !isTrue { verdict.block(.conditionFalse) }
            return
        }
        guard let (truth, ends) = truthOfCondition(popup) else { return }
        verdict.decide(truth, until: ends, by: Array(catalog.slotsOfCondition(popup)))
    }

    /// Returns the result of a popup's condition, and the date at which it may change by itself;
    /// nil if the popup has no condition.
    mutating func truthOfCondition(_ popup: PopupIndex) -> (truth: Truth, ends: Timestamp?)? {
        // Most conditions are decided by the bits of slots that time doesn't change, without
        // reading a rule.
        if catalog.traits[popup].isUsual,
            let isMet = conditions.isMet(
                catalog.traits[popup].condition, in: catalog.conditions)
        {
            return (isMet ? .yes : .no, nil)
        }
        return catalog.popups[popup].when.map { truth(of: $0) }
    }

    mutating func truth(of condition: Condition) -> (truth: Truth, ends: Timestamp?) {
        conditions.truth(of: condition, events: memory.history.events)
    }
}

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
    mutating func judgeSchedule(_ popup: PopupIndex, into verdict: inout Eligibility) {
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

// Calendars and clocks of time zones.
extension Scheduler {
    /// Returns the calendar of a zone; the host's calendar if the value of a key isn't the name of
    /// a zone.
    ///
    /// An unknown name counts as UTC; rule files with such a name are refused before they get here.
    package func calendar(of zone: Zone) -> LocalCalendar {
        switch zone {
        case .named(let name): LocalCalendar(zone: name, zones: timeZones) ?? .utc
        case .local: hostCalendar
        case .key(let key): self.calendar(named: conditions.value(ofKey: key)) ?? hostCalendar
        }
    }

    /// Returns the calendar of a zone that former rules name.
    func calendar(of zone: Zone, under former: RuleSet?) -> LocalCalendar {
        guard let former, case .key(let index) = zone else { return calendar(of: zone) }
        let key = former.keys[index]
        return calendar(named: conditions.context[key.name] ?? key.defaultValue) ?? hostCalendar
    }

    /// Returns the calendar that a cap counts in; the calendar of `zone` if the cap itself names
    /// none.
    func calendar(of cap: WindowCap, in zone: Zone? = nil) -> LocalCalendar {
        guard case .calendar = cap.per else { return .utc }
        return calendar(of: cap.zone ?? zone ?? .utc)
    }

    private var hostCalendar: LocalCalendar {
        LocalCalendar(zone: hostZone, zones: timeZones) ?? .utc
    }

    private func calendar(named value: Value?) -> LocalCalendar? {
        guard case .string(let name)? = value, !name.isEmpty else { return nil }
        return LocalCalendar(zone: name, zones: timeZones)
    }

    /// Handles a change of the host's zone.
    mutating func zoneChanged(_ zone: String) {
        guard LocalCalendar(zone: zone, zones: timeZones) != nil else {
            return emit(.rejected(.unknownZone(zone)))
        }
        if zone == hostZone { return }
        hostZone = zone
        clocksChanged()
    }

    /// Handles a change of a key that may name a zone.
    mutating func keyChanged(_ key: KeyIndex) {
        guard catalog.movingZones.keys.contains(key) else { return }
        clocksChanged()
        reportZones()
    }

    /// Examines again everything that depends on the zone of the host or of a key.
    private mutating func clocksChanged() {
        quietSpan = nil
        for popup in catalog.movingZones.popups where queues.tasks.isLive(popup) {
            wake(popup)
            scheduleDeadlines(popup)
        }
        for lane in lanes.indices where lanes[lane].isOccupied {
            lanes[lane].recheckDismissCondition()
        }
    }

    /// Reports, once for each value, that the value of a key isn't the name of a zone.
    mutating func reportZones() {
        guard hasStarted else { return }
        for key in catalog.movingZones.keys {
            let value = conditions.value(ofKey: key)
            let name = catalog.rules.keys[key].name
            let text: String? = if case .string(let text)? = value { text } else { nil }
            if calendar(named: value) != nil {
                reportedZones[name] = nil
            } else if reportedZones.updateValue(text, forKey: name) != .some(text) {
                emit(.zoneUnknown(key: name, text))
            }
        }
    }
}
