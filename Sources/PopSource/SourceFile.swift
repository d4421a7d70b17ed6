/// Identifies one file among the files of a run; valid only with the `SourceSet` that gave it.
public struct FileID: Hashable, Sendable {
    /// The position in `SourceSet.files`, from 0.
    public let index: UInt32

    /// Names the file at a position of `SourceSet.files`.
    public init(index: UInt32) { self.index = index }
}

/// The bytes of one file as they were read, and its path for people.
public struct SourceFile: Sendable {
    /// The identity of the file in its set.
    public let id: FileID
    /// The path as printed in diagnostics: relative to the user's current directory if possible.
    public let path: String
    /// As they were read, a byte order mark included; they need not be UTF-8.
    public let bytes: [UInt8]
    /// The reason why the file could not be read, in words that make sense alone; it has no bytes
    /// then. Nil if it was read.
    public let problem: String?

    /// Creates a file as it was read, or a file without bytes and the problem that kept it from
    /// being read.
    public init(
        id: FileID = FileID(index: 0), path: String, bytes: [UInt8], problem: String? = nil
    ) {
        self.id = id
        self.path = path
        self.bytes = bytes
        self.problem = problem
    }

    /// Creates a file from a string, encoded in UTF-8.
    public init(id: FileID = FileID(index: 0), path: String, text: String) {
        self.init(id: id, path: path, bytes: Array(text.utf8))
    }

    /// True if the path leads to a file; paths in angle brackets, such as `<stdin>`, name other
    /// inputs.
    public var isOnDisk: Bool { !path.hasPrefix("<") }

    /// The range of the whole file.
    public var range: SourceRange { SourceRange(file: id, 0..<bytes.count) }

    /// The text of a range of this file; invalid UTF-8 is repaired with U+FFFD.
    public func text(in range: SourceRange) -> String {
        let lower = min(range.lower, bytes.count)
        return String(
            decoding: bytes[lower..<min(max(range.upper, lower), bytes.count)], as: UTF8.self)
    }
}

/// All files of one run, in the order in which they were read.
public struct SourceSet: Sendable {
    /// The index of a file is the index in its `FileID`.
    public private(set) var files: [SourceFile] = []

    /// Creates a set without files; `add` numbers them from 0.
    public init() {}

    /// Adds a file and gives it its identity.
    @discardableResult
    public mutating func add(path: String, bytes: [UInt8], problem: String? = nil) -> SourceFile {
        let id = FileID(index: UInt32(files.count))
        let file = SourceFile(id: id, path: path, bytes: bytes, problem: problem)
        files.append(file)
        return file
    }

    /// Replaces the file with the same id. Precondition: this set gave the id.
    package mutating func replace(_ file: SourceFile) { files[Int(file.id.index)] = file }

    /// The file of an id. Precondition: this set gave the id.
    public subscript(id: FileID) -> SourceFile { files[Int(id.index)] }
}

/// A half-open range of bytes in one file. Files are at most 4 GiB, so a range is twelve bytes.
public struct SourceRange: Hashable, Sendable {
    /// The file that contains both ends.
    public let file: FileID
    private let start: UInt32
    private let end: UInt32

    /// Creates a range of a file. Precondition: both bounds are in 0...4,294,967,295.
    public init(file: FileID, _ bytes: Range<Int>) {
        self.file = file
        start = UInt32(bytes.lowerBound)
        end = UInt32(bytes.upperBound)
    }

    /// The offset of the first byte.
    public var lower: Int { Int(start) }
    /// The offset after the last byte.
    public var upper: Int { Int(end) }
    /// The offsets of its bytes, from 0.
    public var bytes: Range<Int> { lower..<upper }
    /// True if it contains no byte: a place between two bytes.
    public var isEmpty: Bool { start == end }

    /// Returns the smallest range that contains both; both must be in the same file.
    public func union(_ other: SourceRange) -> SourceRange {
        precondition(file == other.file, "ranges of two files have no union")
        return SourceRange(file: file, min(lower, other.lower)..<max(upper, other.upper))
    }
}

extension SourceRange: Comparable {
    /// By file, then start, then end: the order in which diagnostics are printed.
    public static func < (left: SourceRange, right: SourceRange) -> Bool {
        (left.file.index, left.start, left.end) < (right.file.index, right.start, right.end)
    }
}

/// A value and the place where the author wrote it.
public struct Located<Value> {
    /// The value that was read.
    public var value: Value
    /// The range of the value in its file.
    public var range: SourceRange

    /// Creates a value that was written at a range.
    public init(_ value: Value, at range: SourceRange) {
        self.value = value
        self.range = range
    }

    /// Transforms the value; the place stays the same.
    public func map<Other, Failure>(
        _ transform: (Value) throws(Failure) -> Other
    ) throws(Failure) -> Located<Other> {
        Located<Other>(try transform(value), at: range)
    }
}

extension Located: Sendable where Value: Sendable {}
extension Located: Equatable where Value: Equatable {}
extension Located: Hashable where Value: Hashable {}

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
