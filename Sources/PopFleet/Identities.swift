/// Who the people are that a log names by two names: where a row has both places of `user`, the one
/// it names by the second is the user that it names by the first.
///
/// A name that rows give to several users belongs to the first of these by bytes, so that the order
/// of the rows says nothing.
package struct Identities: Sendable {
    private var users: [String: String] = [:]

    package init() {}

    /// A row has both names.
    package mutating func note(_ user: String, as alias: String) {
        guard let known = users[alias] else {
            bytes += user.utf8.count + alias.utf8.count
            return users[alias] = user
        }
        guard user.utf8.lexicographicallyPrecedes(known.utf8) else { return }
        bytes += user.utf8.count - known.utf8.count
        users[alias] = user
    }

    /// Adds what other rows have.
    package mutating func add(_ other: Identities) {
        for (alias, user) in other.users { note(user, as: alias) }
    }

    /// The user of a row that has the second name alone.
    package func user(of alias: String) -> String { users[alias] ?? alias }

    package var isEmpty: Bool { users.isEmpty }
    package var count: Int { users.count }
    /// The bytes of all names.
    package private(set) var bytes = 0
}
