internal import CPoprules
internal import PopBacktest
internal import PopFleet
internal import PopMapping
internal import PopScheduler
internal import PopSource

/// A log that comes as a stream of Arrow batches, played batch by batch.
struct TableReplay {
    private var replay: MemoryReplay
    private let mapping: LogMapping
    private let columns: Set<String>

    init(_ rules: RuleSet, mapping text: String?) throws(ForeignError) {
        mapping =
            try text.map { text throws(ForeignError) in try Self.mapping(text, for: rules) }
            ?? LogMapping()
        columns = MemoryReplay.columns(rules, mapping: mapping)
        replay = MemoryReplay(rules, mapping: mapping)
    }

    private static func mapping(
        _ text: String, for rules: RuleSet
    ) throws(ForeignError) -> LogMapping {
        var sources = SourceSet()
        let file = sources.add(path: "mapping", bytes: Array(text.utf8))
        let checked = MappingFile.parse(file, for: [rules])
        guard let mapping = checked.value, !checked.diagnostics.hasErrors else {
            throw .findings(findingsText(checked.diagnostics, in: sources, popups: 0))
        }
        return mapping.meaning
    }

    /// Takes in all batches of a stream.
    mutating func read(
        _ stream: UnsafeMutablePointer<ArrowArrayStream>
    ) throws(ForeignError) {
        var schema = unsafe ArrowSchema()
        guard unsafe stream.pointee.get_schema?(stream, &schema) == 0 else {
            throw unsafe Self.failure(of: stream)
        }
        defer { unsafe schema.release?(&schema) }
        let table = unsafe ArrowColumn.Kind(schema)
        guard case .structure(let fields) = table else {
            throw .unreadable("the stream is no table: it has no columns")
        }
        if let unread = fields.filter({ columns.contains($0.name) }).compactMap(\.unread).first {
            throw .unreadable(
                "column `\(unread.place)` is of a type that is not read (`\(unread.type)` in Arrow's"
                    + " words): cast it to text or a number")
        }
        while true {
            var batch = unsafe ArrowArray()
            guard unsafe stream.pointee.get_next?(stream, &batch) == 0 else {
                throw unsafe Self.failure(of: stream)
            }
            guard unsafe batch.release != nil else { return }
            defer { unsafe batch.release?(&batch) }
            if let flaw = unsafe table.flaw(in: batch) {
                throw .unreadable("the table cannot be read: a batch has \(flaw)")
            }
            unsafe read(batch, fields: fields)
        }
    }

    private static func failure(
        of stream: UnsafeMutablePointer<ArrowArrayStream>
    ) -> ForeignError {
        let words = unsafe stream.pointee.get_last_error?(stream).map { unsafe String(cString: $0) }
        return .unreadable("the table cannot be read: \(words ?? "its stream says no more")")
    }

    /// How many rows are written as JSON at once.
    private static let rowsPerBlock = 4_096

    private mutating func read(
        _ batch: ArrowArray, fields: [ArrowColumn.Field]
    ) {
        let wanted = fields.enumerated().filter { columns.contains($0.element.name) }
        let times = Set(mapping.columns.time.compactMap { $0.names.first })
        let forms = wanted.map { times.contains($0.element.name) ? mapping.timeFormat.form : .text }
        var writer = ArrowWriter()
        for row in 0..<Int(unsafe batch.length) {
            writer.append("{")
            for (place, (index, field)) in wanted.enumerated() {
                guard let column = unsafe batch.children?[index] else { continue }
                if place > 0 { writer.append(",") }
                writer.write(name: field.name)
                unsafe writer.write(
                    field.kind, of: column.pointee, row: row + Int(batch.offset),
                    form: forms[place])
            }
            writer.append("}\n")
            if (row + 1) % Self.rowsPerBlock == 0 { take(&writer) }
        }
        take(&writer)
    }

    private mutating func take(_ writer: inout ArrowWriter) {
        replay.read(&writer.bytes)
        writer.bytes.removeAll(keepingCapacity: true)
    }

    /// Plays what was read: what happened, and the sums as JSON.
    mutating func play() -> (rows: ReplayTable, sums: String) {
        var table = ReplayTable()
        let popups = replay.popups
        let tally = replay.play { user, row in table.add(row, of: user, popup: popups[row.popup]) }
        let sums = JSON.object([
            "tally": tally.json(popups: popups), "skipped": replay.skipped,
            "mergesIdentities": .bool(mapping.mergesIdentities),
        ])
        return (table, sums.compact + "\n")
    }
}

extension LogMapping.TimeFormat {
    /// How times that a table has as such are written, so that they are read again.
    fileprivate var form: ArrowColumn.TimeForm {
        switch self {
        case .text: .text
        case .seconds: .number(units: 1)
        case .milliseconds: .number(units: 1_000)
        case .microseconds: .number(units: 1_000_000)
        }
    }
}
