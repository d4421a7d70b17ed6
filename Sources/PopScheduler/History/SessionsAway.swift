/// How often popups were shown to a user since the session began, by their ids.
struct SessionCounts: Sendable {
    /// Impressions.
    var shown: [String: Int] = [:]
    /// Exposures to an arm that made no impression.
    var unseen: [String: Int] = [:]
}

/// How often popups were shown in this session to the users who were there before and may come
/// back.
struct SessionsAway: Sendable {
    private var counts: [String: SessionCounts] = [:]

    /// A user goes who saw so much.
    mutating func leave(_ user: String, session: SessionCounts) { counts[user] = session }

    /// Another session begins, for everyone.
    mutating func beginSession() { counts = [:] }

    /// Nothing is known of the user any more.
    mutating func forget(_ user: String) { counts[user] = nil }

    /// A user comes: what they have seen in this session.
    mutating func come(_ user: String) -> SessionCounts {
        counts.removeValue(forKey: user) ?? SessionCounts()
    }

    /// A popup of a user who is gone became visible only now.
    mutating func add(_ id: String, of user: String, isExposed: Bool) {
        counts[user, default: SessionCounts()].shown[id, default: 0] += 1
        if isExposed { counts[user, default: SessionCounts()].unseen[id, default: 0] -= 1 }
    }

    /// One impression of a user who is gone was none.
    mutating func takeBack(_ id: String, from user: String, isExposed: Bool) {
        // One of a session before this is counted no more.
        guard let shown = counts[user]?.shown[id], shown > 0 else { return }
        counts[user]?.shown[id] = shown - 1
        if isExposed { counts[user]?.unseen[id, default: 0] += 1 }
    }
}
