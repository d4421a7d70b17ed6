public import PopSource

/// The limits of a bundle, so that none exhausts its host.
public struct BundleLimits: Sendable, Hashable {
    /// Bytes, nesting and number of values of the file.
    public var json: JSONLimits
    /// The maximum number of popups, of keys, of events and so on.
    public var entries = 10_000
    /// The maximum nesting depth of `list<…>` and `map<…>` in a type.
    public var typeDepth = 8
    /// The maximum count of an event in a history: counters that continue from it can never
    /// overflow.
    public var historyCount: Int64 = 1_000_000_000_000
    /// The maximum length of a chain of named conditions that use each other.
    public var conditionChain = 64

    /// The standard limits, to change one by one.
    public init() {
        json = JSONLimits()
        json.depth = 128
        json.takesRepeatedKeys = false
    }

    /// The limits that apply unless a bundle is read with other limits.
    public static let standard = BundleLimits()
}
