extension Layout {
    /// Writes a scalar: its first line unchanged, the others moved.
    mutating func writeScalar(_ token: LayoutToken, shift: Int) {
        let first = bytes[token.range.lowerBound]
        if first == UInt8(ascii: "|") || first == UInt8(ascii: ">") {
            writeBlockScalar(token)
        } else {
            writeLines(token, shift: shift)
        }
    }

    /// Writes a scalar with or without quotes: blanks at the starts of its lines aren't part of it.
    private mutating func writeLines(_ token: LayoutToken, shift: Int) {
        let isDoubleQuoted = bytes[token.range.lowerBound] == UInt8(ascii: "\"")
        let floor = blocks.last.map { $0.new + 1 } ?? 0
        for (position, line) in lines(in: token.range).enumerated() {
            let content = line.content.drop { isBlank($0) && position > 0 }
            let blanks = line.content.count - content.count
            if !content.isEmpty {
                if position > 0 { indent(by: max(floor, blanks + shift)) }
                // After a backslash a blank matters.
                append(isDoubleQuoted ? content : content.trimmed)
            }
            append(line.lineBreak)
        }
    }

    /// Writes a scalar below `|` or `>`: its text keeps its own indentation.
    private mutating func writeBlockScalar(_ token: LayoutToken) {
        var lines = lines(in: token.range)[...]
        guard let header = lines.popFirst() else { return }
        append(header.content.trimmed)
        append(header.lineBreak.isEmpty ? lineBreak : header.lineBreak)
        let indicators = header.content.dropFirst().prefix { !isBlank($0) }
        let increment = indicators.first { (0x31...0x39).contains($0) }.map { Int($0) - 0x30 }
        let isKept = indicators.contains(UInt8(ascii: "+"))
        let isStripped = indicators.contains(UInt8(ascii: "-"))

        let (old, new) = indentation(of: lines, increment: increment)
        let isContent: (Line) -> Bool = { line in
            line.content.dropFirst(old).isEmpty == false || line.content.contains { $0 != 0x20 }
        }
        if !isKept,
            let end = lines.lastIndex(where: isContent) ?? lines.indices.first.map({ $0 - 1 })
        {
            hasEmptyLine = end + 1 < lines.endIndex
            lines = lines[...end]
        }
        for line in lines {
            if isContent(line) {
                indent(by: new)
                append(line.content.dropFirst(old))
            }
            append(line.lineBreak)
        }
        if lines.last?.lineBreak.isEmpty == true {
            if isStripped { append(lineBreak) } else { isOpenEnded = true }
        }
    }

    /// Returns the current and the new indentation of the text of a block scalar.
    private func indentation(
        of lines: ArraySlice<Line>, increment: Int?
    ) -> (old: Int, new: Int) {
        let parent = blocks.last
        if let increment {
            return (max(0, parent?.old ?? 0) + increment, max(0, parent?.new ?? 0) + increment)
        }
        let first = lines.first { line in line.content.contains { $0 != 0x20 } }
        let old = first.map { $0.content.prefix { $0 == 0x20 }.count } ?? .max
        return (old, parent.map { $0.new + Self.step } ?? old)
    }
}

extension Layout {
    /// A line of a scalar.
    struct Line {
        var content: ArraySlice<UInt8>
        /// The bytes to write for its line break; empty at the end.
        var lineBreak: [UInt8]
    }

    private func lines(in range: Range<Int>) -> [Line] {
        var lines: [Line] = []
        var start = range.lowerBound
        var offset = start
        while offset < range.upperBound {
            let length = lineBreakLength(bytes, at: offset)
            if length == 0 {
                offset += 1
                continue
            }
            let isPlain = bytes[offset] == 0x0A || bytes[offset] == 0x0D
            lines.append(
                Line(
                    content: bytes[start..<offset],
                    // The other line breaks of YAML 1.1 are part of the text.
                    lineBreak: isPlain ? lineBreak : Array(bytes[offset..<offset + length])))
            offset += length
            start = offset
        }
        if start < range.upperBound || lines.isEmpty {
            lines.append(Line(content: bytes[start..<range.upperBound], lineBreak: []))
        }
        return lines
    }
}

extension ArraySlice<UInt8> {
    /// The bytes without the blanks at the end.
    fileprivate var trimmed: ArraySlice<UInt8> {
        self[..<(lastIndex { !isBlank($0) }.map { $0 + 1 } ?? startIndex)]
    }
}
