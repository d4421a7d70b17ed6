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
    private(set) var documents: [String: OpenDocument] = [:]
    var projects: [RuleProject] = []
    /// What is told of each project, as far as it is known.
    private(set) var outcomes: [Int: Validation.Outcome] = [:]
    /// Whether something may be told that was not when `findings` was asked last.
    private(set) var hasNews = false
    /// By project the lines of the files in which something was found, until they change.
    private var linesOfFiles: [Int: [FileID: TextLines]] = [:]
    /// By project and file what was told last, until a file changes that it points at.
    private var toldOfFiles: [Int: [FileID: ToldFindings]] = [:]
    /// What the tests that were run last found, until a file changes.
    private var failures: [Int: Diagnostics] = [:]
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

    private mutating func say(_ text: String) { log.append(.logMessage(text, level: 3)) }

    /// The texts that go before what is on the disk.
    private var given: [String: [UInt8]] {
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
            limit: limits.documentBytes)
        takeUp(uri)
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

    private mutating func update(_ index: Int, path: String, bytes: [UInt8]) -> Bool {
        outdate(index)
        failures[index] = nil
        if let file = projects[index].file(at: path) {
            linesOfFiles[index]?[file.id] = nil
            toldOfFiles[index] = toldOfFiles[index]?.filter { !$0.value.files.contains(file.id) }
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
    private func known(_ path: String) -> String {
        if !projects(with: path).isEmpty { return path }
        var targets = LinkTargets()
        let target = targets.target(of: path)
        return projects.lazy.compactMap { $0.path(ofFileAt: target) }.first ?? path
    }

    /// Gives documents the paths by which the last project reads them.
    private mutating func nameByLastProject() {
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

// MARK: - projects

extension Desk {
    /// Reads what the configurations of the open folders name, without one their `rules`.
    mutating func openFolders() {
        for folder in folders { openFolder(folder) }
        openHomeless()
    }

    /// Opens what documents belong to that belong to nothing yet.
    private mutating func openHomeless() {
        for document in documents.values.sorted(by: { $0.path < $1.path })
        where projects(with: document.path).isEmpty {
            openProject(with: document)
        }
    }

    private mutating func openFolder(_ folder: String) {
        let configuration = "\(folder)/\(Configuration.fileName)"
        if exists(configuration) {
            openProject(configuredBy: configuration)
        } else if exists("\(folder)/rules") {
            add(Validation(arguments: ["\(folder)/rules"], now: now))
        }
    }

    private func exists(_ path: String) -> Bool {
        given[path] != nil || FileManager.default.fileExists(atPath: path)
    }

    private mutating func openProject(configuredBy path: String) {
        if projects.contains(where: { $0.validation.configuration == path }) { return }
        add(Validation(arguments: [], configuration: path, now: now))
    }

    /// Opens the project that a document belongs to: that of the nearest configuration upwards
    /// which names it, or else its folder.
    private mutating func openProject(with document: OpenDocument) {
        guard document.path.hasPrefix("/") else {
            let input = (path: document.path, bytes: document.bytes)
            add(Validation(arguments: ["-"], standardInput: input, now: now))
            return
        }
        guard document.path.hasSuffix(".yaml") || document.path.hasSuffix(".yml") else { return }
        var folder = parent(of: document.path)
        let own = folder
        while true {
            let configuration = folder == "/" ? "/" : folder + "/"
            if exists(configuration + Configuration.fileName) {
                openProject(configuredBy: configuration + Configuration.fileName)
                break
            }
            if folder == "/" { break }
            folder = parent(of: folder)
        }
        if projects(with: document.path).isEmpty, isOurs(document) { openFolder(own, of: document) }
    }

    /// Opens the files of a folder that no configuration names, those included that are open and
    /// were never saved.
    private mutating func openFolder(_ folder: String, of document: OpenDocument) {
        for index in projects.indices.reversed()
        where projects[index].validation.configuration == nil
            && projects[index].validation.arguments.contains(where: { parent(of: $0) == folder })
        {
            forget(index)
        }
        let open = documents.values.filter { parent(of: $0.path) == folder && isOurs($0) }
        let paths = open.map(\.path).sorted()
        add(Validation(arguments: (hasRules(folder) ? [folder] : []) + paths, now: now))
    }

    /// Whether a document that nothing names is about popups: other YAML files are left alone.
    private func isOurs(_ document: OpenDocument) -> Bool {
        if TestFile.isTestFile(document.path) || RuleFiles.isMarked(document.bytes) { return true }
        // A new file in a folder of rules is meant to become one.
        return document.bytes.allSatisfy { $0 <= 0x20 }
            && hasRules(parent(of: document.path))
    }

    /// Whether a folder holds rule files that were saved.
    private func hasRules(_ folder: String) -> Bool {
        FileManager.default.fileExists(atPath: folder)
            && RuleFiles.hasRuleFiles(inFolder: folder)
    }

    private func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    private mutating func add(_ validation: Validation) {
        do {
            projects.append(try RuleProject(validation, given: given))
            hasNews = true
            nameByLastProject()
        } catch {
            say((error as? EnvironmentFailure)?.message ?? "\(error)")
        }
    }

    private mutating func reload(_ index: Int) {
        var validation = projects[index].validation
        validation.now = now
        outdate(index)
        linesOfFiles[index] = nil
        toldOfFiles[index] = nil
        do {
            projects[index] = try RuleProject(validation, given: given)
        } catch {
            say((error as? EnvironmentFailure)?.message ?? "\(error)")
            forget(index)
        }
    }

    private mutating func forget(_ index: Int) {
        projects.remove(at: index)
        outcomes = [:]
        failures = [:]
        linesOfFiles = [:]
        toldOfFiles = [:]
        hasNews = true
    }

    private mutating func reloadAll(around configuration: String) {
        let named = projects.indices.filter {
            projects[$0].validation.configuration == configuration
        }
        for index in named.reversed() { reload(index) }
        let isKnown = projects.contains { $0.validation.configuration == configuration }
        if !isKnown, exists(configuration) { openProject(configuredBy: configuration) }
        openHomeless()
    }

    /// Files that changed outside of the editor. Open documents go before them.
    mutating func filesChanged(_ parameters: JSON) {
        let open = Set(documents.values.map(\.path))
        var stale: Set<Int> = []
        for change in parameters["changes"]?.items ?? [] {
            guard let path = change["uri"]?.text.flatMap({ DocumentURI.path(of: $0) }),
                !open.contains(path)
            else { continue }
            let isChanged = change["type"]?.index == 2
            for index in projects.indices {
                if isChanged, let bytes = try? RuleFiles.bytes(of: path),
                    projects[index].file(at: path) != nil, update(index, path: path, bytes: bytes)
                {
                    continue
                }
                if projects[index].isConcerned(by: path) { stale.insert(index) }
            }
        }
        for index in stale.sorted(by: >) { reload(index) }
    }

    mutating func foldersChanged(_ parameters: JSON) {
        let event = parameters["event"]
        let gone = Set((event?["removed"]?.items ?? []).compactMap { path(of: $0) })
        folders.removeAll { gone.contains($0) }
        for index in projects.indices.reversed() {
            let isGone = gone.contains { folder in
                projects[index].paths.allSatisfy { $0.hasPrefix(folder + "/") }
            }
            let isOpen = documents.values.contains { projects[index].file(at: $0.path) != nil }
            if isGone, !isOpen { forget(index) }
        }
        for folder in (event?["added"]?.items ?? []).compactMap({ path(of: $0) })
        where !folders.contains(folder) {
            folders.append(folder)
            openFolder(folder)
        }
    }

    private func path(of folder: JSON) -> String? {
        folder["uri"]?.text.flatMap { DocumentURI.path(of: $0) }.map(normalised)
    }
}

// MARK: - findings

extension Desk {
    /// What is told of each document, by address.
    mutating func findings() -> [String: JSON] {
        hasNews = false
        var all: [String: JSON] = [:]
        for index in projects.indices {
            for (uri, list) in findings(ofProject: index) {
                guard let known = all[uri]?.items else {
                    all[uri] = .array(list)
                    continue
                }
                all[uri] = .array(known + list.filter { !known.contains($0) })
            }
        }
        return all
    }

    mutating func outcome(_ index: Int) -> Validation.Outcome? {
        if let known = outcomes[index] { return known }
        do {
            let outcome = try projects[index].findings()
            outcomes[index] = outcome
            return outcome
        } catch {
            say((error as? EnvironmentFailure)?.message ?? "\(error)")
            return nil
        }
    }

    private mutating func findings(ofProject index: Int) -> [String: [JSON]] {
        guard let outcome = outcome(index) else { return [:] }
        var lists: [String: [JSON]] = [:]
        var told: [FileID: ToldFindings] = [:]
        var places = Places(
            sources: outcome.sources, desk: self, lines: linesOfFiles[index] ?? [:])
        var all = outcome.diagnostics
        all.report(contentsOf: failures[index] ?? Diagnostics())
        // In the order of files.
        var rest = all.atMost(.standard).list[...]
        while let file = rest.first?.range.file {
            let own = rest.prefix { $0.range.file == file }
            rest = rest.dropFirst(own.count)
            guard let uri = places.uri(of: file) else { continue }
            let known = toldOfFiles[index]?[file].flatMap { $0.findings == own ? $0 : nil }
            told[file] = known ?? ToldFindings(own, &places)
            lists[uri, default: []] += told[file]?.json ?? []
        }
        linesOfFiles[index] = places.lines
        toldOfFiles[index] = told
        return lists
    }

    func uri(of path: String) -> String? {
        if let open = documents.values.first(where: { $0.path == path }) { return open.uri }
        return path.hasPrefix("/") ? DocumentURI.uri(of: path) : nil
    }

    func lines(of file: SourceFile) -> TextLines {
        if let open = documents.values.first(where: { $0.path == file.path }),
            open.bytes == file.bytes
        {
            return open.lines
        }
        return TextLines(file.bytes, encoding: encoding)
    }
}

/// The findings in a file, as they were told.
private struct ToldFindings: Sendable {
    let findings: ArraySlice<Diagnostic>
    let json: [JSON]
    /// The files in which places of them lie.
    let files: Set<FileID>

    init(_ findings: ArraySlice<Diagnostic>, _ places: inout Places) {
        self.findings = findings
        var json: [JSON] = []
        var files: Set<FileID> = []
        for finding in findings {
            json.append(finding.json(&places))
            files.insert(finding.range.file)
            for label in finding.secondary { files.insert(label.range.file) }
        }
        (self.json, self.files) = (json, files)
    }
}

/// Addresses and lines of the files of a run, each worked out once.
struct Places {
    let sources: SourceSet
    let desk: Desk
    private(set) var lines: [FileID: TextLines]
    private var uris: [FileID: String?] = [:]

    init(sources: SourceSet, desk: Desk, lines: [FileID: TextLines] = [:]) {
        self.sources = sources
        self.desk = desk
        self.lines = lines
    }

    mutating func uri(of file: FileID) -> String? {
        if let known = uris[file] { return known }
        let uri = desk.uri(of: sources[file].path)
        uris[file] = uri
        return uri
    }

    mutating func range(_ range: SourceRange) -> JSON {
        if let known = lines[range.file] { return known.json(range.bytes) }
        let own = desk.lines(of: sources[range.file])
        lines[range.file] = own
        return own.json(range.bytes)
    }

    /// An address with a range; nil for what is in no file.
    mutating func location(_ range: SourceRange) -> JSON? {
        uri(of: range.file).map { .object(["uri": .string($0), "range": self.range(range)]) }
    }
}
