/// The format of a log's rows.
public enum RowFormat: String, Sendable, Hashable, CaseIterable {
    /// A JSON object a line.
    case jsonl
    /// Values between commas, in quotes where they need them; the first row names the columns.
    case csv
    /// Values between tabs; the first row names the columns.
    case tsv

    /// By the name of a file, whatever it is packed by.
    package init(named path: String) {
        let names = path.lowercased().split(separator: ".").suffix(2)
        self = names.contains("csv") ? .csv : names.contains("tsv") ? .tsv : .jsonl
    }
}
