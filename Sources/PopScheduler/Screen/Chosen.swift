internal import PopCEL

/// A task, by its popup's index, that is to come on a screen next. Another popup may still be on
/// that screen.
struct Chosen: Sendable {
    enum Phase: Sendable {
        /// Waiting for the end of `grace`.
        case settling(until: Duration)
        /// The host is being asked.
        case asked(turn: Int)
        /// The host allowed it, on that date.
        case allowed(turn: Int, since: Timestamp)
    }

    var popup: PopupIndex
    var phase: Phase
    /// The date at which a place under each cap was reserved for it; nil while it settles, and if
    /// it makes no impression.
    var reserved: Timestamp?

    var isSettling: Bool {
        if case .settling = phase { true } else { false }
    }
}
