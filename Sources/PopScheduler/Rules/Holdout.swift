/// A part of the users who see only essential popups.
public struct Holdout: Sendable, Hashable {
    /// 0 to 100.
    public var percent: Double
    /// The context key whose value identifies the user.
    public var key: KeyIndex
    /// Another salt assigns other users.
    public var salt: String

    /// The salt of a holdout that names none.
    public static let usualSalt = "holdout"

    /// Creates a part of the users, identified by a context key; nothing is checked.
    public init(percent: Double, key: KeyIndex, salt: String = usualSalt) {
        self.percent = percent
        self.key = key
        self.salt = salt
    }
}
