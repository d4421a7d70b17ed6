internal import PopCEL
internal import PopScheduler
internal import PopSource

extension Compiler {
    mutating func schedule(_ located: Located<ScheduleModel>) -> Schedule? {
        let model = located.value
        guard let calendar = LocalCalendar(zone: model.zone?.value, zones: SystemTimeZones()) else {
            return nil
        }
        let days = model.days.map { list in
            list.value.reduce(into: Set<Schedule.Weekday>()) { $0.formUnion($1.value) }
        }
        let schedule = Schedule(
            from: model.from.map { calendar.instant($0.value) },
            until: model.until.map { calendar.instant($0.value) }, days: days,
            hours: model.hours?.value, zone: model.zone?.value)
        checkWindow(schedule, model)
        return schedule
    }

    private mutating func checkWindow(_ schedule: Schedule, _ model: ScheduleModel) {
        if let from = schedule.from, let until = schedule.until, from >= until,
            let first = model.from, let last = model.until
        {
            decoder.report(.noTime(first.range, last.range, isEqual: from == until))
        }
        if let hours = schedule.hours, hours.from == hours.until, let range = model.hours?.range {
            decoder.report(.noHours(range))
        }
    }
}

extension LocalCalendar {
    /// The instant of a bound: of a day, its first.
    fileprivate func instant(_ bound: ScheduleBound) -> Timestamp {
        switch bound {
        case .moment(let moment): return moment
        case .day(let day):
            // Noon in UTC lies on the day, on the one before or on the one after, in every zone.
            let noon = Timestamp(seconds: Int64(day) * 86_400 + 43_200)
            let wanted = LocalCalendar.utc.civil(at: noon)
            let here = civil(at: noon)
            let (a, b) = (
                (wanted.year, wanted.month, wanted.day), (here.year, here.month, here.day)
            )
            let off: Int64 = a == b ? 0 : a > b ? 86_400 : -86_400
            return startOfDay(at: Timestamp(seconds: noon.seconds + off))
        }
    }
}

extension Diagnostic {
    fileprivate static func noTime(
        _ from: SourceRange, _ until: SourceRange, isEqual: Bool
    ) -> Self {
        let order = isEqual ? "at the moment at which" : "before"
        return Diagnostic(
            .timeEmptyWindow, "the schedule ends \(order) it begins, so the popup never shows",
            at: until, label: "the end, not included",
            secondary: [Label("the beginning", at: from)],
            help: [
                "a date means the midnight that begins it: for a single day write the next day"
                    + " as `until`"
            ])
    }

    fileprivate static func noHours(_ range: SourceRange) -> Self {
        Diagnostic(
            .timeEmptyWindow, "`hours` begin and end at the same time, so the popup never shows",
            at: range, label: "no time at all",
            help: ["for the whole day remove `hours`, or write `00:00-24:00`"])
    }
}
