public import PopCEL

/// One change of a user's history.
public enum HistoryRecord: Sendable, Hashable {
    /// A popup became visible for the first time in its task; the reservation of the date given is
    /// one no more.
    case impression(popup: String, date: Timestamp, reserved: Timestamp? = nil)
    /// The presentation failed: the impression of that date was none.
    case impressionTakenBack(popup: String, date: Timestamp)
    /// The host is asked whether a popup may show for the first time in its task. Kept before that,
    /// so that no crash lets a cap be exceeded.
    case reservation(popup: String, date: Timestamp)
    /// It did not come to be visible: the place of that date is free again.
    case reservationTakenBack(popup: String, date: Timestamp)
    /// A popup that was visible is gone for good.
    case dismissal(popup: String, reason: ReasonCode, date: Timestamp)
    /// The app sent an event that the rules count.
    case event(name: String, date: Timestamp)
    /// How many events the `where` of a trigger with `nth` or `every` has let pass.
    case occurrence(trigger: String, count: Int)
}
