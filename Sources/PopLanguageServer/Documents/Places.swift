internal import PopSource

/// The URIs and lines of the files of a run, each computed once.
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
