public import PopCEL

/// The time as the host reports it: one clock for timers and one for the calendar.
///
/// The two may drift apart: the user can set the clock of the calendar, but nobody can set the
/// clock of the timers.
public struct Moment: Sendable, Hashable {
    /// The time since a point that the host chose, such as its start; it never goes back. All
    /// timers run on it.
    public var instant: Duration
    /// The calendar date. Schedules, caps, the history and `now` in conditions follow it.
    public var date: Timestamp

    /// A moment on both clocks.
    public init(instant: Duration, date: Timestamp) {
        self.instant = instant
        self.date = date
    }

    /// Returns the moment that is later by a duration, on both clocks.
    public func advanced(by duration: Duration) -> Moment {
        Moment(instant: instant + duration, date: date.advanced(by: duration))
    }
}

extension Timestamp {
    /// Returns the date that is later by a duration, or the end of the scale.
    func advanced(by duration: Duration) -> Timestamp {
        adding(duration) ?? (duration < .zero ? .min : .max)
    }
}

/// A duration for people, exact to the millisecond: `0s`, `4.5s`, `2m 5s`, `1d 7s`.
package func timeText(_ duration: Duration) -> String {
    let (whole, attoseconds) = duration.components
    // Apart from each other: the longest durations have more milliseconds than 64 bits.
    let milliseconds = attoseconds.magnitude / 1_000_000_000_000_000
    var rest = whole.magnitude
    var parts: [String] = []
    for (name, length) in [("d", 86_400), ("h", 3_600), ("m", 60)] as [(String, UInt64)]
    where rest >= length {
        parts.append("\(rest / length)\(name)")
        rest %= length
    }
    if rest + milliseconds > 0 || parts.isEmpty {
        parts.append(secondsText(rest * 1_000 + milliseconds))
    }
    let isNegative = whole < 0 || attoseconds < 0 && milliseconds > 0
    return (isNegative ? "-" : "") + parts.joined(separator: " ")
}

private func secondsText(_ milliseconds: UInt64) -> String {
    let fraction = String(milliseconds % 1_000 + 1_000).dropFirst()
    let digits = fraction.reversed().drop { $0 == "0" }.reversed()
    return "\(milliseconds / 1_000)" + (digits.isEmpty ? "" : ".\(String(digits))") + "s"
}
