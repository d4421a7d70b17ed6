internal import PopScheduler

/// The histories of the users that an engine has left, the latest ones.
struct FormerUsers {
    /// Of more than these the store is asked again.
    private static let limit = 32

    private var histories: [String: History] = [:]
    /// The earliest left first.
    private var order: [String] = []

    subscript(user: String) -> History? { histories[user] }

    mutating func add(_ history: History, user: String) {
        order.removeAll { $0 == user }
        order.append(user)
        histories[user] = history
        if order.count > Self.limit { histories[order.removeFirst()] = nil }
    }

    /// A popup of a user that was left may still be leaving the screen.
    mutating func apply(_ record: HistoryRecord, user: String) { histories[user]?.apply(record) }
}
