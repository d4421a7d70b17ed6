internal import PopSource

/// The text of a scalar, decoded from its characters in the file, with the map back to them.
struct ScalarText {
    var utf8: [UInt8] = []
    var map: TextMap

    init(file: FileID, startingAt offset: Int) {
        map = TextMap(file: file, startingAt: offset)
    }

    /// Appends bytes that are unchanged in the file.
    mutating func copy(_ range: Range<Int>, of bytes: [UInt8]) {
        utf8 += bytes[range]
        map.appendCopy(of: range.lowerBound, length: range.count)
    }

    /// Appends bytes that `range` of the file encodes.
    mutating func append(_ text: some Collection<UInt8>, for range: Range<Int>) {
        utf8 += text
        map.appendUnit(range, length: text.count)
    }

    /// Appends a line break: LF, except for LS and PS, which stay unchanged.
    mutating func append(lineBreak range: Range<Int>, of bytes: [UInt8]) {
        if range.count == 3 {
            copy(range, of: bytes)
        } else {
            append([UInt8(ascii: "\n")], for: range)
        }
    }
}

/// Decodes a scalar as libyaml does, and also records the places, which libyaml doesn't.
///
/// The scalar must be one that libyaml has accepted.
func decodeScalar(_ record: NodeRecord, in bytes: [UInt8], file: FileID) -> ScalarText {
    let range = Int(record.start)..<Int(record.end)
    switch record.style {
    case .literal, .folded:
        var scanner = BlockScalarScanner(
            bytes: bytes, offset: range.lowerBound, file: file, collectionIndent: record.indent)
        return scanner.scan(isLiteral: record.style == .literal)
    case .plain:
        var scanner = FlowScalarScanner(bytes: bytes, range: range, file: file)
        return scanner.scan(.plain)
    case .singleQuoted, .doubleQuoted:
        let content = range.lowerBound + 1..<max(range.lowerBound + 1, range.upperBound - 1)
        var scanner = FlowScalarScanner(bytes: bytes, range: content, file: file)
        return scanner.scan(record.style)
    }
}
