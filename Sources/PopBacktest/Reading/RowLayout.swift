internal import PopFleet
internal import PopMapping

/// The layout of the rows of a file.
struct RowLayout: Sendable, Hashable {
    var format = RowFormat.jsonl
    /// The separator between columns.
    var separator = UInt8(ascii: ",")
    /// The names of the columns.
    var header: [String] = []

    /// Finds the columns.
    var columns: ColumnReader { ColumnReader(separator: separator, isQuoted: format == .csv) }

    /// Returns the possible separators between the columns of a file of one format.
    static func separators(of format: RowFormat) -> [UInt8] {
        switch format {
        case .jsonl: []
        case .csv: Array(",;\t|".utf8)
        case .tsv: [UInt8(ascii: "\t")]
        }
    }
}

extension LogMapping.Columns {
    /// Returns the first place that a file of columns lacks: its user, time or event; nil if it has
    /// all of them.
    func missing(in header: [String]) -> LogPath? {
        for paths in [user, time, event] {
            let isThere = paths.contains { path in
                header.contains(path.description) || path.names.first.map(header.contains) == true
            }
            if !isThere, let path = paths.first { return path }
        }
        return nil
    }
}
