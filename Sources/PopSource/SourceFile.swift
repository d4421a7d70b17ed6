/// Identifies one file among the files of a run; valid only with the `SourceSet` that gave it.
public struct FileID: Hashable, Sendable {
    /// The position in `SourceSet.files`, from 0.
    public let index: UInt32

    /// Names the file at a position of `SourceSet.files`.
    public init(index: UInt32) { self.index = index }
}

/// The bytes of one file as they were read, and the path that people know it by.
public struct SourceFile: Sendable {
    /// Which file of its set it is.
    public let id: FileID
    /// The path as it is printed in diagnostics: relative to where the user stands when it can be.
    public let path: String
    /// As they were read, a byte order mark included; they need not be UTF-8.
    public let bytes: [UInt8]
    /// Why the file could not be read, in words that stand alone; it has no bytes then.
    public let problem: String?

    /// A file as it was read, or one without bytes and the problem that kept it from being read.
    public init(
        id: FileID = FileID(index: 0), path: String, bytes: [UInt8], problem: String? = nil
    ) {
        self.id = id
        self.path = path
        self.bytes = bytes
        self.problem = problem
    }

    /// A file of a text, encoded in UTF-8.
    public init(id: FileID = FileID(index: 0), path: String, text: String) {
        self.init(id: id, path: path, bytes: Array(text.utf8))
    }

    /// Whether the path leads to a file; those in angle brackets, such as `<stdin>`, name other
    /// texts.
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
    /// The index of a file is that of its `FileID`.
    public private(set) var files: [SourceFile] = []

    /// A set without files; `add` numbers them from 0.
    public init() {}

    /// Adds a file and gives it its identity.
    @discardableResult
    public mutating func add(path: String, bytes: [UInt8], problem: String? = nil) -> SourceFile {
        let id = FileID(index: UInt32(files.count))
        let file = SourceFile(id: id, path: path, bytes: bytes, problem: problem)
        files.append(file)
        return file
    }

    /// Puts a file in the place of the one with its id. Precondition: this set gave the id.
    package mutating func replace(_ file: SourceFile) { files[Int(file.id.index)] = file }

    /// The file of an id. Precondition: this set gave the id.
    public subscript(id: FileID) -> SourceFile { files[Int(id.index)] }
}
