public import PopSource

extension Diagnostics {
    /// Returns the diagnostics without the fixes that touch a line with bytes that aren't UTF-8:
    /// such a fix would write other bytes than the line had.
    public func withoutBlindFixes(in sources: SourceSet) -> Diagnostics {
        var lines: [FileID: LineIndex] = [:]
        for id in Set(list.flatMap { $0.fixes.flatMap(\.edits).map(\.range.file) }) {
            let file = sources[id]
            if !file.isUTF8 { lines[id] = LineIndex(file) }
        }
        if lines.isEmpty { return self }
        return Diagnostics(
            list.map { finding in
                if finding.fixes.isEmpty { return finding }
                var finding = finding
                finding.fixes.removeAll { fix in
                    fix.edits.contains { edit in
                        let file = sources[edit.range.file]
                        return lines[file.id].map { file.isBlind(edit.range, lines: $0) } ?? false
                    }
                }
                return finding
            })
    }
}

extension SourceFile {
    fileprivate var isUTF8: Bool { String(utf8: bytes) != nil }

    /// Returns true if one of the lines that a range touches can't be decoded.
    fileprivate func isBlind(_ range: SourceRange, lines: LineIndex) -> Bool {
        let first = lines.bytes(ofLine: lines.line(at: range.lower)).lowerBound
        let last = lines.bytes(ofLine: lines.line(at: range.upper)).upperBound
        return String(utf8: bytes[first..<max(first, last)]) == nil
    }
}
