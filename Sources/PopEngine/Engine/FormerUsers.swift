internal import PopScheduler

/// The histories of the users that an engine has left, the latest ones.
struct FormerUsers: Sendable {
    /// The maximum number of users; the histories of others are read from the store again.
    let limit: Int

    private var histories: [String: History] = [:]
    /// The earliest left first.
    private var order: [String] = []

    init(limit: Int) { self.limit = limit }

    subscript(user: String) -> History? { histories[user] }

    mutating func add(_ history: History, user: String) {
        remove(user)
        order.append(user)
        histories[user] = history
        if order.count > limit { histories[order.removeFirst()] = nil }
    }

    mutating func remove(_ user: String) {
        order.removeAll { $0 == user }
        histories[user] = nil
    }

    mutating func removeAll() {
        order = []
        histories = [:]
    }

    /// A popup of a user that was left may still be leaving the screen.
    mutating func apply(_ record: HistoryRecord, user: String) { histories[user]?.apply(record) }
}
