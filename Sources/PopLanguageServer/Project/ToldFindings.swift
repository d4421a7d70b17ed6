internal import PopRuleFiles
internal import PopSource
internal import PopValidation

/// What is told of the files of a project.
struct ToldFindings: Sendable {
    /// What is told of one file, in the order of printing.
    struct File: Sendable {
        let list: [Diagnostic]
        let counts: LevelCounts
        /// Another one whenever the list is another one.
        let version: Int
        /// What it was made of that may change without a change of the file.
        fileprivate let foundAtOnce: [Diagnostic]
        /// Whether there were errors anywhere; nil where nothing hangs on that.
        fileprivate let hasErrors: Bool?

        /// Whether it is made of this, among other things.
        func hangs(on foundAtOnce: [Diagnostic], hasErrors: Bool) -> Bool {
            self.foundAtOnce == foundAtOnce && self.hasErrors ?? hasErrors == hasErrors
        }
    }

    /// Those that the places of findings lie in.
    var sources: SourceSet
    private(set) var files: [FileID: File] = [:]
    private var versions = 0

    init(sources: SourceSet) { self.sources = sources }

    var errors: [Diagnostic] {
        sources.files.flatMap { files[$0.id]?.list.filter { $0.level == .error } ?? [] }
    }

    func findings(in path: String) -> [Diagnostic] {
        sources.files.first { $0.path == path }.flatMap { files[$0.id]?.list } ?? []
    }

    mutating func tell(
        _ list: [Diagnostic], of file: FileID, foundAtOnce: [Diagnostic], hasErrors: Bool?
    ) {
        versions += 1
        files[file] = File(
            list: list, counts: LevelCounts(list), version: versions, foundAtOnce: foundAtOnce,
            hasErrors: hasErrors)
    }

    /// Takes up what was found in all files.
    mutating func tell(_ outcome: Validation.Outcome) {
        sources = outcome.sources
        let lists = Dictionary(grouping: outcome.diagnostics.sorted, by: \.range.file)
        for id in Set(files.keys).union(lists.keys) where files[id]?.list != lists[id] ?? [] {
            tell(lists[id] ?? [], of: id, foundAtOnce: [], hasErrors: nil)
        }
    }
}

extension [Diagnostic] {
    var containsErrors: Bool { contains { $0.level == .error } }
}
