/// A place as people count it: line and column from 1, the column in Unicode scalars.
public struct LineColumn: Hashable, Sendable, Comparable {
    /// From 1.
    public let line: Int
    /// From 1, in Unicode scalars.
    public let column: Int

    /// A place; both numbers count from 1.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    public static func < (left: LineColumn, right: LineColumn) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// The starts of the lines of a file: built once if places of the file are to be printed.
///
/// Lines end at LF, CRLF or a lone CR. Building is linear in the file, a lookup logarithmic in its
/// lines, however long they are.
public struct LineIndex: Sendable {
    private static let blockLength = 1_024

    private let bytes: [UInt8]
    private let starts: [Int]
    /// The number of characters that begin before each block of bytes.
    private let characters: [Int]

    /// Finds the lines of a file, which end with LF, CR LF or CR alone. Linear in its bytes.
    public init(_ file: SourceFile) {
        bytes = file.bytes
        var starts = [0]
        var characters: [Int] = []
        var count = 0
        for (offset, byte) in bytes.enumerated() {
            if offset.isMultiple(of: Self.blockLength) { characters.append(count) }
            if byte & 0xC0 != 0x80 { count += 1 }
            let endsLine =
                byte == UInt8(ascii: "\n")
                || byte == UInt8(ascii: "\r")
                    && (offset + 1 == bytes.count || bytes[offset + 1] != UInt8(ascii: "\n"))
            if endsLine { starts.append(offset + 1) }
        }
        self.starts = starts
        self.characters = characters
    }

    /// At least 1: the text after the last line break counts as a line, even if it is empty.
    public var lineCount: Int { starts.count }

    /// Returns the line, from 1, that contains a byte offset.
    public func line(at offset: Int) -> Int {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return low + 1
    }

    /// Returns the line and column of a byte offset; an offset after the end counts as the end.
    /// Logarithmic in the lines.
    public func place(at offset: Int) -> LineColumn {
        let line = line(at: offset)
        let start = start(ofLine: line)
        let end = min(max(offset, start), bytes.count)
        return LineColumn(line: line, column: charactersBefore(end) - charactersBefore(start) + 1)
    }

    /// Returns the number of characters that begin before a place.
    private func charactersBefore(_ offset: Int) -> Int {
        let block = min(offset / Self.blockLength, characters.count - 1)
        if block < 0 { return 0 }
        return bytes[block * Self.blockLength..<offset].reduce(characters[block]) { count, byte in
            byte & 0xC0 == 0x80 ? count : count + 1
        }
    }

    /// Returns the start of a line, after a byte order mark, which is neither visible nor a column.
    private func start(ofLine line: Int) -> Int {
        line == 1 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : starts[line - 1]
    }

    /// Returns the bytes of a line, from 1, without its line ending and without a leading byte
    /// order mark.
    public func bytes(ofLine line: Int) -> Range<Int> {
        let start = start(ofLine: line)
        var end = line < starts.count ? starts[line] : bytes.count
        while end > start,
            bytes[end - 1] == UInt8(ascii: "\n") || bytes[end - 1] == UInt8(ascii: "\r")
        {
            end -= 1
        }
        return start..<end
    }
}
