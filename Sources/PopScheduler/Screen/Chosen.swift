internal import PopCEL

/// A task, by its popup's index, that is to come on a screen next. Another may be on it still.
struct Chosen: Sendable {
    enum Phase: Sendable {
        /// Waiting for the end of `grace`.
        case settling(until: Duration)
        /// The host is asked.
        case asked(turn: Int)
        /// The host said yes, on that date.
        case allowed(turn: Int, since: Timestamp)
    }

    var popup: PopupIndex
    var phase: Phase
    /// When a place under each cap was reserved for it; nil while it settles, and when it makes no
    /// impression.
    var reserved: Timestamp?

    var isSettling: Bool {
        if case .settling = phase { true } else { false }
    }
}
