/// How often popups were shown in this session to the users who were there before and may come
/// back.
struct SessionsAway: Sendable {
    /// By user and popup id.
    private var counts: [String: [String: Int]] = [:]

    /// A user goes who saw so much.
    mutating func leave(_ user: String, session: [String: Int]) { counts[user] = session }

    /// Nothing is known of the user any more.
    mutating func forget(_ user: String) { counts[user] = nil }

    /// A user comes: what they have seen in this session.
    mutating func come(_ user: String) -> [String: Int] { counts.removeValue(forKey: user) ?? [:] }

    /// A popup of a user who is gone became visible only now.
    mutating func add(_ id: String, of user: String) {
        counts[user, default: [:]][id, default: 0] += 1
    }

    /// One impression of a user who is gone was none.
    mutating func takeBack(_ id: String, from user: String) {
        counts[user, default: [:]][id, default: 0] -= 1
    }
}
