internal import PopScheduler
public import PopSource
internal import PopYAML

/// An item of `limits`: how many popups are shown over all schedulers, or over some.
public struct SharedLimitModel: Sendable {
    /// How many, and in what time.
    public var window = WindowCapModel()
    /// The names of the schedulers whose popups count; nil for all.
    public var schedulers: Located<[Located<String>]>?
    /// Popups with one of these tags count; nil for all.
    public var tags: Located<[Located<String>]>?
}

extension Table<SharedLimitModel> {
    static let sharedLimit = Table(
        "a limit",
        keys: windowCapKeys { $1(&$0.window) } + [
            Key(
                "schedulers", format: .list(of: .reference(to: "scheduler"), minimum: 1),
                store: { $0.schedulers = $1 }, alsoCalled: ["scheduler", "lanes"],
                summary: "the schedulers whose popups count; all when there are none"
            ).such(as: ["scheduler": "[$]"]),
            Key(
                "tags", format: .list(of: .text, minimum: 1), store: { $0.tags = $1 },
                alsoCalled: ["tag", "labels"],
                summary: "popups with one of these tags count; all when there are none"
            ).such(as: ["tag": "[$]"]),
        ])
}

extension Format<[Located<SharedLimitModel>]> {
    /// A list of limits.
    static var sharedLimits: Self {
        .list(of: .table(.sharedLimit, startingWith: SharedLimitModel()), minimum: 1)
    }
}
