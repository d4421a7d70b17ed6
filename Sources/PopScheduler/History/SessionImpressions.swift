/// How often popups were shown since the session began, for each user who was there.
struct SessionImpressions: Sendable {
    private var user: String
    /// By popup, those of the user who is there.
    private var counts: [String: Int] = [:]
    /// By user, those of the others.
    private var away: [String: [String: Int]] = [:]

    init(user: String) { self.user = user }

    mutating func change(to user: String) {
        if user == self.user { return }
        away[self.user] = counts
        counts = away.removeValue(forKey: user) ?? [:]
        self.user = user
    }

    func count(of popup: String) -> Int { counts[popup] ?? 0 }

    mutating func add(_ number: Int, of popup: String) { counts[popup, default: 0] += number }

    mutating func add(_ number: Int, of popup: String, seenBy viewer: String) {
        if viewer == user {
            add(number, of: popup)
        } else {
            away[viewer, default: [:]][popup, default: 0] += number
        }
    }
}
