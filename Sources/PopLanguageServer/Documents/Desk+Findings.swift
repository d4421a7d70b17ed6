internal import PopRuleFiles
internal import PopSource
internal import PopValidation

// The diagnostics that are published for the documents.
extension Desk {
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

    mutating func outcome(_ index: Int) -> ToldFindings? {
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
