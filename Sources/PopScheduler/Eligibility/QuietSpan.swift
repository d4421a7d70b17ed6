internal import PopCEL

/// A time in which quiet hours neither begin nor end: kept for all who ask in it, since looking
/// them up by the clocks of a zone takes longer than most verdicts.
struct QuietSpan: Sendable {
    let begins: Timestamp
    /// Not included; nil when they never change.
    let ends: Timestamp?
    /// Whether it lies in them.
    let isQuiet: Bool

    func includes(_ date: Timestamp) -> Bool {
        begins <= date && ends.map { date < $0 } ?? true
    }
}
