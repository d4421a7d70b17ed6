internal import PopReports
public import PopScheduler
public import PopSource

// The types that loading returns, so that an app needs to import only PopRuleFiles.
@_exported public import struct PopSource.Checked

extension RuleModel {
    /// Reads, parses and links the files of a set, by default all sources; mistakes in one of them
    /// do not keep the others from being checked.
    public static func check(
        _ sources: SourceSet, files ids: [FileID]? = nil, limits: RuleFileLimits = .standard
    ) -> Checked<RuleModel> {
        let files = ids?.map { sources[$0] } ?? sources.files
        return check(
            RuleFile.parse(files, limits: limits), of: files, in: sources, limits: limits)
    }

    /// Links files that are parsed already.
    static func check(
        _ parsed: [Checked<RuleFile>], of files: [SourceFile], in sources: SourceSet,
        limits: RuleFileLimits
    ) -> Checked<RuleModel> {
        var diagnostics = Diagnostics()
        for file in parsed { diagnostics.report(contentsOf: file.diagnostics) }
        diagnostics = diagnostics.namingAnchorsElsewhere(in: files)
        let models = parsed.compactMap(\.value)
        if models.contains(where: \.isRefused) { return Checked(nil, diagnostics: diagnostics) }
        return Checked(models, diagnostics: diagnostics)
            .then { link($0, sources: sources, limits: limits) }
    }
}

extension RuleSet {
    /// Makes a rule set of files, by default of all sources: from bytes to the rules that the
    /// scheduler runs.
    ///
    /// Every mistake is reported once, those inside a value that several popups share through an
    /// alias too.
    public static func check(
        _ sources: SourceSet, files ids: [FileID]? = nil, limits: RuleFileLimits = .standard
    ) -> Checked<RuleSet> {
        var checked = RuleModel.check(sources, files: ids, limits: limits)
        // Taken out and passed on, so that nothing else holds the model while it is compiled.
        var compiled: Checked<RuleSet>?
        if let model = checked.value.take() {
            compiled = compile(model, limits: limits, keepsModel: false)
        }
        let findings = checked.diagnostics.ofRules(
            in: ids?.map { sources[$0] } ?? sources.files, with: compiled?.diagnostics,
            limits: limits)
        return Checked(compiled?.value, diagnostics: findings)
    }

    /// Reads a file or a folder of rule files: `let rules = try RuleSet.load("rules").get()`.
    public static func load(
        _ path: String, limits: RuleFileLimits = .standard
    ) throws(ReadError) -> Checked<RuleSet> {
        check(try RuleFiles.read(path, limits: limits), limits: limits)
    }
}

extension Diagnostics {
    /// Returns the findings to report, of the findings about the files of a rule set and those of
    /// compiling it.
    func ofRules(
        in files: [SourceFile], with compiled: Diagnostics?, limits: RuleFileLimits
    ) -> Diagnostics {
        var all = self
        all.report(contentsOf: compiled ?? Diagnostics())
        let isComplete = files.allSatisfy { $0.problem == nil }
        let byID = Dictionary(files.map { ($0.id, $0) }) { first, _ in first }
        return all.withoutRepeats.withoutAbsences(unless: isComplete)
            .withoutFixesOfKeysThatStand(
                in: { byID[$0] ?? SourceFile(path: "", bytes: []) }, limits: limits
            )
            .atMost(limits)
    }

    /// The same findings, without those that differ only in their subject.
    public var withoutRepeats: Diagnostics {
        var seen: Set<Diagnostic> = []
        return Diagnostics(
            list.filter { diagnostic in
                var key = diagnostic
                key.subject = nil
                return seen.insert(key).inserted
            }
        ).withoutSymptoms
    }

    /// Without findings that only follow from another one at the same place.
    ///
    /// A value that is refused need not be warned about; a name or an expression with a character
    /// that cannot be seen is wrong because of that character.
    private var withoutSymptoms: Diagnostics {
        let refused = Set(list.lazy.filter { $0.check == .schemaType }.map(\.range))
        let characters = list.indices.filter { list[$0].check == .yamlConfusable }
        var copy = list
        var symptoms: Set<Int> = []
        for index in list.indices {
            let finding = list[index]
            if finding.check == .yamlImplicitType, refused.contains(finding.range) {
                symptoms.insert(index)
            }
            guard finding.check == .schemaIDFormat || finding.check == .conditionSyntax,
                let cause = characters.first(where: { finding.range.encloses(list[$0].range) })
            else { continue }
            copy[cause].level = .error
            symptoms.insert(index)
        }
        return Diagnostics(copy.indices.filter { !symptoms.contains($0) }.map { copy[$0] })
    }
}

extension SourceRange {
    fileprivate func encloses(_ other: SourceRange) -> Bool {
        file == other.file && lower <= other.lower && other.upper <= upper
    }
}

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A file or folder of rules that is watched: returns the rules again whenever its files have
/// changed.
///
/// It looks at the dates and sizes of the files at an interval, and reads them once they have been
/// still for one interval, so that no half-written file is read. Ends when its task is cancelled.
///
/// ```swift
/// let source = RuleSource("rules")
/// let engine = PopupEngine(rules: try source.load().get(), presenter: screen)
/// engine.start()
/// engine.startFollowing(source)
/// ```
public struct RuleSource: AsyncSequence, Sendable {
    /// The rules, or an error: `Rejected` or `ReadError`.
    public typealias Element = Result<RuleSet, any Error>
    public typealias Failure = Never

    /// The file or folder that is watched.
    public let path: String
    private let interval: Duration
    private let limits: RuleFileLimits
    private let beginning: Fingerprint

    /// Changes count from now on.
    public init(
        _ path: String, interval: Duration = .seconds(1), limits: RuleFileLimits = .standard
    ) {
        self.path = path
        self.interval = interval
        self.limits = limits
        beginning = Fingerprint(of: path)
    }

    /// The rules as they are.
    public func load() throws(ReadError) -> Checked<RuleSet> {
        try RuleSet.load(path, limits: limits)
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let source: RuleSource
        fileprivate var known: Fingerprint

        public mutating func next() async -> Element? {
            var last = known
            while (try? await Task.sleep(for: source.interval)) != nil {
                let current = Fingerprint(of: source.path)
                if current == last, current != known {
                    known = current
                    return Result { try source.load().get() }
                }
                last = current
            }
            return nil
        }
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(source: self, known: beginning)
    }
}

/// A fingerprint that distinguishes a state of files from the one before without reading them.
private struct Fingerprint: Sendable, Equatable {
    private struct File: Sendable, Equatable {
        var name: String
        var size: UInt64?
        var modified: Date?
        /// Another one when the file was replaced.
        var number: UInt64?
    }

    private var files: [File] = []

    init(of path: String) {
        let manager = FileManager.default
        let names = try? manager.contentsOfDirectory(atPath: path)
        let paths = names.map { $0.filter(RuleFiles.isRuleFile).sorted().map { "\(path)/\($0)" } }
        files = (paths ?? [path]).map { path in
            let attributes = try? manager.attributesOfItem(
                atPath: DiskPath(path).target)
            return File(
                name: path, size: attributes?.number(.size),
                modified: attributes?[.modificationDate] as? Date,
                number: attributes?.number(.systemFileNumber))
        }
    }
}
