internal import PopSource

/// The new positions of places in a file after a part of the file was replaced.
struct PlaceShift: Sendable {
    private let file: FileID
    /// The bytes in front of this offset are the same.
    private let start: Int
    /// The bytes of the former file from this offset on are unchanged, and have moved by
    /// `distance`.
    private let end: Int
    private let distance: Int

    init(from old: SourceFile, to new: SourceFile) {
        file = new.id
        let shorter = min(old.bytes.count, new.bytes.count)
        var start = 0
        while start < shorter, old.bytes[start] == new.bytes[start] { start += 1 }
        var tail = 0
        while tail < shorter - start,
            old.bytes[old.bytes.count - 1 - tail] == new.bytes[new.bytes.count - 1 - tail]
        {
            tail += 1
        }
        self.start = start
        end = old.bytes.count - tail
        distance = new.bytes.count - old.bytes.count
    }

    /// Nil for a place in the part that was replaced.
    func callAsFunction(_ range: SourceRange) -> SourceRange? {
        guard range.file == file else { return range }
        // An empty place where something was inserted is on neither side of it.
        if range.upper <= start, range.upper < end || !range.isEmpty { return range }
        guard range.lower >= end, range.lower > start || !range.isEmpty else { return nil }
        return SourceRange(file: file, range.lower + distance..<range.upper + distance)
    }

    /// Returns true if one of the places of a finding is in the file.
    func concerns(_ finding: Diagnostic) -> Bool {
        finding.range.file == file || finding.secondary.contains { $0.range.file == file }
            || finding.fixes.contains { $0.edits.contains { $0.range.file == file } }
    }

    /// The finding with all its places; nil when one of them was replaced.
    func callAsFunction(_ finding: Diagnostic) -> Diagnostic? {
        guard concerns(finding) else { return finding }
        var moved = finding
        guard let range = self(finding.range) else { return nil }
        moved.range = range
        for index in moved.secondary.indices {
            guard let range = self(moved.secondary[index].range) else { return nil }
            moved.secondary[index].range = range
        }
        for fix in moved.fixes.indices {
            for edit in moved.fixes[fix].edits.indices {
                guard let range = self(moved.fixes[fix].edits[edit].range) else { return nil }
                moved.fixes[fix].edits[edit].range = range
            }
        }
        return moved
    }
}
