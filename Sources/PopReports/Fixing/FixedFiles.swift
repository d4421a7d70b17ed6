public import PopSource

/// Files with the safe fixes of diagnostics applied.
public struct FixedFiles: Sendable {
    /// The new content of each file that changed.
    public private(set) var contents: [FileID: [UInt8]] = [:]
    /// The number of diagnostics that were fixed.
    public private(set) var count = 0

    /// Applies the first safe fix of each diagnostic, in the order of printing; a fix that touches
    /// an earlier change is left for another round. Everything outside of the edits stays
    /// unchanged, byte for byte.
    public init(_ diagnostics: Diagnostics, sources: SourceSet) {
        var accepted: [FileID: AcceptedEdits] = [:]
        for finding in diagnostics.sorted {
            guard let fix = finding.fixes.first(where: \.isSafe), !fix.edits.isEmpty,
                fix.edits.allSatisfy({ sources[$0.range.file].isOnDisk })
            else { continue }
            let new = fix.edits.filter { accepted[$0.range.file]?.contains($0) != true }
            guard new.allSatisfy({ accepted[$0.range.file]?.touches($0) != true }) else { continue }
            for edit in new { accepted[edit.range.file, default: AcceptedEdits()].insert(edit) }
            count += 1
        }
        for (file, edits) in accepted {
            contents[file] = Self.apply(edits.inOrder, to: sources[file].bytes)
        }
    }

    private static func apply(_ edits: [Diagnostic.Edit], to bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var offset = 0
        for edit in edits {
            result += bytes[offset..<edit.range.lower]
            result += edit.replacement.utf8
            offset = edit.range.upper
        }
        return result + bytes[offset...]
    }
}

/// Edits of one file that do not touch each other, in the order of the file. Look-ups are
/// logarithmic.
private struct AcceptedEdits {
    private(set) var inOrder: [Diagnostic.Edit] = []

    func contains(_ edit: Diagnostic.Edit) -> Bool {
        let position = position(of: edit)
        return neighbours(of: position).contains { inOrder[$0] == edit }
    }

    /// Returns true if the edit overlaps or touches another one, so that one may depend on the
    /// other.
    func touches(_ edit: Diagnostic.Edit) -> Bool {
        neighbours(of: position(of: edit)).contains { index in
            let other = inOrder[index].range
            return other.lower <= edit.range.upper && edit.range.lower <= other.upper
        }
    }

    mutating func insert(_ edit: Diagnostic.Edit) { inOrder.insert(edit, at: position(of: edit)) }

    private func neighbours(of position: Int) -> Range<Int> {
        max(position - 1, 0)..<min(position + 1, inOrder.count)
    }

    /// Returns the position after all edits that begin before this one.
    private func position(of edit: Diagnostic.Edit) -> Int {
        var low = 0
        var high = inOrder.count
        while low < high {
            let middle = (low + high) / 2
            if inOrder[middle].range.lower < edit.range.lower {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}

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
