import PopBacktest

/// Returns the page on mappings with the table of presets made again: the columns of the vendors'
/// exports that each preset reads.
func withPresetTable(_ page: String) throws -> String {
    var page = page
    let head =
        ["preset", "rows"]
        + ["user", "time", "event", "order", "insert_id", "payload"].map { "`\($0)`" }
    try replaceTable(
        behind: "presets", with: markdown(head, LogPreset.allCases.map { $0.row }), in: &page)
    return page
}

extension LogPreset {
    /// The columns that a preset reads, as a row of the table.
    fileprivate var row: [String] {
        let file = MappingFile.preset(self)
        let columns = file.meaning.columns
        let rows = file.rows.map { "`\($0.rawValue)`" } ?? "by the file extension"
        let names = file.names.isEmpty ? "" : ", \(file.names.count) columns without names"
        let form = file.meaning.timeFormat
        return [
            "`\(rawValue)`", "\(rows)\(names)", places(columns.user),
            places(columns.time) + (form == .text ? "" : ", in \(form.rawValue)"),
            places(columns.event), places(columns.order), places(columns.insertID),
            places([columns.payload]),
        ]
    }
}

private func places(_ paths: [LogPath]) -> String {
    paths.isEmpty ? "–" : paths.map { "`\($0)`" }.joined(separator: ", ")
}
