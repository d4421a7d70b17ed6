internal import PopRuleFiles
package import PopSource

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The documents that an editor has open, by what they are looked up by.
struct OpenDocuments: Sendable {
    private var documents: [String: OpenDocument] = [:]
    /// The addresses by path, by the path to which links lead, and by folder.
    private var byPath: [String: [String]] = [:]
    private var byTarget: [String: [String]] = [:]
    private var byFolder: [String: [String]] = [:]
    /// By address, the path to which links led when the document was opened.
    private var targets: [String: String] = [:]
    /// The contents by path, which take precedence over the files on the disk.
    private(set) var contents: [String: [UInt8]] = [:]

    var count: Int { documents.count }
    var values: some Collection<OpenDocument> { documents.values }
    /// The paths of all.
    var paths: some Collection<String> { byPath.keys }

    subscript(uri: String) -> OpenDocument? { documents[uri] }

    /// Returns the document at a path.
    func document(at path: String) -> OpenDocument? {
        byPath[path]?.first.flatMap { documents[$0] }
    }

    /// Returns the documents in a folder.
    func documents(inFolder folder: String) -> [OpenDocument] {
        (byFolder[folder] ?? []).compactMap { documents[$0] }
    }

    /// Returns the documents at the target of a path, with links resolved.
    func documents(at target: String) -> [OpenDocument] {
        (byTarget[target] ?? []).compactMap { documents[$0] }
    }

    /// Adds a document, or puts it in the place of the one of its address.
    mutating func insert(_ document: OpenDocument) {
        remove(document.uri)
        documents[document.uri] = document
        var links = LinkTargets()
        let target = links.target(of: document.path)
        targets[document.uri] = target
        byTarget[target, default: []].append(document.uri)
        note(document)
    }

    @discardableResult
    mutating func remove(_ uri: String) -> OpenDocument? {
        guard let document = documents.removeValue(forKey: uri) else { return nil }
        forget(document)
        if let target = targets.removeValue(forKey: uri) {
            byTarget[target]?.removeAll { $0 == uri }
            if byTarget[target]?.isEmpty == true { byTarget[target] = nil }
        }
        return document
    }

    /// Changes the text of a document.
    mutating func edit(
        _ uri: String, _ edit: (inout OpenDocument) throws(ResponseError) -> Void
    ) throws(ResponseError) {
        guard var document = documents.removeValue(forKey: uri) else { return }
        defer { documents[uri] = document }
        try edit(&document)
        contents[document.path] = document.bytes
    }

    /// Gives a document another path.
    mutating func move(_ uri: String, to path: String) {
        guard var document = documents[uri] else { return }
        forget(document)
        document.path = path
        documents[uri] = document
        note(document)
    }

    private mutating func note(_ document: OpenDocument) {
        byPath[document.path, default: []].append(document.uri)
        byFolder[ServerState.parent(of: document.path), default: []].append(document.uri)
        contents[document.path] = document.bytes
    }

    private mutating func forget(_ document: OpenDocument) {
        let folder = ServerState.parent(of: document.path)
        byPath[document.path]?.removeAll { $0 == document.uri }
        byFolder[folder]?.removeAll { $0 == document.uri }
        if byFolder[folder]?.isEmpty == true { byFolder[folder] = nil }
        contents[document.path] = self.document(at: document.path)?.bytes
        if byPath[document.path]?.isEmpty == true { byPath[document.path] = nil }
    }
}

/// A document that an editor has open: its content takes precedence over the file on the disk.
package struct OpenDocument: Sendable {
    package let uri: String
    /// The path of the file; what is in no file has one in angle brackets.
    package internal(set) var path: String
    package private(set) var version: Int
    /// Another one whenever the text is another one, also after it was closed and opened again.
    package private(set) var edition: Int
    package private(set) var lines: TextLines
    package private(set) var bytes: [UInt8]
    private let encoding: PositionEncoding

    package init(
        uri: String, path: String, version: Int, text: String, encoding: PositionEncoding,
        edition: Int = 0
    ) {
        self.uri = uri
        self.path = path
        self.version = version
        self.encoding = encoding
        self.edition = edition
        bytes = Array(text.utf8)
        lines = TextLines(bytes, encoding: encoding)
    }

    /// Applies changes in their order, all or none; a change without a range replaces the whole
    /// text.
    ///
    /// Changes of an older version are refused: the client sends versions in order.
    package mutating func apply(
        _ changes: [JSON], version: Int, edition: Int, limits: ServerLimits
    ) throws(ResponseError) {
        guard version >= self.version else {
            throw ResponseError(.invalidParams, "version \(version) is older than \(self.version)")
        }
        var (bytes, lines) = (bytes, lines)
        var work = 0
        for change in changes {
            guard let text = change["text"]?.text else {
                throw ResponseError(.invalidParams, "a change has no `text`")
            }
            var new = Array(text.utf8)
            if let place = change["range"], place != .null {
                guard let range = lines.range(place) else {
                    throw ResponseError(.invalidParams, "a change has an invalid `range`")
                }
                new = bytes[..<range.lowerBound] + new + bytes[range.upperBound...]
            }
            guard new.count <= limits.documentBytes else {
                throw ResponseError(
                    .requestFailed, "`\(path)` is longer than \(limits.documentBytes) bytes")
            }
            work += bytes.count + new.count
            guard work <= limits.changedBytes else {
                throw ResponseError(.requestFailed, "too many changes of `\(path)` in one message")
            }
            bytes = new
            lines = TextLines(bytes, encoding: encoding)
        }
        (self.bytes, self.lines, self.version) = (bytes, lines, version)
        self.edition = edition
    }
}

/// Where the folders of paths lie once links are followed; each is looked up once.
struct LinkTargets {
    private var known: [Substring: String] = [:]

    /// The path with the links of its folder followed. A file that is a link is one of its own.
    mutating func target(of path: String) -> String {
        guard path.hasPrefix("/"), let slash = path.lastIndex(of: "/") else { return path }
        let folder = path[..<slash]
        let target = known[folder] ?? DiskPath(String(folder)).target
        known[folder] = target
        return (target == "/" ? "" : target) + path[slash...]
    }
}
