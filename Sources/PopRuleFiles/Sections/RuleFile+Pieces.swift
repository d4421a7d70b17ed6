internal import Dispatch
internal import PopSource
internal import PopYAML
internal import Synchronization

extension RuleFile {
    /// Shorter pieces cost more to put together than the cores gain; longer ones leave cores idle at the end.
    static let pieceLength = 131_072

    /// Reads a long file in pieces, on all cores.
    ///
    /// Nil for a file that cannot be cut and for one with anything to report. Such a file is read as a whole, which gives
    /// every finding as if there were no pieces.
    static func parseInPieces(
        _ source: SourceFile, limits: RuleFileLimits, known: KnownExpressions,
        pieceLength: Int
    ) -> RuleFile? {
        guard let pieces = YAMLPieces(source, limits: limits.yaml, length: pieceLength) else {
            return nil
        }
        let found = Mutex([Int: RuleFilePart]())
        let hasFailed = Atomic(false)
        DispatchQueue.concurrentPerform(iterations: pieces.list.count) { position in
            if hasFailed.load(ordering: .relaxed) { return }
            let decoder = Decoder(source, limits: limits, known: known)
            if let part = decoder.read(pieces.list[position], of: pieces, isFirst: position == 0) {
                found.withLock { $0[position] = part }
            } else {
                hasFailed.store(true, ordering: .relaxed)
            }
        }
        let parts = found.withLock { found in pieces.list.indices.compactMap { found[$0] } }
        guard parts.count == pieces.list.count, RuleFilePart.areDistinct(parts) else { return nil }
        return RuleFile(joining: parts.map(\.file))
    }

    private init(joining files: [RuleFile]) {
        self.init()
        schedulers = files.flatMap(\.schedulers)
        context = files.flatMap(\.context)
        templates = files.flatMap(\.templates)
        events = files.flatMap(\.events)
        conditions = files.flatMap(\.conditions)
        groups = files.flatMap(\.groups)
        popups = files.flatMap(\.popups)
    }
}

/// What a piece of a rule file says.
private struct RuleFilePart: Sendable {
    var file = RuleFile()
    /// The keys at the top of the file that stand in the piece.
    var keys: [String] = []

    /// Whether no key stands in two of the parts.
    static func areDistinct(_ parts: [RuleFilePart]) -> Bool {
        func isOnce<Entry: Declaration>(_ section: (RuleFile) -> [Entry]) -> Bool {
            var seen: Set<String> = []
            for part in parts {
                for entry in section(part.file) where !seen.insert(entry.name.value).inserted {
                    return false
                }
            }
            return true
        }
        let keys = parts.flatMap(\.keys)
        return Set(keys).count == keys.count && isOnce(\.schedulers) && isOnce(\.context)
            && isOnce(\.templates) && isOnce(\.events) && isOnce(\.conditions) && isOnce(\.groups)
            && isOnce(\.popups)
    }
}

extension Decoder {
    /// Reads a piece of the file; nil when there is anything to report.
    fileprivate consuming func read(
        _ piece: YAMLPiece, of pieces: YAMLPieces, isFirst: Bool
    ) -> RuleFilePart? {
        guard let root = pieces.read(piece) else { return nil }
        var part = RuleFilePart()
        if let section = piece.section {
            guard let known = SectionKey.named(source.text(in: section.name)) else { return part }
            read(known, root, into: &part.file)
        } else {
            part.keys = root.entries.compactMap { $0.key.scalar?.text }
            if part.keys.contains(testFileKey) { return nil }
            readSections(root, into: &part.file, hasVersion: !isFirst)
        }
        return diagnostics.isEmpty ? part : nil
    }
}
