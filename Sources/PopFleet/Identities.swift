/// The users that a log names by two names: if a row has both places of `user`, the user of its
/// second name is the user of its first name.
///
/// A name that rows give to several users belongs to the first of these by bytes, so that the order
/// of the rows doesn't matter.
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

    /// Returns the user of a row that only has the second name.
    package func user(of alias: String) -> String { users[alias] ?? alias }

    package var isEmpty: Bool { users.isEmpty }
    package var count: Int { users.count }
    /// The bytes of all names.
    package private(set) var bytes = 0
}
