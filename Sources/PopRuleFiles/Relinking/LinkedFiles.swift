public import PopScheduler
public import PopSource

/// The files of a rule set, linked in such a way that a change of one file costs little.
///
/// Only the changed file is parsed again, and only files that mention a changed declaration are
/// checked again. The findings are always the same as those of `RuleSet.check`.
public struct LinkedFiles: Sendable {
    /// All files that there are or were; those of `files` are linked.
    public private(set) var sources: SourceSet
    /// In the order in which they are read: of two definitions of a name the first is used.
    public private(set) var files: [FileID]
    /// The content of all files together; nil if they are too large to be checked.
    public internal(set) var model: RuleModel?
    /// The findings of all files, in the order of printing.
    public internal(set) var diagnostics = Diagnostics()

    let limits: RuleFileLimits
    var linked: [FileID: LinkedFile] = [:]
    /// The findings about all files together, and about their named conditions.
    var common = Diagnostics()
    var chains = Diagnostics()
    /// True if references and conditions have not been checked yet.
    var isUnlinked = true
    /// True if more suggestions were needed than are given.
    var isScarce = false
    private(set) var filesByName = FilesByName()

    /// Links files of a set, by default all of them.
    public init(
        _ sources: SourceSet, files ids: [FileID]? = nil, limits: RuleFileLimits = .standard
    ) {
        self.sources = sources
        self.limits = limits
        files = ids ?? sources.files.map(\.id)
        let parsed = RuleFile.parse(files.map { sources[$0] }, limits: limits)
        for (id, parsed) in zip(files, parsed) { take(LinkedFile(parsed), of: id) }
        _ = link(Change())
    }

    /// Takes the new content of a file. Precondition: its id is that of a linked file.
    ///
    /// Returns the files whose references and conditions were checked again.
    @discardableResult
    public mutating func update(_ file: SourceFile) -> Set<FileID> {
        precondition(linked[file.id] != nil, "the file is not among those that are linked")
        let shift = PlaceShift(from: sources[file.id], to: file)
        sources.replace(file)
        return change(file.id, to: parsed(file), shift: shift)
    }

    /// Adds a file, at a position in the order of reading, by default after the others.
    ///
    /// Returns the file and the files that were checked again.
    @discardableResult
    public mutating func add(
        path: String, bytes: [UInt8], problem: String? = nil, at position: Int? = nil
    ) -> (file: SourceFile, linked: Set<FileID>) {
        let file = sources.add(path: path, bytes: bytes, problem: problem)
        files.insert(file.id, at: position ?? files.count)
        return (file, change(file.id, to: parsed(file)))
    }

    /// Leaves a file out from now on. Returns the files that were checked again.
    @discardableResult
    public mutating func remove(_ id: FileID) -> Set<FileID> {
        let linked = change(id, to: nil)
        files.removeAll { $0 == id }
        return linked
    }

    /// Returns the rules for the scheduler, compiled at each call.
    public func compiled() -> Checked<RuleSet> { compiled {} }

    /// As `compiled()`; `check` is called again and again, and can end that by throwing.
    public func compiled(check: () throws -> Void) rethrows -> Checked<RuleSet> {
        let rules = try model.flatMap {
            try RuleSet.compile($0, limits: limits, keepsModel: true, check: check).value
        }
        return Checked(rules, diagnostics: diagnostics)
    }

    private func parsed(_ file: SourceFile) -> LinkedFile {
        LinkedFile(RuleFile.parse(file, limits: limits))
    }

    /// Replaces a file; a removed file is nil.
    private mutating func change(
        _ id: FileID, to new: LinkedFile?, shift: PlaceShift? = nil
    ) -> Set<FileID> {
        let former = linked[id]?.summary ?? FileSummary()
        let names = Set(former.declared.keys).union((new?.summary ?? FileSummary()).declared.keys)
        let used = names.map { ($0, use(of: $0)) }
        filesByName.remove(former, of: id)
        linked[id] = nil
        if let new { take(new, of: id) }
        let changed = used.filter { name, former in !isSame(former, use(of: name), shift: shift) }
        return link(Change(file: id, names: Set(changed.map(\.0)), shift: shift))
    }

    private mutating func take(_ file: LinkedFile, of id: FileID) {
        filesByName.add(file.summary, of: id)
        linked[id] = file
    }
}

extension LinkedFiles {
    /// The differences from when the files were last linked.
    struct Change {
        /// The file that was changed, added or removed.
        var file: FileID?
        /// The names that are declared otherwise, or in another file.
        var names: Set<DeclaredName> = []
        /// The new places in the file; nil if it was added or removed.
        var shift: PlaceShift?
    }

    /// The file whose declaration of a name is used, and its declaration.
    func use(of name: DeclaredName) -> (file: FileID, declaration: DeclarationSummary)? {
        let declaring = filesByName.declaring[name] ?? []
        let first = declaring.count < 2 ? declaring.first : files.first { declaring.contains($0) }
        guard let first, let declaration = linked[first]?.summary.declared[name] else {
            return nil
        }
        return (first, declaration)
    }

    private func isSame(
        _ old: (file: FileID, declaration: DeclarationSummary)?,
        _ new: (file: FileID, declaration: DeclarationSummary)?, shift: PlaceShift?
    ) -> Bool {
        guard let old, let new else { return (old == nil) == (new == nil) }
        guard old.file == new.file, old.declaration.parts == new.declaration.parts else {
            return false
        }
        guard let shift else { return true }
        return old.declaration.places.map { shift($0) } == new.declaration.places
    }
}
