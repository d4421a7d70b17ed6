public import PopSource

/// The settings of a project's checks: the file `poprules.yaml`.
public struct Configuration: Sendable {
    /// The name of the file, which is never a rule file.
    public static let fileName = "poprules.yaml"
    /// The version of the format that is read.
    static let version = 1

    /// The level of a check, or of all checks of a group.
    public struct CheckLevel: Sendable, Hashable {
        /// The checks that it is about; of a group, all of them.
        public var checks: Set<Check>
        /// The level of their findings; `off` reports none.
        public var level: Level
    }

    /// Levels for the files whose paths match.
    public struct Override: Sendable {
        /// Patterns as `PathPattern` reads them, relative to the configuration file.
        public var paths: [Located<String>]
        /// Levels for files whose paths match one of the patterns; later ones win.
        public var checks: [CheckLevel]
    }

    /// Files, folders and patterns, relative to the file.
    public var rules: [Located<String>] = []
    /// Levels for all files, in the order of the file; later ones win.
    public var checks: [CheckLevel] = []
    /// In the order of the file; later ones win.
    public var overrides: [Override] = []
    /// A file, relative to this one.
    public var baseline: Located<String>?

    /// The configuration of a project that has none.
    public init() {}
}

/// The levels of checks by path, ready to be looked up.
public struct CheckLevels: Sendable {
    private let general: [Configuration.CheckLevel]
    private let overrides: [(patterns: [PathPattern], checks: [Configuration.CheckLevel])]

    /// The levels that a configuration gives, with its patterns made ready.
    public init(_ configuration: Configuration) {
        general = configuration.checks
        overrides = configuration.overrides.map { override in
            (override.paths.map { PathPattern($0.value) }, override.checks)
        }
    }

    /// The findings at the levels that are configured, those that are off left out.
    ///
    /// `path` gives the path of a file relative to the configuration; nil if patterns do not apply.
    public func apply(to diagnostics: Diagnostics, path: (FileID) -> String?) -> Diagnostics {
        var known: [FileID: [Configuration.CheckLevel]] = [:]
        if general.isEmpty, overrides.isEmpty,
            diagnostics.list.allSatisfy({ $0.level != .off })
        {
            return diagnostics
        }
        return Diagnostics(
            diagnostics.list.compactMap { finding in
                let file = finding.range.file
                let levels = known[file] ?? self.levels(forFileAt: path(file))
                known[file] = levels
                var finding = finding
                if let last = levels.last(where: { $0.checks.contains(finding.check) }) {
                    let lowest = finding.check.isAlwaysTold ? Level.info : .off
                    finding.level = max(last.level, lowest)
                }
                return finding.level == .off ? nil : finding
            })
    }

    private func levels(forFileAt path: String?) -> [Configuration.CheckLevel] {
        guard let path else { return general }
        let names = PathNames(path)
        return overrides.reduce(into: general) { levels, override in
            if override.patterns.contains(where: { $0.matches(names) }) {
                levels += override.checks
            }
        }
    }
}
