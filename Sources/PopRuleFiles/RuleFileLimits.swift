internal import PopScheduler

/// All bounds on the content of rule files, so that no input exhausts memory, stack or patience.
public struct RuleFileLimits: Sendable, Hashable {
    /// Files in one rule set.
    public var files = 1_000
    /// Comments for poprules in one file.
    public var ignoreComments = 1_000
    /// The depth to which folders are searched for files that match a pattern.
    public var folderDepth = 32
    /// Bytes in one file.
    public var fileBytes = 16 << 20
    /// Bytes of all files of one rule set.
    public var allFileBytes = 256 << 20
    /// Entries of one section over all files: popups, context keys and so on.
    public var entries = 10_000
    /// Schedulers in all files together: each has its own screen and queue, and the engine goes
    /// through all of them for every input.
    public var schedulers = 100
    /// Items of one list in a rule file, such as `tags` or the items of `all`.
    public var listItems = 10_000
    /// The depth to which lists and `all`, `any` and `none` may be nested in one condition.
    public var conditionDepth = 32
    /// Names that lead nowhere for which similar names are looked up: each is compared with all
    /// that exist.
    public var suggestions = 100
    /// Findings about one file that are shown, the worst first; the others are only counted.
    public var findings = 1_000
    /// Findings about all files together that are shown.
    public var allFindings = 5_000
    /// Findings that a baseline may hold.
    public var baselineEntries = 100_000
    /// The number of named conditions that may use each other in a row.
    public var conditionChain = 64
    /// The depth to which lists and maps may be nested in `content` and in other values.
    public var valueDepth = 32
    /// The depth to which `list<…>` and `map<…>` may be nested in a type.
    public var typeDepth = 8
    /// The longest duration, in days.
    public var durationDays = RuleBounds.durationDays
    /// Characters of an id or name.
    public var nameLength = 128

    /// Returns how many entries a section may have in all files together.
    ///
    /// - Parameter kind: The word for one entry, such as `popup`.
    func entries(of kind: String) -> Int { kind == "scheduler" ? schedulers : entries }

    /// The longest duration, in milliseconds.
    package var durationMilliseconds: Int64 { Int64(durationDays) * 86_400_000 }

    /// The standard limits, to change one by one.
    public init() {}

    /// The limits of rule files unless other limits are given.
    public static let standard = RuleFileLimits()
}
