internal import PopCEL
internal import PopReports
internal import PopRuleFiles
internal import PopSource
internal import PopStories
internal import PopValidation

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The open documents, and the projects that they belong to.
struct ServerState: Sendable {
    let limits: ServerLimits
    var encoding = PositionEncoding.utf16
    var now = Timestamp.min
    /// The time zone of the device; nil if it is not known.
    var zone: String?
    /// The folders that the editor has open.
    var folders: [String] = []
    var documents = OpenDocuments()
    var projects: [RuleProject] = []
    /// The projects by their files; nil where they are others than when it was made.
    var index: ProjectIndex? = ProjectIndex()
    /// Folders and configurations whose files could not be read, until something may have changed
    /// that: else each of their documents would read them again.
    var refused: Set<String> = []
    /// The URIs of documents whose latest content the projects do not know yet.
    private var waiting: [String] = []
    /// The number of files that were read, and of documents and projects that were looked at, to
    /// measure how the work grows.
    package var steps = 0
    /// The diagnostics of each project, as far as they are known.
    var outcomes: [Int: PublishedDiagnostics] = [:]
    /// Indicates whether the diagnostics may have changed since the last call of `findings`.
    var hasNews = false
    /// By project the lines of the files in which something was found, until they change.
    var linesOfFiles: [Int: [FileID: TextLines]] = [:]
    /// By project and file what was written last.
    var written: [Int: [FileID: WrittenFindings]] = [:]
    /// The failures of the tests that were run last, until a file changes.
    var failures: [Int: Diagnostics] = [:]
    /// A counter of the versions of all documents.
    private var edition = 0
    /// The diagnostics of each document, by project and URI.
    var lists: [Int: [String: [JSON]]] = [:]
    private var log: [JSON] = []
    /// The configurations that are passed over; each is reported once.
    private var passedOver: Set<String> = []

    init(limits: ServerLimits) { self.limits = limits }

    /// A project whose tests and advice are not about its files as they are.
    var unsettled: Int? { projects.firstIndex { !$0.isSettled } }

    func document(_ uri: String) -> OpenDocument? { documents[uri] }

    func version(of uri: String) -> Int? { documents[uri]?.version }

    /// Marks a project's diagnostics as outdated.
    mutating func outdate(_ index: Int) {
        outcomes[index] = nil
        lists[index] = nil
        hasNews = true
    }

    mutating func takeLog() -> [JSON] {
        defer { log = [] }
        return log
    }

    /// Returns the nearest configuration of a folder upward, and reports the ones that are passed
    /// over.
    mutating func configuration(
        from folder: String, through most: Int = ConfigurationSearch.mostFolders
    ) -> String? {
        let search = ConfigurationSearch(from: folder, through: most) { [documents] in
            documents.document(at: $0) != nil
        }
        for note in search.notes where passedOver.insert(note).inserted { say(note) }
        guard let path = search.path else { return nil }
        let home = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        guard RuleFiles.leads(path, into: home.isEmpty ? "/" : home),
            !ProtectedFolders.refuses(path)
        else {
            let note = "the configuration `\(path)` is ignored: it is a link out of its folder"
            if passedOver.insert(note).inserted { say(note) }
            return nil
        }
        return path
    }

    mutating func say(_ text: String) { log.append(.logMessage(text, level: 3)) }

    /// The contents of open documents, which take precedence over the files on the disk.
    var given: [String: [UInt8]] { documents.contents }
}

// MARK: - documents

extension ServerState {
    mutating func open(_ parameters: JSON) throws(ResponseError) {
        guard let item = parameters["textDocument"], let uri = item["uri"]?.text,
            let text = item["text"]?.text
        else { throw ResponseError(.invalidParams, "`textDocument` needs `uri` and `text`") }
        guard text.utf8.count <= limits.documentBytes else {
            throw ResponseError(
                .requestFailed, "`\(uri)` is longer than \(limits.documentBytes) bytes")
        }
        guard documents[uri] != nil || documents.count < limits.documents else {
            throw ResponseError(.requestFailed, "more than \(limits.documents) documents are open")
        }
        let path = DocumentURI.path(of: uri).map { known(normalised($0)) } ?? "<\(uri)>"
        if let slash = path.lastIndex(of: "/"), path.hasPrefix("/") {
            ProtectedFolders.add(projectOf: String(path[...slash]))
            // The links to the document may belong to another project.
            for link in DiskPath(path).links { ProtectedFolders.add(projectOf: link.folder) }
        }
        hasNews = true
        edition += 1
        documents.insert(
            OpenDocument(
                uri: uri, path: path, version: item["version"]?.index ?? 0, text: text,
                encoding: encoding, edition: edition))
        waiting.append(uri)
    }

    mutating func change(_ parameters: JSON) throws(ResponseError) {
        guard let uri = parameters["textDocument"]?["uri"]?.text else {
            throw ResponseError(.invalidParams, "`textDocument` has no `uri`")
        }
        guard let known = documents[uri]?.version else {
            throw ResponseError(.requestFailed, "`\(uri)` is not open")
        }
        let version = parameters["textDocument"]?["version"]?.index
        edition += 1
        try documents.edit(uri) { [edition, limits] document throws(ResponseError) in
            try document.apply(
                parameters["contentChanges"]?.items ?? [], version: version ?? known,
                edition: edition, limits: limits)
        }
        waiting.append(uri)
    }

    /// Processes the contents of documents that were opened or changed. If there are many, their
    /// projects are read only once.
    mutating func takeUpWaiting() {
        let uris = waiting
        waiting = []
        var known: Set<String> = []
        for uri in uris where known.insert(uri).inserted { takeUp(uri) }
        if index == nil { index = ProjectIndex(projects) }
    }

    /// Closes a document, so that the file on the disk counts again.
    mutating func close(_ parameters: JSON) {
        refused = []
        guard let uri = parameters["textDocument"]?["uri"]?.text,
            let document = documents.remove(uri)
        else { return }
        hasNews = true
        for index in projects(with: document.path).reversed() {
            let bytes = try? RuleFiles.bytes(of: document.path)
            if let bytes, update(index, path: document.path, bytes: bytes) { continue }
            // The project was opened for this file, which can't be read any more.
            if bytes == nil, projects[index].validation.arguments.contains(document.path) {
                forget(index)
            } else {
                reload(index)
            }
        }
        openHomeless()
    }

    /// A new file is one of its folder's from now on.
    mutating func save(_ parameters: JSON) {
        refused = []
        guard let uri = parameters["textDocument"]?["uri"]?.text, let document = documents[uri]
        else { return }
        if FileKind(path: document.path, bytes: document.bytes) == .configuration {
            return reloadAll(around: document.path)
        }
        // Its folder may have other files that were not looked for while this file did not exist.
        let loose = projects(with: document.path).filter {
            !projects[$0].validation.arguments.isEmpty
                && !projects[$0].folders.contains(Self.parent(of: document.path))
        }
        for index in loose.reversed() { forget(index) }
        if !loose.isEmpty { takeUp(uri) }
    }

    private mutating func takeUp(_ uri: String) {
        guard let document = documents[uri] else { return }
        if FileKind(path: document.path, bytes: document.bytes) == .configuration {
            return reloadAll(around: document.path)
        }
        let indices = projects(with: document.path)
        if indices.isEmpty { return openProject(with: document) }
        for index in indices where !update(index, path: document.path, bytes: document.bytes) {
            reload(index)
        }
    }

    mutating func update(_ index: Int, path: String, bytes: [UInt8]) -> Bool {
        outdate(index)
        failures[index] = nil
        if let file = projects[index].file(at: path) {
            linesOfFiles[index]?[file.id] = nil
        }
        return projects[index].update(path, bytes: bytes)
    }

    /// Adds the failures of tests to the other diagnostics.
    mutating func tell(_ found: Diagnostics, ofProject index: Int) {
        failures[index] = found
        lists[index] = nil
        hasNews = true
    }

    /// The projects that read a file.
    func projects(with path: String) -> [Int] {
        if let index { return index.byPath[path] ?? [] }
        return projects.indices.filter { projects[$0].file(at: path) != nil }
    }

    /// Returns the path by which a project reads a file, if it leads to the same file by other
    /// links.
    func known(_ path: String) -> String {
        if !projects(with: path).isEmpty { return path }
        var targets = LinkTargets()
        let target = targets.target(of: path)
        let known = index ?? ProjectIndex(projects)
        return known.byTarget[target] ?? path
    }

    /// Gives documents the paths by which the last project reads them.
    mutating func nameByLastProject() {
        let last = projects.count - 1
        for (target, path) in projects[last].pathsByTarget {
            for document in documents.documents(at: target)
            where document.path != path && projects(with: document.path).isEmpty {
                documents.move(document.uri, to: path)
                if !update(last, path: path, bytes: document.bytes) { reload(last) }
            }
        }
    }
}
