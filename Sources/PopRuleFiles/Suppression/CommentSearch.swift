internal import PopSource
internal import PopYAML

/// The lines of a file, and the strings on them that only look like comments.
struct CommentSearch {
    private let source: SourceFile
    private let lines: LineIndex
    /// In the order of the file.
    private let scalars: [Range<Int>]

    /// Nil when no comment of the file can be meant for poprules, which is cheap to see.
    init?(_ source: SourceFile) {
        guard source.mayHaveComments else { return nil }
        self.source = source
        lines = LineIndex(source)
        var scalars: [Range<Int>] = []
        YAMLDocument.parse(source).value?.root.collectScalars(&scalars)
        self.scalars = scalars.sorted { $0.lowerBound < $1.lowerBound }
    }

    var lastLine: Int { lines.lineCount }

    func line(at offset: Int) -> Int { lines.line(at: offset) }

    /// A comment for poprules.
    struct Found {
        var text: CommentText
        var line: Int
        /// Its line; of a comment that has the line to itself, the next one that holds more than a
        /// comment.
        var target: Int?
    }

    /// The comments for poprules in the order of the file. Linear in the file.
    func comments() -> [Found] {
        var found: [Found] = []
        var below: Int?
        for line in (1...lastLine).reversed() {
            let range = lines.bytes(ofLine: line)
            let content = source.bytes[range].firstIndex { !isBlank($0) }
            let isAlone = content.map { source.bytes[$0] == UInt8(ascii: "#") } ?? true
            if let start = commentStart(in: range),
                let text = CommentText(source, comment: start..<range.upperBound)
            {
                found.append(Found(text: text, line: line, target: isAlone ? below : line))
            }
            if !isAlone { below = line }
        }
        return found.reversed()
    }

    /// The last line of the strings that begin on a line.
    func endOfTexts(onLine line: Int) -> Int {
        let bytes = lines.bytes(ofLine: line)
        let texts = scalars[firstScalar(startingAt: bytes.lowerBound)...]
            .prefix { bytes.contains($0.lowerBound) }
        return texts.map(\.upperBound).max().map { max(line, lines.line(at: $0 - 1)) } ?? line
    }

    /// A comment begins at a `#` at the beginning of a line or after a blank, outside all strings.
    private func commentStart(in line: Range<Int>) -> Int? {
        line.first { offset in
            source.bytes[offset] == UInt8(ascii: "#")
                && (offset == line.lowerBound || isBlank(source.bytes[offset - 1]))
                && !isInText(offset)
        }
    }

    private func isInText(_ offset: Int) -> Bool {
        let next = firstScalar(startingAt: offset + 1)
        return next > 0 && scalars[next - 1].contains(offset)
    }

    /// The position of the first string that starts at an offset or after it.
    private func firstScalar(startingAt offset: Int) -> Int {
        var low = 0
        var high = scalars.count
        while low < high {
            let middle = (low + high) / 2
            if scalars[middle].lowerBound < offset { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension SourceFile {
    /// True if `poprules:` follows a `#` anywhere, in a comment or in a string.
    fileprivate var mayHaveComments: Bool {
        var rest = bytes[...]
        while let mark = rest.firstIndex(of: UInt8(ascii: "#")) {
            rest = rest[(mark + 1)...].drop(while: isBlank)
            if rest.starts(with: CommentText.prefix) { return true }
        }
        return false
    }
}

extension YAMLNode {
    /// The places of all scalars below, those of aliases left out; the parser bounds the depth.
    fileprivate func collectScalars(_ ranges: inout [Range<Int>]) {
        if isAlias { return }
        if scalar != nil, !range.isEmpty { ranges.append(range.bytes) }
        for item in items { item.collectScalars(&ranges) }
        for entry in entries {
            entry.key.collectScalars(&ranges)
            entry.value.collectScalars(&ranges)
        }
    }
}
