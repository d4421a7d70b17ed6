public import PopScheduler
public import PopSource

/// The files of a rule set that are edited: each file is parsed once, and all are checked together
/// after every change.
///
/// The findings are always the same as those of `RuleSet.check`. A change takes as long as linking
/// and compiling all files, and parsing the changed one.
public struct LinkedFiles: Sendable {
    /// All files that there are or were; those of `files` are linked.
    public private(set) var sources: SourceSet
    /// In the order in which they are read: of two definitions of a name the first is used.
    public private(set) var files: [FileID]
    /// The content of all files together; nil if they are too large to be checked.
    public private(set) var model: RuleModel?
    /// The rules for the scheduler, and the findings of all files in the order of printing.
    public private(set) var rules = Checked<RuleSet>(nil)

    private let limits: RuleFileLimits
    private var parsed: [FileID: Checked<RuleFile>] = [:]

    /// The findings of all files, in the order of printing.
    public var diagnostics: Diagnostics { rules.diagnostics }

    /// Links files of a set, by default all of them.
    public init(
        _ sources: SourceSet, files ids: [FileID]? = nil, limits: RuleFileLimits = .standard
    ) {
        self.sources = sources
        self.limits = limits
        files = ids ?? sources.files.map(\.id)
        let parsed = RuleFile.parse(files.map { sources[$0] }, limits: limits)
        self.parsed = Dictionary(uniqueKeysWithValues: zip(files, parsed))
        link()
    }

    /// Takes the new content of a file. Precondition: its id is that of a linked file.
    public mutating func update(_ file: SourceFile) {
        precondition(parsed[file.id] != nil, "the file is not among those that are linked")
        sources.replace(file)
        parsed[file.id] = RuleFile.parse(file, limits: limits)
        link()
    }

    /// Adds a file, at a position in the order of reading, by default after the others.
    @discardableResult
    public mutating func add(
        path: String, bytes: [UInt8], problem: String? = nil, at position: Int? = nil
    ) -> SourceFile {
        let file = sources.add(path: path, bytes: bytes, problem: problem)
        files.insert(file.id, at: position ?? files.count)
        parsed[file.id] = RuleFile.parse(file, limits: limits)
        link()
        return file
    }

    /// Leaves a file out from now on.
    public mutating func remove(_ id: FileID) {
        files.removeAll { $0 == id }
        parsed[id] = nil
        link()
    }

    private mutating func link() {
        let checked = RuleModel.check(
            files.compactMap { parsed[$0] }, of: files.map { sources[$0] }, in: sources,
            limits: limits)
        model = checked.value
        let compiled = model.map { RuleSet.compile($0, limits: limits) }
        rules = Checked(
            compiled?.value,
            diagnostics: checked.diagnostics.ofRules(
                in: files.map { sources[$0] }, with: compiled?.diagnostics, limits: limits))
    }
}
