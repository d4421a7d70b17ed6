internal import PopSource

/// A change of a file, by its path.
struct TextEdit: Sendable, Hashable {
    var path: String
    var range: Range<Int>
    var text: String
}

extension Site {
    /// Returns changes of several files as the protocol writes them, with versions if the client
    /// supports them.
    func workspaceEdit(_ edits: [TextEdit]) -> JSON {
        let byPath = Dictionary(grouping: edits, by: \.path).sorted { $0.key < $1.key }
        var changes: [JSON.Member] = []
        var documents: [JSON] = []
        for (path, edits) in byPath {
            guard let uri = desk.uri(of: path) else { continue }
            let lines = path == self.path ? lines : linesOfFile(at: path)
            let list = JSON.array(
                edits.sorted { $0.range.lowerBound < $1.range.lowerBound }.map {
                    .object(["range": lines.json($0.range), "newText": .string($0.text)])
                })
            changes.append(JSON.Member(key: uri, value: list))
            documents.append(
                .object([
                    "textDocument": .object([
                        "uri": .string(uri),
                        "version": desk.version(of: uri).map(JSON.int) ?? .null,
                    ]), "edits": list,
                ]))
        }
        return client.versionsEdits
            ? .object(["documentChanges": .array(documents)])
            : .object(["changes": .object(changes)])
    }

    private func linesOfFile(at path: String) -> TextLines {
        let file = project.flatMap { desk.projects[$0].file(at: path) }
        return file.map { desk.lines(of: $0) } ?? lines
    }
}
