import PopScheduler
import PopSource

@testable import PopBacktest

extension FuzzTarget {
    /// Rows of logs in each format, as each vendor writes them: read, and played. In the formats
    /// with one row per line, the order of the rows doesn't matter.
    static let log = FuzzTarget(
        name: "log",
        body: .direct { bytes in
            guard let choice = bytes.first else { return }
            let rows = Array(bytes.dropFirst())
            let mappings = [plain] + LogPreset.allCases.map { MappingFile.preset($0) }
            let mapping = mappings[Int(choice) % mappings.count]
            let formats: [RowFormat] = [.jsonl, .csv, .tsv]
            let format = formats[Int(choice) / mappings.count % formats.count]
            guard format == .jsonl else { return try readColumns(rows, format, mapping) }
            let lines = rows.split(separator: UInt8(ascii: "\n"))
            let one = PlayedLog(Array(lines.joined(separator: [0x0A])), mapping: mapping.meaning)
            let other = PlayedLog(
                Array(lines.reversed().joined(separator: [0x0A])), mapping: mapping.meaning)
            try require(one == other, "the order of rows matters: \(one), \(other)")
        })

    private static func readColumns(
        _ rows: [UInt8], _ format: RowFormat, _ mapping: MappingFile
    ) throws {
        let plan = LogPlan(mapping.meaning, rules: [shopRules])
        var layout = RowLayout(format: format, header: mapping.names)
        if layout.header.isEmpty { layout.header = ["user", "time", "event", "id", "payload"] }
        layout.separator = RowLayout.separators(of: format)[0]
        var reader = RowReader(plan, layout: layout)
        var block = rows
        var outside: LogRow?
        reader.read(&block) { row, block in
            if row.user.upperBound > block.count || row.reading >= plan.readings.count {
                outside = row
            }
        }
        if let outside { throw Violation(description: "a row lies outside: \(outside)") }
    }

    /// All that a mapping can ask of rows.
    private static let plain: MappingFile = {
        var file = MappingFile()
        file.meaning.columns.user = [LogPath("user"), LogPath("id")]
        file.meaning.columns.order = [LogPath("n")]
        file.meaning.columns.insertID = [LogPath("id")]
        file.meaning.context = [
            "user.plan": .field(LogPath("plan"), events: ["Opened"]),
            "user.tags": .column(LogPath("tags")),
            "user.launches": .field(LogPath("params[].n"), events: nil),
        ]
        file.meaning.starts = ["Opened"]
        return file
    }()
}
