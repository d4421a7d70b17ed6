internal import PopRuleFiles
internal import PopSource
internal import PopValidation

// The diagnostics that are published for the documents.
extension ServerState {
    /// Returns the diagnostics of each document, by URI.
    mutating func findings() -> [String: JSON] {
        hasNews = false
        var all: [String: JSON] = [:]
        for index in projects.indices {
            steps += 1
            let own = lists[index] ?? findings(ofProject: index)
            lists[index] = own
            for (uri, list) in own {
                guard let known = all[uri]?.items else {
                    all[uri] = .array(list)
                    continue
                }
                all[uri] = .array(known + list.filter { !known.contains($0) })
            }
        }
        return all
    }

    mutating func outcome(_ index: Int) -> PublishedDiagnostics? {
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
        steps += outcome.sources.files.count
        let files = outcome.sources.files.map { file in
            FindingsToWrite(outcome.files[file.id], failures: failures[index], in: file.id)
        }
        let quotas = FindingQuota.each(of: files.map(\.counts), limits: .standard)
        var places = Places(
            sources: outcome.sources, desk: self, lines: linesOfFiles[index] ?? [:])
        var lists: [String: [JSON]] = [:]
        for (file, quota) in zip(files, quotas) where !file.list.isEmpty {
            guard let uri = places.uri(of: file.id) else { continue }
            if written[index]?[file.id]?.isOf(file, quota) != true {
                let new = WrittenFindings(file, quota, &places)
                written[index, default: [:]][file.id] = new
            }
            let json = written[index]?[file.id]?.json ?? []
            lists[uri] = lists[uri].map { $0 + json } ?? json
        }
        linesOfFiles[index] = places.lines
        return lists
    }

    func uri(of path: String) -> String? {
        if let open = documents.document(at: path) { return open.uri }
        return path.hasPrefix("/") ? DocumentURI.uri(of: path) : nil
    }

    func lines(of file: SourceFile) -> TextLines {
        if let open = documents.document(at: file.path), open.bytes == file.bytes {
            return open.lines
        }
        return TextLines(file.bytes, encoding: encoding)
    }
}

/// The diagnostics of a file, and the failures of its tests.
struct FindingsToWrite {
    let id: FileID
    let list: [Diagnostic]
    let counts: LevelCounts
    /// Nil if it may change without a notification.
    let version: Int?

    init(_ told: PublishedDiagnostics.File?, failures: Diagnostics?, in file: FileID) {
        id = file
        let failures = failures?.list.filter { $0.range.file == file } ?? []
        if failures.isEmpty, let told {
            (list, counts, version) = (told.list, told.counts, told.version)
        } else {
            list = Diagnostics((told?.list ?? []) + failures).sorted
            counts = LevelCounts(list)
            version = nil
        }
    }
}

/// The findings in a file, as they were written.
struct WrittenFindings: Sendable {
    let json: [JSON]
    private let version: Int?
    private let quota: FindingQuota

    init(_ findings: FindingsToWrite, _ quota: FindingQuota, _ places: inout Places) {
        version = findings.version
        self.quota = quota
        json = quota.shown(of: findings.list[...]).map { $0.json(&places) }
    }

    func isOf(_ findings: FindingsToWrite, _ quota: FindingQuota) -> Bool {
        version != nil && version == findings.version && quota == self.quota
    }
}

/// The URIs and lines of the files of a run, each computed once.
struct Places {
    let sources: SourceSet
    let desk: ServerState
    private(set) var lines: [FileID: TextLines]
    private var uris: [FileID: String?] = [:]

    init(sources: SourceSet, desk: ServerState, lines: [FileID: TextLines] = [:]) {
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
