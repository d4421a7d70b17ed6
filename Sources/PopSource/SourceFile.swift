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
