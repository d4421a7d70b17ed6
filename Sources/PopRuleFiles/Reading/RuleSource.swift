internal import PopReports
public import PopScheduler
public import PopSource

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
                atPath: URL(filePath: path).resolvingSymlinksInPath().path)
            return File(
                name: path, size: attributes?.number(.size),
                modified: attributes?[.modificationDate] as? Date,
                number: attributes?.number(.systemFileNumber))
        }
    }
}
