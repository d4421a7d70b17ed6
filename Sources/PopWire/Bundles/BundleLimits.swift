public import PopSource

/// What a bundle may hold, so that none exhausts its host.
public struct BundleLimits: Sendable, Hashable {
    /// Bytes, nesting and number of values of the file.
    public var json: JSONLimits
    /// Popups, keys, events and so on, each.
    public var entries = 10_000
    /// Schedulers, each with a screen and a queue of its own.
    public var schedulers = 100
    /// How deep `list<…>` and `map<…>` may be nested in a type.
    public var typeDepth = 8
    /// How often a history may say that something happened: what counts on can never overflow.
    public var historyCount: Int64 = 1_000_000_000_000
    /// How many named conditions may use each other in a row.
    public var conditionChain = 64

    /// The standard limits, to change one by one.
    public init() {
        json = JSONLimits()
        json.depth = 128
        json.takesRepeatedKeys = false
    }

    /// What a bundle is held to unless it is read with other limits.
    public static let standard = BundleLimits()
}
