internal import PopSource

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
        byFolder[Desk.parent(of: document.path), default: []].append(document.uri)
        contents[document.path] = document.bytes
    }

    private mutating func forget(_ document: OpenDocument) {
        let folder = Desk.parent(of: document.path)
        byPath[document.path]?.removeAll { $0 == document.uri }
        byFolder[folder]?.removeAll { $0 == document.uri }
        if byFolder[folder]?.isEmpty == true { byFolder[folder] = nil }
        contents[document.path] = self.document(at: document.path)?.bytes
        if byPath[document.path]?.isEmpty == true { byPath[document.path] = nil }
    }
}
