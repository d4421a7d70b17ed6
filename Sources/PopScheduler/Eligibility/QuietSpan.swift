internal import PopCEL

/// A time in which quiet hours neither begin nor end. It is kept for all checks within it, because
/// looking up quiet hours in a time zone takes longer than most verdicts.
struct QuietSpan: Sendable {
    let begins: Timestamp
    /// Not included; nil if quiet hours never change.
    let ends: Timestamp?
    /// True if the span is within quiet hours.
    let isQuiet: Bool

    func includes(_ date: Timestamp) -> Bool {
        begins <= date && ends.map { date < $0 } ?? true
    }
}
