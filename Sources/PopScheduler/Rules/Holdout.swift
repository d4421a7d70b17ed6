/// A part of the users who see no popup that is not essential.
public struct Holdout: Sendable, Hashable {
    /// 0 to 100.
    public var percent: Double
    /// The context key whose value tells users apart.
    public var key: KeyIndex
    /// Changing it draws other users.
    public var salt: String

    /// What a holdout is drawn with that names no salt.
    public static let usualSalt = "holdout"

    /// A part of the users, told apart by a context key; nothing is checked.
    public init(percent: Double, key: KeyIndex, salt: String = usualSalt) {
        self.percent = percent
        self.key = key
        self.salt = salt
    }
}
