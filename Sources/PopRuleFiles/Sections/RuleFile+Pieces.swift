internal import Dispatch
internal import PopSource
internal import PopYAML
internal import Synchronization

extension RuleFile {
    /// Shorter pieces cost more to put together than the cores gain; longer ones leave cores idle at the end.
    static let pieceLength = 65_536

    /// Reads a long file in pieces, on all cores.
    ///
    /// Nil for a file that cannot be cut and for one with anything to report. Such a file is read as a whole, which gives
    /// every finding as if there were no pieces.
    static func parseInPieces(
        _ source: SourceFile, limits: RuleFileLimits, known: KnownExpressions?,
        pieceLength: Int
    ) -> RuleFile? {
        guard let pieces = YAMLPieces(source, limits: limits.yaml, length: pieceLength) else {
            return nil
        }
        let found = Mutex([Int: RuleFilePart]())
        let hasFailed = Atomic(false)
        let entries = Atomic(0)
        DispatchQueue.performFromBothEnds(pieces.list.count) {
            let table = Table.newPopupTable()
            return { position in
                if hasFailed.load(ordering: .relaxed) { return }
                let decoder = Decoder(source, limits: limits, known: known, popupTable: table)
                let part = decoder.read(pieces.list[position], of: pieces, isFirst: position == 0)
                let count = entries.add(part?.entryCount ?? 0, ordering: .relaxed).newValue
                // So many may be too many of one section, which is for whoever reads the whole to say.
                if part == nil || count > limits.entries {
                    hasFailed.store(true, ordering: .relaxed)
                }
                found.withLock { $0[position] = part }
            }
        }
        if hasFailed.load(ordering: .relaxed) { return nil }
        let parts = found.withLock { found in pieces.list.indices.compactMap { found[$0] } }
        guard let positions = RuleFilePart.positionsOfPopups(in: parts) else { return nil }
        return RuleFile(joining: parts.map(\.file), positions)
    }

    private init(joining files: [RuleFile], _ positionsOfPopups: [String: Int]) {
        self.init()
        schedulers = files.flatMap(\.schedulers)
        context = files.flatMap(\.context)
        templates = files.flatMap(\.templates)
        events = files.flatMap(\.events)
        conditions = files.flatMap(\.conditions)
        groups = files.flatMap(\.groups)
        popups = files.flatMap(\.popups)
        self.positionsOfPopups = positionsOfPopups
        conditionsMentionHistory = files.contains(where: \.conditionsMentionHistory)
        conditionsRepeat = files.contains(where: \.conditionsRepeat)
    }
}

/// What a piece of a rule file says.
private struct RuleFilePart: Sendable {
    var file = RuleFile()
    /// The keys at the top of the file that stand in the piece.
    var keys: [String] = []

    var entryCount: Int {
        file.schedulers.count + file.context.count + file.templates.count + file.events.count
            + file.conditions.count + file.groups.count + file.popups.count
    }

    /// The positions of the popups of all parts by their names; nil when any key stands in two of the parts.
    static func positionsOfPopups(in parts: [RuleFilePart]) -> [String: Int]? {
        func isOnce<Entry: Declaration>(_ section: (RuleFile) -> [Entry]) -> Bool {
            var seen: Set<String> = []
            seen.reserveCapacity(parts.reduce(0) { $0 + section($1.file).count })
            for part in parts {
                for entry in section(part.file) where !seen.insert(entry.name.value).inserted {
                    return false
                }
            }
            return true
        }
        let keys = parts.flatMap(\.keys)
        guard Set(keys).count == keys.count, isOnce(\.schedulers), isOnce(\.context),
            isOnce(\.templates), isOnce(\.events), isOnce(\.conditions), isOnce(\.groups)
        else { return nil }
        var positions: [String: Int] = [:]
        positions.reserveCapacity(parts.reduce(0) { $0 + $1.file.popups.count })
        for part in parts {
            for popup in part.file.popups {
                let position = positions.count
                if positions.updateValue(position, forKey: popup.name.value) != nil { return nil }
            }
        }
        return positions
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
        part.file.conditionsMentionHistory = mentionsHistory
        part.file.conditionsRepeat = conditionsRepeat
        return diagnostics.isEmpty ? part : nil
    }
}
