internal import PopRuleFiles
internal import PopSource
internal import PopValidation

/// The reported diagnostics of the files of a project.
struct ToldFindings: Sendable {
    /// The reported diagnostics of one file, in printing order.
    struct File: Sendable {
        let list: [Diagnostic]
        let counts: LevelCounts
        /// Another one whenever the list is another one.
        let version: Int
        /// The diagnostics that were part of it and may change without a change of the file.
        fileprivate let foundAtOnce: [Diagnostic]
        /// Indicates whether there were errors anywhere; nil if that has no influence.
        fileprivate let hasErrors: Bool?

        /// Returns true if it is still valid for these inputs.
        func hangs(on foundAtOnce: [Diagnostic], hasErrors: Bool) -> Bool {
            self.foundAtOnce == foundAtOnce && self.hasErrors ?? hasErrors == hasErrors
        }
    }

    /// The files that the positions of diagnostics refer to.
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
