import PopCEL
import PopScheduler

extension Model {
    /// Returns the reason that no entry of a schedule is open; nil if one is open.
    func schedule(_ rule: PopupRule, _ task: inout Task) -> ReasonCode? {
        let entries = rule.timing.schedule
        if entries.isEmpty { return nil }
        let begun = entries.filter { entry in
            entry.from.map { start($0, of: entry.zone) <= now.date } ?? true
        }
        let truths = begun.map { entry in entry.when.map { truth($0) } ?? .yes }
        if entries.contains(where: { $0.when != nil }) {
            let error = truths.first { if case .error = $0 { true } else { false } }
            note(error ?? .yes, &task, .scheduleWhen)
            see(.scheduleError, when: error != nil)
        }
        let isOpen = zip(begun, truths).contains { entry, truth in
            truth == .yes && includesNow(entry)
                && entry.until.map { end($0, of: entry.zone) > now.date } ?? true
        }
        see(.openBySecondEntry, when: isOpen && entries.count > 1 && !includesNow(entries[0]))
        if isOpen { return nil }
        if begun.isEmpty { return .beforeStart }
        if truths.contains(.yes) { return .outsideHours }
        let hasErred = truths.contains { if case .error = $0 { true } else { false } }
        return hasErred ? .conditionError : .conditionFalse
    }

    /// Returns true if a schedule is open; a popup without a schedule may always show.
    func isOpen(_ rule: PopupRule) -> Bool {
        let entries = rule.timing.schedule
        return entries.isEmpty
            || entries.contains { entry in
                entry.from.map { start($0, of: entry.zone) <= now.date } ?? true
                    && entry.until.map { end($0, of: entry.zone) > now.date } ?? true
                    && includesNow(entry) && entry.when.map { truth($0) == .yes } ?? true
            }
    }

    private func includesNow(_ schedule: Schedule) -> Bool {
        let civil = calendar(schedule.zone).civil(at: now.date)
        func isDay(_ day: Int) -> Bool {
            schedule.days.map { days in days.contains { $0.rawValue == day } } ?? true
        }
        guard let hours = schedule.hours else { return isDay(civil.dayOfISOWeek) }
        let minute = civil.hour * 60 + civil.minute
        let yesterday = (civil.dayOfISOWeek + 6) % 7
        return hours.from < hours.until
            ? (hours.from..<hours.until).contains(minute) && isDay(civil.dayOfISOWeek)
            : minute >= hours.from && isDay(civil.dayOfISOWeek)
                || minute < hours.until && isDay(yesterday)
    }

    // MARK: Zones

    func calendar(_ zone: Zone) -> LocalCalendar {
        let host = LocalCalendar(zone: hostZone, zones: .system) ?? .utc
        switch zone {
        case .named(let name): return LocalCalendar(zone: name, zones: .system) ?? .utc
        case .local: return host
        case .key(let key): return named(key) ?? host
        }
    }

    /// The zone that a key names.
    private func named(_ key: KeyIndex) -> LocalCalendar? {
        guard case .string(let name)? = value(ofKey: key), !name.isEmpty else { return nil }
        return LocalCalendar(zone: name, zones: .system)
    }

    func start(_ bound: Schedule.Bound, of zone: Zone) -> Timestamp {
        instants(bound, of: zone).first ?? .min
    }

    func end(_ bound: Schedule.Bound, of zone: Zone) -> Timestamp {
        instants(bound, of: zone).last ?? .max
    }

    /// The clocks of these rules are a few minutes from UTC and skip nothing.
    private func instants(_ bound: Schedule.Bound, of zone: Zone) -> [Timestamp] {
        let reading: Int64
        switch bound {
        case .moment(let moment): return [moment]
        case .day(let day): reading = Int64(day) * 86_400
        case .reading(let seconds): reading = seconds
        }
        return (-2...2).map { Timestamp(seconds: reading + $0 * 60) }.filter {
            let civil = calendar(zone).civil(at: $0)
            let minutes = Int64(civil.dayNumber * 1440 + civil.minuteOfDay)
            return minutes * 60 == reading - reading % 60
        }
    }

    /// Reports, once for each value, that a key for a time zone has a value that isn't a zone.
    func reportZones() {
        guard hasStarted else { return }
        let zones = rules.popups.flatMap { popup in
            popup.timing.schedule.map(\.zone) + popup.caps.windows.compactMap(\.zone)
                + shared(popup).compactMap(\.cap.zone) + [quiet(popup)?.zone].compactMap { $0 }
        }
        guard zones.contains(.key(4)) else { return }
        let text: String? = if case .string(let text)? = value(ofKey: 4) { text } else { nil }
        if named(4) != nil {
            reportedZone = nil
        } else if reportedZone != .some(text) {
            reportedZone = .some(text)
            emit(.zoneUnknown(key: "z", text))
        }
    }
}
