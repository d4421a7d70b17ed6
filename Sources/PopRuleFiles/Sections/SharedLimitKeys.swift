internal import PopScheduler
internal import PopSource
internal import PopYAML

/// An item of `limits`: how many popups are shown over all schedulers, or over some.
public struct SharedLimitModel: Sendable {
    /// How many, and in what time.
    public var window = WindowCapModel()
    /// Those that count.
    public var popups = PopupSelectionModel()
}

extension Table<SharedLimitModel> {
    static let sharedLimit = Table(
        "a limit",
        keys: windowCapKeys { $1(&$0.window) }
            + selectionKeys(that: "count") { $1(&$0.popups) })
}

extension Format<[Located<SharedLimitModel>]> {
    /// A list of limits.
    static var sharedLimits: Self {
        .list(
            of: .table(.sharedLimit, startingWith: SharedLimitModel()), minimum: 1,
            maximum: RuleBounds.caps)
    }
}
