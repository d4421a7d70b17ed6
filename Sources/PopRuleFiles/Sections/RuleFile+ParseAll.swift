internal import Dispatch
internal import PopSource
internal import Synchronization

extension RuleFile {
    /// Fewer bytes are read faster than threads start.
    private static let bytesWorthThreads = 65_536

    /// Reads several rule files, on all cores when they are large; the answers are in the order of the files.
    static func parse(_ sources: [SourceFile], limits: RuleFileLimits) -> [Checked<RuleFile>] {
        let bytes = sources.reduce(0) { $0 + $1.bytes.count }
        let known = known(forBytes: bytes)
        guard sources.count > 1, bytes >= bytesWorthThreads else {
            return sources.map { parse($0, limits: limits, known: known) }
        }
        let parsed = Mutex([Int: Checked<RuleFile>]())
        DispatchQueue.concurrentPerform(iterations: sources.count) { position in
            let file = parse(sources[position], limits: limits, known: known)
            parsed.withLock { $0[position] = file }
        }
        return parsed.withLock { found in sources.indices.compactMap { found[$0] } }
    }

    /// Nil for small sets: looking every condition up takes longer than reading those again that stand there twice.
    static func known(forBytes count: Int) -> KnownExpressions? {
        count >= bytesWorthThreads ? KnownExpressions() : nil
    }
}
