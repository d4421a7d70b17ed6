package import PopSource

/// A long file without findings, cut into pieces that can be read apart from each other, on all cores.
///
/// A piece is read only when that gives the same as reading the file as a whole. Where this is not certain, or there is
/// anything to report, there is no answer, and the file must be read as a whole.
package struct YAMLPieces: Sendable {
    private let text: CheckedText
    private let limits: YAMLLimits
    package let list: [YAMLPiece]

    /// Cuts a file into pieces of at least `length` bytes; nil when it is shorter than two of them. Linear in the file.
    package init?(_ source: SourceFile, limits: YAMLLimits = .standard, length: Int) {
        guard source.bytes.count / 2 >= length else { return nil }
        var diagnostics = Diagnostics()
        guard let text = CheckedText(source, limits: limits, &diagnostics), diagnostics.isEmpty
        else { return nil }
        var cutter = PieceCutter(text, length: length)
        list = cutter.cut()
        guard !list.isEmpty else { return nil }
        self.text = text
        // Together no more than the file may have; entries below a key lie one level deeper than it seems.
        var limits = limits
        limits.nodes /= list.count
        limits.depth -= 1
        self.limits = limits
    }

    /// The map of a piece: keys of the file, followed by what stands below them, or entries below one of those keys.
    package func read(_ piece: YAMLPiece) -> YAMLNode? {
        let part = text.part(piece.bytes)
        var builder = TreeBuilder(part, limits: limits, broken: [])
        let ending = LibYAMLParser.reading(part.bytes, from: part.start, to: part.end) {
            builder.build(&$0)
        }
        guard case .document(let root)? = ending, builder.isSelfContained,
            builder.diagnostics.isEmpty
        else { return nil }
        let node = YAMLNode(builder.tree(), root)
        return node.isMap(of: piece) ? node : nil
    }
}

extension TreeBuilder {
    /// Whether nothing reaches beyond the piece.
    ///
    /// Anchors, merge keys, and tags, whose meaning the file may change, do; and where a key behind a `?` has no value,
    /// libyaml places that at what comes next.
    fileprivate var isSelfContained: Bool {
        anchors.definitions.isEmpty && properties.isEmpty && !hasMerges
            && (end == bytes.count || Int(records.last?.start ?? 0) < end)
    }
}

extension YAMLNode {
    /// Whether YAML sees what the cutter took the piece for: a map that begins where it must and is open where it ends.
    fileprivate func isMap(of piece: YAMLPiece) -> Bool {
        guard kind == .mapping, !isFlow, piece.firstEntry ?? range.lower == range.lower else {
            return false
        }
        if piece.section != nil { return true }
        guard let entry = entries.last, entry.key.range == piece.last.name else { return false }
        return !piece.isContinued
            || entry.value.range.lower == piece.last.firstEntry && entry.value.kind == .mapping
                && !entry.value.isFlow
    }
}
