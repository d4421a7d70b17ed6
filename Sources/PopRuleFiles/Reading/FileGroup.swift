/// Files and folders that make one rule set, and the reason why they are read.
public struct FileGroup: Sendable, Hashable {
    /// Files and folders as they are printed; a folder means the rule files below it.
    public var paths: [String]
    /// The folder that a pattern was looked up in: no link may lead out of it, and a bad file is
    /// one finding among others.
    public var home: String?
    /// True if a file has named the paths, and not the user: then only files that declare
    /// themselves as rules or tests are read.
    public var isNamedByFile: Bool

    /// Paths that the user gave, by default.
    public init(_ paths: [String], foundIn home: String? = nil, isNamedByFile: Bool = false) {
        self.paths = paths
        self.home = home
        self.isNamedByFile = isNamedByFile
    }
}
