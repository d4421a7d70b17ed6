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

/// What lies open: documents, and the projects that they belong to.
struct Desk: Sendable {
    let limits: ServerLimits
    var encoding = PositionEncoding.utf16
    var now = Timestamp.min
    /// The time zone of the device; nil where it is not known.
    var zone: String?
    /// The folders that the editor has open.
    var folders: [String] = []
    var documents: [String: OpenDocument] = [:]
    var projects: [RuleProject] = []
    /// What is told of each project, as far as it is known.
    var outcomes: [Int: ToldFindings] = [:]
    /// Whether something may be told that was not when `findings` was asked last.
    var hasNews = false
    /// By project the lines of the files in which something was found, until they change.
    var linesOfFiles: [Int: [FileID: TextLines]] = [:]
    /// By project and file what was written last.
    var written: [Int: [FileID: WrittenFindings]] = [:]
    /// What the tests that were run last found, until a file changes.
    var failures: [Int: Diagnostics] = [:]
    /// The texts that there were of all documents.
    private var edition = 0
    private var log: [JSON] = []

    init(limits: ServerLimits) { self.limits = limits }

    /// A project whose tests and advice are not about its files as they are.
    var unsettled: Int? { projects.firstIndex { !$0.isSettled } }

    func document(_ uri: String) -> OpenDocument? { documents[uri] }

    func version(of uri: String) -> Int? { documents[uri]?.version }

    /// Says that something else may be found in a project than before.
    mutating func outdate(_ index: Int) {
        outcomes[index] = nil
        hasNews = true
    }

    mutating func takeLog() -> [JSON] {
        defer { log = [] }
        return log
    }

    mutating func say(_ text: String) { log.append(.logMessage(text, level: 3)) }

    /// The texts that go before what is on the disk.
    var given: [String: [UInt8]] {
        Dictionary(documents.values.map { ($0.path, $0.bytes) }) { first, _ in first }
    }
}

// MARK: - documents

extension Desk {
    mutating func open(_ parameters: JSON) throws(Failure) {
        guard let item = parameters["textDocument"], let uri = item["uri"]?.text,
            let text = item["text"]?.text
        else { throw Failure(.invalidParams, "`textDocument` has no `uri` and `text`") }
        guard text.utf8.count <= limits.documentBytes else {
            throw Failure(
                .requestFailed, "`\(uri)` is longer than \(limits.documentBytes) bytes")
        }
        guard documents[uri] != nil || documents.count < limits.documents else {
            throw Failure(.requestFailed, "more than \(limits.documents) documents are open")
        }
        let path = DocumentURI.path(of: uri).map { known(normalised($0)) } ?? "<\(uri)>"
        hasNews = true
        documents[uri] = OpenDocument(
            uri: uri, path: path, version: item["version"]?.index ?? 0, text: text,
            encoding: encoding)
        edit(uri)
        takeUp(uri)
    }

    mutating func change(_ parameters: JSON) throws(Failure) {
        guard let uri = parameters["textDocument"]?["uri"]?.text else {
            throw Failure(.invalidParams, "`textDocument` has no `uri`")
        }
        guard let known = documents[uri]?.version else {
            throw Failure(.requestFailed, "`\(uri)` is not open")
        }
        let version = parameters["textDocument"]?["version"]?.index
        try documents[uri]?.apply(
            parameters["contentChanges"]?.items ?? [], version: version ?? known,
            limits: limits)
        edit(uri)
        takeUp(uri)
    }

    private mutating func edit(_ uri: String) {
        edition += 1
        documents[uri]?.edition = edition
    }

    /// What is on the disk counts again.
    mutating func close(_ parameters: JSON) {
        guard let uri = parameters["textDocument"]?["uri"]?.text,
            let document = documents.removeValue(forKey: uri)
        else { return }
        hasNews = true
        for index in projects(with: document.path).reversed() {
            let bytes = try? RuleFiles.bytes(of: document.path)
            if let bytes, update(index, path: document.path, bytes: bytes) { continue }
            // What it was named for is not there to be read any more.
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
        guard let uri = parameters["textDocument"]?["uri"]?.text, let document = documents[uri]
        else { return }
        if FileKind(path: document.path, bytes: document.bytes) == .configuration {
            return reloadAll(around: document.path)
        }
        // Other files may lie beside it that were not looked for while it was not there.
        let loose = projects(with: document.path).filter {
            !projects[$0].validation.arguments.isEmpty
                && !projects[$0].folders.contains(parent(of: document.path))
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

    /// Tells of what tests found, beside all else.
    mutating func tell(_ found: Diagnostics, ofProject index: Int) {
        failures[index] = found
        hasNews = true
    }

    func projects(with path: String) -> [Int] {
        projects.indices.filter { projects[$0].file(at: path) != nil }
    }

    /// The path by which a project reads a file, where that leads there by other links.
    func known(_ path: String) -> String {
        if !projects(with: path).isEmpty { return path }
        var targets = LinkTargets()
        let target = targets.target(of: path)
        return projects.lazy.compactMap { $0.path(ofFileAt: target) }.first ?? path
    }

    /// Gives documents the paths by which the last project reads them.
    mutating func nameByLastProject() {
        for (uri, document) in documents {
            let path = known(document.path)
            guard path != document.path else { continue }
            documents[uri]?.path = path
            if !update(projects.count - 1, path: path, bytes: document.bytes) {
                reload(projects.count - 1)
            }
        }
    }
}
