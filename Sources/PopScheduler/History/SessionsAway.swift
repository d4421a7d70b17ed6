/// The number of impressions of popups for a user since the session began, by popup id.
struct SessionCounts: Sendable {
    /// Impressions.
    var shown: [String: Int] = [:]
    /// The number of exposures to an arm that made no impression.
    var unseen: [String: Int] = [:]
}

/// The counts of this session for users who were active before and may come back.
struct SessionsAway: Sendable {
    private var counts: [String: SessionCounts] = [:]

    /// Stores the counts of a user who leaves.
    mutating func leave(_ user: String, session: SessionCounts) { counts[user] = session }

    /// Begins another session, for all users.
    mutating func beginSession() { counts = [:] }

    /// Removes all counts of a user.
    mutating func forget(_ user: String) { counts[user] = nil }

    /// Takes the counts of a user who comes: what they have seen in this session.
    mutating func come(_ user: String) -> SessionCounts {
        counts.removeValue(forKey: user) ?? SessionCounts()
    }

    /// Counts a popup of a former user that became visible only now.
    mutating func add(_ id: String, of user: String, isExposed: Bool) {
        counts[user, default: SessionCounts()].shown[id, default: 0] += 1
        if isExposed { counts[user, default: SessionCounts()].unseen[id, default: 0] -= 1 }
    }

    /// Takes back one impression of a former user.
    mutating func takeBack(_ id: String, from user: String, isExposed: Bool) {
        // An impression of an earlier session is no longer counted.
        guard let shown = counts[user]?.shown[id], shown > 0 else { return }
        counts[user]?.shown[id] = shown - 1
        if isExposed { counts[user]?.unseen[id, default: 0] += 1 }
    }
}
