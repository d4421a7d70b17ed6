internal import PopCEL
internal import PopExplanations
internal import PopScheduler
internal import PopSource

/// The times at which a popup may show, in a normal form of its schedule. Entries that one entry
/// can replace are joined, and entries that another one contains are left out.
struct OpenTimes {
    /// The times of one entry, or of several joined ones.
    fileprivate struct Entry {
        var from: Schedule.Bound?
        var until: Schedule.Bound?
        var zone: Zone
        /// The ranges of the week in minutes since the beginning of Monday, ascending and disjoint.
        var week: [Range<Int>]
        /// The condition that must hold too, in a text that conditions with the same meaning share.
        var when: String?

        var isOfWholeWeek: Bool { week == [OpenTimes.week] }
        /// True if the entry is independent of time zones.
        var isFreeOfZone: Bool { isOfWholeWeek && from.isMoment && until.isMoment }
    }

    private var entries: [Entry] = []

    /// The maximum number of entries whose pairs are compared; no schedule written by hand has
    /// more.
    private static let mostEntries = 64

    /// The minutes of a week.
    fileprivate static let week = 0..<(7 * OpenTimes.day)
    fileprivate static let day = 24 * 60

    /// Creates the times from a schedule, with a function that returns the text of a condition.
    init(_ schedule: [Schedule], words: (Condition) -> String) {
        add(schedule.map { Entry($0, words) })
        // Some zones were replaced by UTC, so that more entries may be alike.
        let known = entries
        entries = []
        add(known)
        guard entries.count <= Self.mostEntries else { return }
        joinDates()
        dropHeld()
    }

    /// The properties in which entries may differ apart from their days and hours.
    private struct Kind: Hashable {
        let from: Schedule.Bound?
        let until: Schedule.Bound?
        let zone: Zone
        let when: ExactText?
    }

    /// Adds entries, and joins those that differ only in their days and hours.
    private mutating func add(_ all: [Entry]) {
        var places: [Kind: Int] = [:]
        for entry in all {
            let kind = Kind(
                from: entry.from, until: entry.until, zone: entry.zone,
                when: entry.when.map { ExactText($0) })
            if let place = places[kind] {
                entries[place].week += entry.week
            } else {
                places[kind] = entries.count
                entries.append(entry)
            }
        }
        for place in entries.indices {
            entries[place].week = entries[place].week.joined
            if entries[place].isFreeOfZone { entries[place].zone = .utc }
        }
    }

    /// Joins entries that differ only in their dates if one begins before the other one ends.
    private mutating func joinDates() {
        var position = 0
        while position < entries.count {
            let other = entries.indices.first {
                $0 != position && entries[position].continues(entries[$0])
            }
            guard let other else {
                position += 1
                continue
            }
            entries[position].from = entries[other].from
            let ends = [entries[position].until, entries[other].until]
            entries[position].until = ends.contains(nil) ? nil : Self.later(ends[0], ends[1])
            entries.remove(at: other)
            position = 0
        }
    }

    private static func later(_ one: Schedule.Bound?, _ other: Schedule.Bound?) -> Schedule.Bound? {
        guard let first = one?.moment, let second = other?.moment else { return one }
        return first < second ? other : one
    }

    private mutating func dropHeld() {
        for position in entries.indices.reversed() {
            let isHeld = entries.indices.contains {
                $0 != position && entries[$0].holds(entries[position])
            }
            if isHeld { entries.remove(at: position) }
        }
    }
}

extension OpenTimes.Entry {
    init(_ schedule: Schedule, _ words: (Condition) -> String) {
        zone = schedule.zone
        when = schedule.when.map { words($0) }
        from = schedule.fromMoment.map { .moment($0) } ?? schedule.from
        until = schedule.untilMoment.map { .moment($0) } ?? schedule.until
        week = schedule.minutesOfWeek
        if isFreeOfZone { zone = .utc }
    }

    /// Returns true if another entry differs only in its dates, begins no later than this one, and
    /// ends no sooner than this one begins.
    func continues(_ other: Self) -> Bool {
        guard zone == other.zone, isSameText(when, other.when), week == other.week,
            from.isMoment, until.isMoment, other.from.isMoment, other.until.isMoment,
            let begin = from?.moment
        else { return false }
        if let first = other.from?.moment, first > begin { return false }
        return other.until?.moment.map { $0 >= begin } ?? true
    }

    /// Returns true if the entry is open whenever another one is.
    func holds(_ other: Self) -> Bool {
        guard when == nil || isSameText(when, other.when),
            zone == other.zone || isFreeOfZone && other.from.isMoment && other.until.isMoment,
            other.week.allSatisfy({ part in week.contains { $0.contains(part) } })
        else { return false }
        return isNoLater(from, than: other.from) && isNoSooner(until, than: other.until)
    }

    private func isNoLater(_ bound: Schedule.Bound?, than other: Schedule.Bound?) -> Bool {
        guard let bound, bound != other else { return bound == nil || bound == other }
        guard let one = bound.moment, let second = other?.moment else { return false }
        return one <= second
    }

    private func isNoSooner(_ bound: Schedule.Bound?, than other: Schedule.Bound?) -> Bool {
        guard let bound, bound != other else { return bound == nil || bound == other }
        guard let one = bound.moment, let second = other?.moment else { return false }
        return one >= second
    }

    func text(in rules: RuleSet) -> String {
        var parts: [String] = []
        if let from { parts.append("from \(from)") }
        if let until { parts.append("until \(until)") }
        if !isOfWholeWeek { parts.append("minutes \(week)") }
        if zone != .utc { parts.append("zone \(zone.text(in: rules))") }
        if let when { parts.append("when \(when)") }
        return parts.joined(separator: ", ")
    }
}

extension OpenTimes {
    /// Returns a text that is the same for all schedules with the same open times; nil for always.
    func text(in rules: RuleSet) -> String? {
        let texts = entries.map { $0.text(in: rules) }
        return texts.contains("") || texts.isEmpty ? nil : texts.sorted().joined(separator: "; ")
    }
}

extension Schedule {
    /// The date at which it begins; nil without a beginning, or if the rules don't name the zone.
    var fromMoment: Timestamp? { from.flatMap { $0.moment ?? zone.calendar?.start($0) } }

    /// The date at which it ends; nil without an end, or if the rules don't name the zone.
    var untilMoment: Timestamp? { until.flatMap { $0.moment ?? zone.calendar?.end($0) } }

    fileprivate var minutesOfWeek: [Range<Int>] {
        let hours = hours ?? Hours(from: 0, until: OpenTimes.day)
        var parts: [Range<Int>] = []
        for day in days ?? Set(Weekday.allCases) {
            let midnight = day.rawValue * OpenTimes.day
            let begin = midnight + hours.from
            let length = hours.until - hours.from
            let end = begin + (length > 0 ? length : length + OpenTimes.day)
            parts.append(begin..<min(end, OpenTimes.week.upperBound))
            if end > OpenTimes.week.upperBound {
                parts.append(0..<(end - OpenTimes.week.upperBound))
            }
        }
        return parts.joined
    }
}

extension [Range<Int>] {
    /// The ranges in ascending order, with touching ranges joined.
    fileprivate var joined: [Range<Int>] {
        var parts: [Range<Int>] = []
        for part in sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = parts.last, last.upperBound >= part.lowerBound {
                let end = Swift.max(last.upperBound, part.upperBound)
                parts[parts.count - 1] = last.lowerBound..<end
            } else {
                parts.append(part)
            }
        }
        return parts
    }
}

extension Schedule.Bound {
    fileprivate var moment: Timestamp? {
        if case .moment(let moment) = self { moment } else { nil }
    }
}

extension Schedule.Bound? {
    /// True if it is the same time in every zone, or if there is no bound.
    fileprivate var isMoment: Bool { self.map { $0.moment != nil } ?? true }
}

extension Zone {
    /// The calendar of the zone; nil if the rules don't name the zone.
    var calendar: LocalCalendar? {
        guard case .named(let name) = self else { return nil }
        return LocalCalendar(zone: name, zones: .system)
    }
}

/// The parts of users in two rollouts over time, at least one of which changes by dates.
struct RolloutDates {
    /// A time in which both parts are constant.
    private struct Span {
        var from: Timestamp?
        var until: Timestamp?
        let before: Range<Double>
        let after: Range<Double>
    }

    private var spans: [Span] = []
    /// True if both assign users to the same positions, so that one part may contain another.
    private let isSameDraw: Bool

    init(from old: Rollout?, to new: Rollout?, isSameDraw: Bool) {
        self.isSameDraw = isSameDraw
        let dates = Set((old?.dates ?? []) + (new?.dates ?? [])).sorted()
        if dates.isEmpty { return }
        for (position, from) in ([nil] + dates.map { $0 }).enumerated() {
            let at = from ?? .min
            let until = position < dates.count ? dates[position] : nil
            let span = Span(
                from: from, until: until, before: old?.share.part(at: at) ?? 0..<100,
                after: new?.share.part(at: at) ?? 0..<100)
            if let last = spans.last, last.before == span.before, last.after == span.after {
                spans[spans.count - 1].until = until
            } else {
                spans.append(span)
            }
        }
    }

    /// A line for each time in which the part of users differs.
    var texts: [String] {
        spans.filter { $0.before != $0.after }.map { span in
            let bounds = [
                span.from.map { "from \($0)" }, span.until.map { "until \($0)" },
            ].compactMap { $0 }
            let time = bounds.isEmpty ? "always" : bounds.joined(separator: " ")
            let step = "\(RulePhrases.percent(span.before)) → \(RulePhrases.percent(span.after))"
            return "\(who(in: span)) \(time): \(step)"
        }
    }

    private func who(in span: Span) -> String {
        if span.before.isEmpty || isSameDraw && span.after.holds(span.before) {
            return "more users"
        }
        if span.after.isEmpty || isSameDraw && span.before.holds(span.after) {
            return "fewer users"
        }
        return "different users"
    }
}

extension Rollout {
    fileprivate var dates: [Timestamp] {
        if case .steps(let steps) = share { steps.map { $0.begins } } else { [] }
    }
}

extension Range<Double> {
    fileprivate func holds(_ other: Self) -> Bool {
        other.isEmpty || lowerBound <= other.lowerBound && other.upperBound <= upperBound
    }
}
