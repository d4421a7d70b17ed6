internal import PopCEL
internal import PopScheduler
internal import PopSource

extension RuleCompiler {
    /// Nil if the zone isn't valid.
    mutating func schedule(_ located: Located<ScheduleModel>) -> Schedule? {
        let model = located.value
        guard let zone = zone(model.zone) else { return nil }
        let days = model.days.map { list in
            list.value.reduce(into: Set<Schedule.Weekday>()) { $0.formUnion($1.value) }
        }
        var schedule = Schedule(
            from: model.from?.value, until: model.until?.value, days: days,
            hours: model.hours?.value, zone: zone)
        schedule.when = model.when.flatMap { compile($0.value) ?? never(at: $0.range) }
        if case .named(let name) = zone, let calendar = LocalCalendar(zone: name, zones: .system) {
            // Without clock changes, local times are instants.
            schedule.from = schedule.from.map { .moment(calendar.start($0)) }
            schedule.until = schedule.until.map { .moment(calendar.end($0)) }
            checkWindow(schedule, model: model, calendar: calendar)
        } else {
            checkWindow(schedule, model: model, calendar: .utc)
        }
        return schedule
    }

    /// The zone that is written, UTC where none is; nil, and reported, where it names no key that
    /// could name one.
    mutating func zone(_ located: Located<ZoneModel>?) -> Zone? {
        guard let located else { return .utc }
        switch located.value {
        case .named(let name): return .named(name)
        case .local: return .local
        case .key(let name):
            guard let key = model.context.place(of: name) else { return nil }
            if let type = model.context.entries[key].type, type.value != .string {
                decoder.report(.zoneOfAnotherType(name, type.value, at: located.range))
                return nil
            }
            return .key(key)
        }
    }

    private mutating func checkWindow(
        _ schedule: Schedule, model: ScheduleModel, calendar: LocalCalendar
    ) {
        if let hours = schedule.hours, hours.from == hours.until, let range = model.hours?.range {
            decoder.report(.noHours(range))
            return
        }
        // Days that could not be read have a finding of their own.
        if schedule.days?.isEmpty == true { return }
        guard let from = schedule.from.map({ calendar.start($0) }),
            let until = schedule.until.map({ calendar.end($0) }), let first = model.from,
            let last = model.until
        else { return }
        if from >= until {
            decoder.report(.noTime(first.range, until: last.range, isEqual: from == until))
        } else if let culprit = model.days?.range ?? model.hours?.range,
            !schedule.opens(from: from, until: until, calendar)
        {
            decoder.report(
                .neverOpen(
                    at: culprit,
                    keys: [model.days.map { _ in "days" }, model.hours.map { _ in "hours" }]
                        .compactMap(\.self),
                    days: calendar.days(from: from, until: until), from: first.range,
                    until: last.range))
        }
    }
}

extension Schedule {
    /// Returns true if any of its days and hours is between two instants.
    fileprivate func opens(
        from: Timestamp, until: Timestamp, _ calendar: LocalCalendar
    ) -> Bool {
        if includes(from, calendar: calendar) { return true }
        return nextChange(after: from, calendar: calendar).map { $0 < until } ?? false
    }
}

extension LocalCalendar {
    /// Returns the days of the week between two instants, at most a week of them.
    fileprivate func days(from: Timestamp, until: Timestamp) -> [String] {
        let first = civil(at: from).dayNumber
        let last = civil(at: Timestamp(seconds: until.seconds - 1)).dayNumber
        // 1970 began on a Thursday.
        return (first...max(first, min(last, first + 6))).map {
            weekdayNames[(($0 + 3) % 7 + 7) % 7]
        }
    }
}

extension Diagnostic {
    fileprivate static func zoneOfAnotherType(
        _ key: String, _ type: CELType, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .timeUnknownZone,
            message: "`\(key)` is \(withArticle("\(type)")), which cannot name a time zone",
            at: range, label: "not a string",
            help: ["use a context key of the type `string` for the time zone"])
    }

    fileprivate static func noTime(
        _ from: SourceRange, until: SourceRange, isEqual: Bool
    ) -> Self {
        let order = isEqual ? "when" : "before"
        return Diagnostic(
            .timeEmptyWindow,
            message: "the schedule ends \(order) it starts, so the popup never shows",
            at: until, label: "the end (not included)",
            secondary: [Label("the start", at: from)],
            help: [
                "write the next day as `until` for a single day: a date means midnight at the start"
                    + " of that day"
            ])
    }

    fileprivate static func neverOpen(
        at range: SourceRange, keys: [String], days: [String], from: SourceRange,
        until: SourceRange
    ) -> Self {
        Diagnostic(
            .timeEmptyWindow,
            message:
                "no time between `from` and `until` matches \(enumeration(keys)), so the popup"
                + " never shows",
            at: range, label: "matches no time between `from` and `until`",
            secondary: [
                Label("the period starts here", at: from),
                Label("the period ends here", at: until),
            ],
            notes: ["the period is on \(enumeration(days))"],
            help: ["change \(enumeration(keys)), or move `from` or `until`"])
    }

    fileprivate static func noHours(_ range: SourceRange) -> Self {
        Diagnostic(
            .timeEmptyWindow,
            message: "`hours` start and end at the same time, so the popup never shows",
            at: range, label: "an empty period",
            help: ["remove `hours` or write `00:00-24:00` to mean the whole day"])
    }
}
