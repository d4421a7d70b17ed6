internal import PopScheduler
public import PopSource
internal import PopYAML

/// Which users see essential popups only.
public struct HoldoutModel: Sendable {
    /// The percentage of users, 0 to 100.
    public var percent: Located<Double>?
    /// The name of the context key that identifies users.
    public var by: Located<String>?
    /// A word that decides which users are held out; nil is the usual one.
    public var salt: Located<String>?
}

extension Table<HoldoutModel> {
    static let holdout = Table(
        "`holdout`",
        keys: [
            Key(
                "percent", format: .number(0...100), store: { $0.percent = $1 },
                alsoCalled: ["percentage", "share", "part", "size"],
                summary: "the percentage of users who see only popups that are `essential`"
            ).such(as: "5").required,
            Key(
                "by", format: .reference(to: "context key"), store: { $0.by = $1 },
                alsoCalled: ["key", "user", "on"],
                summary: "the context key that identifies users"
            ).such(as: "user.id").required,
            Key(
                "salt", format: .text, store: { $0.salt = $1 }, alsoCalled: ["seed"],
                summary: "a word; changing it selects other users (`holdout` by default)"),
        ])
}
