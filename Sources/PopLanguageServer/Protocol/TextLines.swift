package import PopSource

/// In what the columns of a client are counted.
package enum PositionEncoding: String, Sendable {
    case utf8 = "utf-8"
    case utf16 = "utf-16"
    case utf32 = "utf-32"
}

/// The lines of a string, and positions in it as the protocol counts them: line and column from 0.
///
/// Lines end with LF, CR LF or CR. A position outside counts as the nearest position inside.
package struct TextLines: Sendable {
    private let bytes: [UInt8]
    private let starts: [Int]
    private let encoding: PositionEncoding
    /// The number of columns before each block of bytes, from the beginning of its line; a position
    /// in a long line is found from its block.
    private let columnsBeforeBlock: [Int]
    /// The bytes of a block.
    private static let blockBytes = 1_024

    /// Linear in the bytes.
    package init(_ bytes: [UInt8], encoding: PositionEncoding) {
        self.bytes = bytes
        self.encoding = encoding
        var starts = [0]
        for (offset, byte) in bytes.enumerated() {
            if byte == 10 || byte == 13 && (offset + 1 == bytes.count || bytes[offset + 1] != 10) {
                starts.append(offset + 1)
            }
        }
        self.starts = starts
        columnsBeforeBlock = Self.columnsBeforeBlocks(of: bytes, starts: starts, encoding: encoding)
    }

    private static func columnsBeforeBlocks(
        of bytes: [UInt8], starts: [Int], encoding: PositionEncoding
    ) -> [Int] {
        var found: [Int] = []
        var (columns, line) = (0, 0)
        for (offset, byte) in bytes.enumerated() {
            if line + 1 < starts.count, offset == starts[line + 1] {
                (columns, line) = (0, line + 1)
            }
            if offset.isMultiple(of: blockBytes) { found.append(columns) }
            columns += encoding.columns(of: byte)
        }
        return found
    }

    package var count: Int { starts.count }

    /// The line ending of the first line; a line feed if there is only one line.
    package var lineEnding: String {
        guard starts.count > 1 else { return "\n" }
        return String(decoding: bytes[bytes(ofLine: 0).upperBound..<starts[1]], as: UTF8.self)
    }

    /// The bytes of a line, from 0, without its line ending.
    package func bytes(ofLine line: Int) -> Range<Int> {
        guard line < starts.count else { return bytes.count..<bytes.count }
        var end = line + 1 < starts.count ? starts[line + 1] : bytes.count
        while end > starts[line], bytes[end - 1] == 10 || bytes[end - 1] == 13 { end -= 1 }
        return starts[line]..<end
    }

    /// The line, from 0, that holds a byte. Logarithmic in the lines.
    package func line(at offset: Int) -> Int {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }

    /// The byte at a place.
    package func offset(line: Int, character: Int) -> Int {
        if line < 0 { return 0 }
        let range = bytes(ofLine: line)
        guard encoding != .utf8 else {
            return range.lowerBound + min(max(character, 0), range.count)
        }
        var (offset, column) = blockStart(of: range, before: character)
        while offset < range.upperBound, column < character {
            let length = scalarLength(bytes[offset])
            column += encoding == .utf16 && length == 4 ? 2 : 1
            offset = min(offset + length, range.upperBound)
        }
        return offset
    }

    /// The last block of a line that begins at a column or before it, at the beginning of a
    /// character. Logarithmic in the line.
    private func blockStart(of line: Range<Int>, before column: Int) -> (offset: Int, column: Int) {
        let first = line.lowerBound / Self.blockBytes + 1
        var (low, high) = (first, line.upperBound / Self.blockBytes + 1)
        while low < high {
            let middle = (low + high) / 2
            let isBefore =
                middle * Self.blockBytes < line.upperBound && columnsBeforeBlock[middle] <= column
            if isBefore { low = middle + 1 } else { high = middle }
        }
        var block = low - 1
        while block >= first {
            let offset = block * Self.blockBytes
            if bytes[offset] & 0xC0 != 0x80 { return (offset, columnsBeforeBlock[block]) }
            block -= 1
        }
        return (line.lowerBound, 0)
    }

    /// The place of a byte.
    package func position(at offset: Int) -> (line: Int, character: Int) {
        let offset = min(max(offset, 0), bytes.count)
        let line = line(at: offset)
        let block = offset / Self.blockBytes
        let start = block * Self.blockBytes
        guard start > starts[line], block < columnsBeforeBlock.count else {
            return (line, columns(starts[line]..<offset))
        }
        return (line, columnsBeforeBlock[block] + columns(start..<offset))
    }

    /// A byte and its position. Later positions are found from it, without a scan of the line from
    /// its beginning.
    package struct Known: Sendable {
        fileprivate var offset: Int
        fileprivate var line: Int
        fileprivate var character: Int
    }

    package var start: Known { Known(offset: 0, line: 0, character: 0) }

    /// Returns the position of a byte after a known one, and makes it the known one.
    package func position(
        at offset: Int, from known: inout Known
    ) -> (line: Int, character: Int) {
        let line = line(at: offset)
        if line == known.line, offset >= known.offset {
            known.character += columns(known.offset..<min(offset, bytes.count))
        } else {
            known.character = position(at: offset).character
        }
        (known.line, known.offset) = (line, offset)
        return (line, known.character)
    }

    private func columns(_ range: Range<Int>) -> Int {
        if encoding == .utf8 { return range.count }
        return bytes[range].reduce(0) { $0 + encoding.columns(of: $1) }
    }

    /// A place as the protocol writes it.
    package func json(at offset: Int) -> JSON {
        let position = position(at: offset)
        return .object(["line": .int(position.line), "character": .int(position.character)])
    }

    package func json(_ range: Range<Int>) -> JSON {
        .object(["start": json(at: range.lowerBound), "end": json(at: range.upperBound)])
    }

    /// Returns the byte at a position as the protocol writes it; nil for a value that isn't a
    /// position.
    package func offset(_ position: JSON?) -> Int? {
        guard let line = position?["line"]?.index, let character = position?["character"]?.index
        else { return nil }
        return offset(line: line, character: character)
    }

    package func range(_ range: JSON?) -> Range<Int>? {
        guard let start = offset(range?["start"]), let end = offset(range?["end"]), start <= end
        else { return nil }
        return start..<end
    }
}

extension PositionEncoding {
    /// Returns the columns that a byte adds to its line: the columns of a character count at its
    /// first byte.
    fileprivate func columns(of byte: UInt8) -> Int {
        if self == .utf8 { return 1 }
        return byte & 0xC0 == 0x80 ? 0 : self == .utf16 && byte >= 0xF0 ? 2 : 1
    }
}

/// Returns the number of bytes of a character that begins with this byte; 1 for a byte that begins
/// none.
private func scalarLength(_ first: UInt8) -> Int {
    switch first {
    case 0xC2...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF4: 4
    default: 1
    }
}

/// URIs of documents (RFC 3986) and their paths.
package enum DocumentURI {
    /// Returns the path of a `file` URI; nil for other URIs, and for those that contain a NUL.
    package static func path(of uri: String) -> String? {
        guard uri.hasPrefix("file://") else { return nil }
        var rest = uri.dropFirst("file://".count)[...]
        // A host precedes the path; only files of this machine can be read.
        guard let slash = rest.firstIndex(of: "/") else { return nil }
        let host = rest[..<slash]
        guard host.isEmpty || host == "localhost" else { return nil }
        rest = rest[slash...]
        var bytes: [UInt8] = []
        var iterator = rest.utf8.makeIterator()
        while let byte = iterator.next() {
            guard byte == UInt8(ascii: "%") else {
                if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { break }
                bytes.append(byte)
                continue
            }
            guard let high = iterator.next().flatMap(digit),
                let low = iterator.next().flatMap(digit)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        guard !bytes.contains(0), let path = String(utf8: bytes) else { return nil }
        return path
    }

    /// The address of a file.
    package static func uri(of path: String) -> String {
        var text = "file://"
        for byte in path.utf8 {
            let isPlain =
                (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
                || "/-._~".utf8.contains(byte)
            if isPlain {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                text += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
        return text
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
