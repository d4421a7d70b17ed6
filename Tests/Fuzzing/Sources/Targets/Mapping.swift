import PopScheduler
import PopSource

@testable import PopBacktest

extension FuzzTarget {
    /// Mapping files: read, checked against rules, and used to play a log.
    static let mapping = FuzzTarget(
        name: "mapping",
        body: .direct { bytes in
            let sources = Findings.sources(("a.mapping.yaml", bytes))
            let checked = MappingFile.parse(sources.files[0], for: [shopRules])
            try Findings.check(checked.diagnostics, in: sources)
            guard let file = checked.value else { return }
            try Findings.check(file.findings(among: [shopRules]), in: sources)
            _ = PlayedLog(Array(lines.utf8), mapping: file.meaning)
        })

    private static let lines = """
        {"user":"ada","time":"2026-03-01T10:00:00Z","event":"Opened","payload":{"plan":"pro","n":1}}
        {"user":"ada","time":"2026-03-01T10:01:00Z","event":"checkout.completed","payload":{"total":60}}
        {"user":"ben","time":1772359200,"event":"checkout.completed","payload":{"total":"7.5"},"id":7}

        """
}

/// The result of a log that is read as JSON lines.
struct PlayedLog: Equatable {
    var rows: [String] = []
    var tally: Tally
    var skipped: JSON

    init(_ lines: [UInt8], mapping: LogMapping) {
        var replay = MemoryReplay(FuzzTarget.shopRules, mapping: mapping)
        var block = lines
        replay.read(&block)
        var rows: [String] = []
        tally = (try? replay.play { user, row in rows.append("\(user) \(row)") }) ?? Tally()
        self.rows = rows
        skipped = replay.skipped
    }
}
