/// Returns the possible meanings of a part of the day in another form than `09:00-21:00`.
func hoursReadings(_ text: String) -> [Reading] {
    guard text.utf8.count <= longestReading else { return [] }
    let plain = halfWithPoints.replaced(in: text.lowercased()) { "\($0.output.1)m" }
    let text = dashes.replaced(in: leadingWord.replaced(in: plain) { _ in "" }) { _ in "-" }
    let open = openSpans(text)
    if !open.isEmpty { return open }
    let ends = text.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let from = TimeOfDay(ends[0]), let until = TimeOfDay(ends[1]) else {
        return []
    }
    let spans = from.spans(to: until)
    // `8-8` may be half a day or all of it.
    let isOpen = ends[0].filter { $0 != " " } == ends[1].filter { $0 != " " }
    return spans.count == 1
        ? spans.map { Reading($0.text, meaning: isOpen ? $0.meaning : "", isExact: !isOpen) }
        : spans
}

/// `after 18:00`, `before 9`: an hour that may be of either half of the day is both.
private func openSpans(_ text: String) -> [Reading] {
    guard let match = openSpan.wholeMatch(of: text),
        let time = TimeOfDay(match.output.2)
    else { return [] }
    let isBeginning = ["after", "since", "from"].contains(match.output.1)
    let spans = time.clockTimes.map { minutes in
        let text = isBeginning ? "\(clock(minutes))-24:00" : "00:00-\(clock(minutes))"
        return Reading(text, meaning: "\(match.output.1) \(clock(minutes))")
    }
    return spans.count == 1 ? [Reading(spans[0].text)] : spans
}

private func clock(_ minutes: Int) -> String { "\(padded(minutes / 60)):\(padded(minutes % 60))" }

/// A time of day in common notation.
private struct TimeOfDay {
    private var number: Int
    private var minute: Int
    /// `am` or `pm`; nil on a clock of 24 hours, or if neither is written.
    private(set) var half: String?
    /// True if the notation is only used on a clock of 24 hours.
    private var has24Hours: Bool

    init?(_ text: Substring) {
        let text = text.filter { $0 != " " }
        if let word = ["noon": 12, "midday": 12, "midnight": 24, "mittag": 12][text] {
            (number, minute, half, has24Hours) = (word, 0, nil, true)
            return
        }
        guard let match = timeOfDay.wholeMatch(of: text), let number = Int(match.output.1) else {
            return nil
        }
        self.number = number
        minute = match.output.2.flatMap { Int($0) } ?? 0
        let mark = match.output.3.map { String($0) }
        half = mark.flatMap { ["am": "am", "a": "am", "pm": "pm", "p": "pm"][$0] }
        has24Hours =
            half == nil
            && (mark != nil && mark != "o'clock" || match.output.2 != nil || text.hasPrefix("0")
                || number > 12 || number == 0)
        guard minute < 60, number <= 24, number < 24 || minute == 0 else { return nil }
    }

    /// Minutes since midnight.
    func minutes(half: String?) -> Int? {
        hour(number, half: half).map { $0 * 60 + minute }
    }

    /// The minutes since midnight that it may mean, without midnight itself.
    var clockTimes: [Int] {
        let isOpen = half == nil && !has24Hours
        let halves: [String?] = isOpen ? ["am", "pm"] : [half]
        return halves.compactMap { minutes(half: $0) }.filter { $0 > 0 && $0 < 1440 }
    }

    /// The parts of the day from this time to another.
    func spans(to end: TimeOfDay) -> [Reading] {
        // `9-5pm`: the half of the day that is written once also holds for the other time if that
        // can only be earlier.
        let first = half ?? (has24Hours || end.half == nil ? nil : "am")
        let plain = span(from: first, to: end.half, of: end)
        if end.half == "pm", half == nil, !has24Hours {
            return sameHalf(end, spans: [span(from: "pm", to: "pm", of: end), plain])
        }
        if half == "pm", end.half == nil, !end.has24Hours {
            return sameHalf(end, spans: [span(from: "pm", to: "pm", of: end), plain])
        }
        if end.half != nil || end.has24Hours || number > 12 { return [plain].compactMap(\.self) }
        // `9-5` may end in the afternoon.
        let afternoon = span(from: first, to: "pm", of: end)
        let isBackwards =
            (minutes(half: first) ?? 0) >= (end.minutes(half: nil) ?? 0) && end.number <= 12
        let isEarly = !has24Hours && half == nil && number <= 6 && end.number <= 12
        if isBackwards { return [afternoon, plain].compactMap(\.self) }
        if isEarly { return [plain, span(from: "pm", to: "pm", of: end)].compactMap(\.self) }
        return [plain].compactMap(\.self)
    }

    /// `1-5pm`: `pm` that is written once may hold for both, where the end is the later one then.
    private func sameHalf(_ end: TimeOfDay, spans: [Reading?]) -> [Reading] {
        let isLater = (minutes(half: "pm") ?? 0) < (end.minutes(half: "pm") ?? 0)
        return (isLater ? spans : Array(spans.dropFirst())).compactMap(\.self)
    }

    private func span(from first: String?, to last: String?, of end: TimeOfDay) -> Reading? {
        guard let from = minutes(half: first).map({ $0 % 1440 }),
            let until = end.minutes(half: last), from != until
        else { return nil }
        let over = until < from && until > 0 ? ", past midnight" : ""
        let text = "\(clock(from))-\(clock(until == 0 ? 1440 : until))"
        return Reading(
            text, meaning: "\(clock(from)) to \(clock(until == 0 ? 1440 : until))\(over)")
    }
}

private let halfWithPoints = SharedRegex(#/([ap])\. ?m\.?/#)
private let leadingWord = SharedRegex(#/^(from|between|von) +/#)
private let dashes = SharedRegex(
    #/ *([\-\u2010\u2011\u2012–—−]|\.\.+| (to|till|until|and|bis|und) ) */#)
private let openSpan = SharedRegex(#/(after|since|from|before|until|till) *(.+)/#)
private let timeOfDay = SharedRegex(
    #/([0-9]{1,2})(?:[:.h]?([0-9]{2}))?(?:[:.]00)?(am|pm|h|uhr|a|p|o'clock)?/#)
