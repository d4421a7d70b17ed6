internal import PopCEL
internal import PopLogic
internal import PopScheduler

// MARK: Times ago

extension AudienceText {
    /// Returns the text for a test of `since("name")`, whose value is itself a duration.
    func agoText(
        _ entry: SlotTable.Entry, fields: [String], values: Test.Values
    ) -> String? {
        guard case .sinceEvent(let event)? = declarations.slotMeaning(entry), fields.isEmpty,
            case .ranges(let ranges) = values
        else { return nil }
        if ranges.count == 1, let lower = ranges[0].lower, ranges[0].upper == nil,
            lower.isIncluded, lower.value == .duration(.endless)
        {
            return "\(event) never sent"
        }
        // An event that was never sent passes a test for at least some time ago.
        let isOpen = ranges.count == 1 && ranges[0].upper == nil && ranges[0].lower != nil
        let never = isOpen && mayBeUnsent(event) ? "never sent, or " : ""
        return ago("\(event) \(never)last sent", in: ranges)
    }

    func differenceText(
        _ one: SlotTable.Entry, minus other: SlotTable.Entry, values: Test.Values
    ) -> String {
        guard case .ranges(let ranges) = values else {
            return said(of: "\(name(one)) - \(name(other))", values)
        }
        // Ranges beyond the largest possible difference aren't worth reporting.
        let told = ranges.filter { Gap(lower: $0.lower, upper: $0.upper)?.isPossible ?? true }
        if told.count == 2, told[0].upper?.value == .int(-1), told[1].lower?.value == .int(1),
            told[0].lower == nil, told[1].upper == nil
        {
            return "\(name(one)) is not equal to \(name(other))"
        }
        let texts = told.map { range -> String? in
            guard let gap = Gap(lower: range.lower, upper: range.upper) else { return nil }
            guard isTime(one) else { return gap.text(to: name(other)) }
            if name(one) == "now" { return gap.turned.timeText(since: nil) }
            return gap.timeText(since: name(other) == "now" ? nil : name(other))
        }
        let subject = name(one) == "now" ? other : one
        guard texts.allSatisfy({ $0 != nil }), !texts.isEmpty else {
            return said(of: "\(name(one)) - \(name(other))", values)
        }
        return "\(last(subject) ?? "\(name(subject)) is") "
            + texts.compactMap { $0 }.joined(separator: " or ")
    }

    /// Returns true if differences of the entry are durations, counted in nanoseconds.
    private func isTime(_ entry: SlotTable.Entry) -> Bool {
        switch declarations.slotMeaning(entry) {
        case .key(let key): rules.keys[key].type == .timestamp || rules.keys[key].type == .duration
        case .payloadField(let event, let field):
            [.timestamp, .duration].contains(rules.events[event].fields[field].type)
        case .now, .session, .lastShown, .lastEvent, .lastActed, .sinceEvent: true
        case .condition, .shownCount, .lastReason, .variant, .exposedCount, .lastAction,
            .closedCount, .converted, .acted, .eventCount, .eventSum, .scheduleOpen, .payload, nil:
            false
        }
    }

    private func last(_ entry: SlotTable.Entry) -> String? {
        switch declarations.slotMeaning(entry) {
        case .lastShown:
            name(entry).split(separator: ".").dropFirst().first
                .map { "\($0) last shown" }
        case .lastEvent(let event): "\(event) last sent"
        case .lastActed, .key, .condition, .now, .session, .shownCount, .lastReason, .variant,
            .exposedCount, .lastAction, .closedCount, .converted, .acted, .eventCount,
            .sinceEvent, .eventSum, .scheduleOpen, .payload, .payloadField, nil:
            nil
        }
    }

    /// Returns the text for a time in the past; nil if a bound is in the future.
    private func ago(_ subject: String, in ranges: [Test.Bounds]) -> String? {
        guard ranges.count == 1 else { return nil }
        func length(_ bound: Test.Bounds.Bound?) -> String?? {
            guard let bound else { return .some(nil) }
            guard case .duration(let duration) = bound.value, duration >= .zero else { return nil }
            return Self.words(duration)
        }
        guard let lower = length(ranges[0].lower), let upper = length(ranges[0].upper) else {
            return nil
        }
        var parts: [String] = []
        if let lower {
            let isIncluded = ranges[0].lower?.isIncluded ?? true
            parts.append(isIncluded ? "at least \(lower) ago" : "more than \(lower) ago")
        }
        if let upper {
            let isIncluded = ranges[0].upper?.isIncluded ?? true
            parts.append(isIncluded ? "at most \(upper) ago" : "less than \(upper) ago")
        }
        return "\(subject) \(parts.joined(separator: " and "))"
    }
}

/// The distance of one value from another, from `lower` to `upper`; bounds are included.
private struct Gap {
    let lower: Int64?
    let upper: Int64?

    /// Creates the gap; nil if a bound isn't an integer.
    init?(lower: Test.Bounds.Bound?, upper: Test.Bounds.Bound?) {
        for bound in [lower, upper].compactMap({ $0 }) {
            guard case .int = bound.value, bound.isIncluded else { return nil }
        }
        (self.lower, self.upper) = (Self.number(lower), Self.number(upper))
        if let last = Self.whole(upper), last <= -Self.farthest { isPossible = false }
        if let first = Self.whole(lower), first >= Self.farthest { isPossible = false }
    }

    private init(lower: Int64?, upper: Int64?) { (self.lower, self.upper) = (lower, upper) }

    /// True if the gap is within the largest possible difference.
    private(set) var isPossible = true

    private static let farthest = Int64.max - 1

    private static func whole(_ bound: Test.Bounds.Bound?) -> Int64? {
        if case .int(let number)? = bound?.value { number } else { nil }
    }

    /// Returns the number; nil if it is as large as the largest possible difference.
    private static func number(_ bound: Test.Bounds.Bound?) -> Int64? {
        whole(bound).flatMap { $0.magnitude < farthest.magnitude ? $0 : nil }
    }

    /// The same gap seen from the other value.
    var turned: Gap { Gap(lower: upper.map { -$0 }, upper: lower.map { -$0 }) }

    /// Returns the text for numbers, such as `at least app.minimum_build`.
    func text(to other: String) -> String? {
        switch (lower, upper) {
        case (nil, nil): nil
        case (0?, 0?): "equal to \(other)"
        case (let least?, let most?) where least == most:
            least > 0 ? "\(least) above \(other)" : "\(-least) below \(other)"
        case (let least?, nil): Self.least(least, other)
        case (nil, let most?): Self.most(most, other)
        case (let least?, let most?): "\(Self.least(least, other)) and \(Self.most(most, other))"
        }
    }

    private static func least(_ number: Int64, _ other: String) -> String {
        switch number {
        case 0: "at least \(other)"
        case 1: "above \(other)"
        case 2...: "at least \(number) above \(other)"
        default: "at most \(-number) below \(other)"
        }
    }

    private static func most(_ number: Int64, _ other: String) -> String {
        switch number {
        case 0: "at most \(other)"
        case -1: "below \(other)"
        case 1...: "at most \(number) above \(other)"
        default: "at least \(-number) below \(other)"
        }
    }

    /// Returns the text for times in nanoseconds, relative to now or to another time.
    func timeText(since other: String?) -> String? {
        var parts = [
            lower.map { Self.notBefore($0, other) }, upper.map { Self.notAfter($0, other) },
        ]
        .compactMap { $0 }
        // For times in the past, the shorter time comes first.
        if let upper, upper < 0 { parts.reverse() }
        return parts.isEmpty ? nil : parts.joined(separator: " and ")
    }

    private static func notBefore(_ time: Int64, _ other: String?) -> String {
        let (ahead, ago) = (
            other.map { "after \($0)" } ?? "ahead", other.map { "before \($0)" } ?? "ago"
        )
        switch time {
        case 0: return other.map { "not before \($0)" } ?? "not in the past"
        case 1: return other.map { "after \($0)" } ?? "in the future"
        case 2...: return "\(length(time, isBeyond: true)) \(ahead)"
        default: return "\(length(-time, isBeyond: false)) \(ago)"
        }
    }

    private static func notAfter(_ time: Int64, _ other: String?) -> String {
        let (ahead, ago) = (
            other.map { "after \($0)" } ?? "ahead", other.map { "before \($0)" } ?? "ago"
        )
        switch time {
        case 0: return other.map { "not after \($0)" } ?? "not in the future"
        case -1: return other.map { "before \($0)" } ?? "in the past"
        case 1...: return "\(length(time, isBeyond: false)) \(ahead)"
        default: return "\(length(-time, isBeyond: true)) \(ago)"
        }
    }

    /// Returns a length with "at least" or "at most", or with "more than" or "less than" if the
    /// time is off by one nanosecond.
    private static func length(_ time: Int64, isBeyond: Bool) -> String {
        let second: Int64 = 1_000_000_000
        if isBeyond {
            let isMore = time % second == 1
            let words = AudienceText.words(.nanoseconds(isMore ? time - 1 : time))
            return "\(isMore ? "more than" : "at least") \(words)"
        }
        let isLess = time % second == second - 1
        let words = AudienceText.words(.nanoseconds(isLess ? time + 1 : time))
        return "\(isLess ? "less than" : "at most") \(words)"
    }
}
