/// The place of a row: its file, its block in the file, and its line in the block.
struct RowPlace: Sendable, Hashable, Comparable {
    var file = 0
    var block = 0
    var line = 0

    static func < (left: Self, right: Self) -> Bool {
        (left.file, left.block, left.line) < (right.file, right.block, right.line)
    }
}

/// A row that is an example for others, with its text.
struct RowExample: Sendable, Hashable {
    var place = RowPlace()
    var text: String
    /// A hint about how to fix it.
    var hint: String?
}

/// The number of rows that could not be read, by reason.
struct SkippedRows: Sendable, Hashable {
    enum Reason: String, Sendable, Hashable, CaseIterable {
        case notReadable
        case tooLong
        case noUser
        case longUser
        case noTime
        case noEvent

        var words: String {
            switch self {
            case .notReadable: "in another format"
            case .tooLong: "too long"
            case .noUser: "without a user"
            case .longUser:
                "with a user id of more than \(BacktestLimits.standard.userBytes) bytes"
            case .noTime: "without a valid time"
            case .noEvent: "without an event"
            }
        }
    }

    private(set) var counts: [Reason: Int] = [:]
    /// The first of each, by its place.
    private(set) var examples: [Reason: RowExample] = [:]

    mutating func add(
        _ reason: Reason, times: Int = 1, at place: RowPlace, example: () -> RowExample
    ) {
        counts[reason, default: 0] += times
        if let known = examples[reason], known.place <= place { return }
        var first = example()
        first.place = place
        examples[reason] = first
    }

    mutating func add(_ other: SkippedRows) {
        for (reason, count) in other.counts {
            guard let example = other.examples[reason] else { continue }
            add(reason, times: count, at: example.place) { example }
        }
    }
}

/// Whose values do not fit.
enum Misfit: Sendable, Hashable, Comparable {
    /// The value that a demand of the plan requests, by its place.
    case demand(Int)
    /// The number by which events of one time are ordered.
    case order
    /// A string that should contain the fields of the event, or context keys, and isn't complete
    /// JSON.
    case payload
}

/// Notes that are taken while rows are read, in addition to the rows.
struct ReadingNotes: Sendable {
    var skipped = SkippedRows()
    /// The number of rows that were read, by reading.
    private(set) var rows: [Int]
    /// By demand of the plan, whether a row had its value.
    private(set) var isFound: [Bool]
    /// The number of values that did not fit, each with the first example.
    private(set) var misfits: [Misfit: (count: Int, example: RowExample)] = [:]
    private(set) var unknownNames = UnknownNames()
    var hasOrder = false
    var hasInsertID = false
    /// Indicates whether a row had another name for its user.
    var hasAlias = false
    /// Indicates whether a row had a time without a zone.
    var hasTimeWithoutZone = false
    /// The number of lines of the last block.
    var lines = 0

    init(_ plan: LogPlan) {
        rows = Array(repeating: 0, count: plan.readings.count)
        isFound = Array(repeating: false, count: plan.demands.count)
    }

    var events: Int { rows.reduce(0, +) }

    mutating func count(_ reading: Int, name: Range<Int>, hash: UInt64, in block: [UInt8]) {
        rows[reading] += 1
        if reading == 0 { unknownNames.add(name, hash: hash, in: block) }
    }

    /// Holds the fields of a row against what rules ask of them.
    mutating func check(
        _ scalars: [LogScalar], _ asked: [(field: Int, demand: Int)], of plan: LogPlan,
        times: LogTime, at place: RowPlace
    ) {
        for (field, demand) in asked {
            let scalar = scalars[field]
            if scalar == .missing { continue }
            isFound[demand] = true
            if plan.demands[demand].takes(scalar, times: times) { continue }
            let isFirst = misfits[.demand(demand)] == nil
            addMisfit(
                .demand(demand), saying: scalar.plainText ?? "", at: place,
                hint: isFirst ? plan.demands[demand].hint(on: scalar, times: times) : nil)
        }
    }

    /// A value did not fit.
    mutating func addMisfit(
        _ misfit: Misfit, saying text: String, at place: RowPlace, hint: String? = nil
    ) {
        let example = RowExample(place: place, text: RowHints.short(text), hint: hint)
        add(misfits: 1, of: misfit, example)
    }

    private mutating func add(misfits count: Int, of misfit: Misfit, _ example: RowExample) {
        guard let known = misfits[misfit] else { return misfits[misfit] = (count, example) }
        let first = example.place < known.example.place ? example : known.example
        misfits[misfit] = (known.count + count, first)
    }

    /// Adds what was noticed in other rows.
    mutating func add(_ other: ReadingNotes) {
        skipped.add(other.skipped)
        for place in rows.indices { rows[place] += other.rows[place] }
        for place in isFound.indices where other.isFound[place] { isFound[place] = true }
        for (misfit, found) in other.misfits {
            add(misfits: found.count, of: misfit, found.example)
        }
        unknownNames.add(other.unknownNames)
        hasOrder = hasOrder || other.hasOrder
        hasInsertID = hasInsertID || other.hasInsertID
        hasAlias = hasAlias || other.hasAlias
        hasTimeWithoutZone = hasTimeWithoutZone || other.hasTimeWithoutZone
    }
}

extension LogDemand {
    /// Returns a hint about the values that are valid in place of one that isn't; nil if none is
    /// known.
    fileprivate func hint(on scalar: LogScalar, times: LogTime) -> String? {
        guard case .text(let text) = scalar else { return nil }
        let point = text.replacing(",", with: ".")
        if point != text, Double(point) != nil, takes(.text(point), times: times) {
            return "write decimals with a point, as `\(RowHints.short(point))`"
        }
        let truths = ["true", "false", "1", "0"].allSatisfy { takes(.text($0), times: times) }
        return truths && !takes(.text("2"), times: times)
            ? "only `true`, `false`, `1` and `0` are valid" : nil
    }
}

/// The number of events for each name that rules do not know.
struct UnknownNames: Sendable {
    private struct Entry {
        var hash: UInt64
        var count: Int
        var name: [UInt8]
    }

    private var entries: [Entry] = []
    /// By hash, one more than the place of an entry; 0 for none.
    private var slots = Array(repeating: 0, count: 256)

    mutating func add(_ name: Range<Int>, hash: UInt64, in block: [UInt8]) {
        add(1, hash: hash) { Array(block[name].prefix(BacktestLimits.standard.unknownNameBytes)) }
    }

    private mutating func add(_ count: Int, hash: UInt64, name: () -> [UInt8]) {
        let mask = slots.count - 1
        var slot = NameTable.slot(of: hash, size: slots.count)
        while slots[slot] != 0 {
            if entries[slots[slot] - 1].hash == hash {
                entries[slots[slot] - 1].count += count
                return
            }
            slot = (slot + 1) & mask
        }
        // One more name than are reported is kept, to know that there are too many.
        if entries.count > BacktestLimits.standard.unknownNames { return }
        entries.append(Entry(hash: hash, count: count, name: name()))
        slots[slot] = entries.count
        if entries.count * 2 > slots.count { grow() }
    }

    private mutating func grow() {
        slots = Array(repeating: 0, count: slots.count * 2)
        for (place, entry) in entries.enumerated() {
            var slot = NameTable.slot(of: entry.hash, size: slots.count)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = place + 1
        }
    }

    mutating func add(_ other: UnknownNames) {
        for entry in other.entries { add(entry.count, hash: entry.hash) { entry.name } }
    }

    /// The names, the most common first; nil if there are more than are kept.
    var commonest: [(name: String, count: Int)]? {
        if entries.count > BacktestLimits.standard.unknownNames { return nil }
        return entries.map { (name: String(decoding: $0.name, as: UTF8.self), count: $0.count) }
            .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    }
}

/// Hints about a row that is left out.
struct RowHints: Sendable {
    private let form: LogMapping.TimeFormat
    private let format: RowFormat

    init(_ mapping: LogMapping, format: RowFormat) {
        form = mapping.timeFormat
        self.format = format
    }

    func example(
        _ reason: SkippedRows.Reason, _ range: Range<Int>, of block: [UInt8]
    ) -> RowExample {
        let text = Self.start(of: block[range])
        let hint: String?
        switch reason {
        case .notReadable: hint = self.hint(ofRow: block[range])
        case .noTime: hint = self.hint(ofTime: text)
        case .tooLong, .noUser, .longUser, .noEvent: hint = nil
        }
        return RowExample(text: Self.short(text), hint: hint)
    }

    private func hint(ofRow row: ArraySlice<UInt8>) -> String? {
        let blanks = UInt8(ascii: " ")
        guard format == .jsonl, let first = row.first(where: { $0 > blanks }) else { return nil }
        let last = row.last { $0 > blanks }
        if first == UInt8(ascii: "[") || last == UInt8(ascii: ",") {
            return "convert a JSON array to lines with `jq -c '.[]'`"
        }
        if first == UInt8(ascii: "{") { return nil }
        return "if the rows are not JSON, set `rows: csv` in a mapping, or use a file name with"
            + " `.csv`"
    }

    private func hint(ofTime text: String) -> String? {
        guard let number = Double(text), number > 0 else {
            if form != .text { return "for strings, set `time: { form: text }` in a mapping" }
            return text.contains(#/^[0-9]{1,4}[.\/-][0-9]{1,2}[.\/-][0-9]{2,4}/#)
                ? "times must be written as `2026-03-02T10:00:00Z` or `2026-03-02 10:00`" : nil
        }
        let forms: [(LogMapping.TimeFormat, ClosedRange<Double>)] = [
            (.seconds, 1e8...7e9), (.milliseconds, 1e11...7e12), (.microseconds, 1e14...7e15),
        ]
        return forms.first { $0.1.contains(number) && $0.0 != form }
            .map { "for such numbers, set `time: { form: \($0.0.rawValue) }` in a mapping" }
    }

    private static let longest = 60

    /// Returns the beginning of a string, as much as a message can show.
    static func start(of bytes: ArraySlice<UInt8>) -> String {
        // Four bytes a character at most.
        String(decoding: bytes.prefix(longest * 4 + 4), as: UTF8.self)
    }

    /// Returns the beginning of a string, on one line; the content of a private key that was named
    /// as a log is hidden.
    static func short(_ text: String) -> String {
        let key = "poprules-private-key:"
        if text.contains(key) { return key + "…" }
        let line = text.prefix { !$0.isNewline }
        return line.count <= longest ? String(line) : line.prefix(longest - 1) + "…"
    }
}
