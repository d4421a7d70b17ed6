internal import PopSource

/// The data of a row of a log. Places are those of a block of bytes.
struct LogRow {
    var user: Range<Int>
    /// The other name that the row gives the user; nil if it gives only one.
    var alias: Range<Int>?
    /// Indicates whether that other name is the only one.
    var isAlias = false
    var time: Int64
    var order: Int64
    var insertion: UInt64
    var reading: Int
    var fields: [UInt8]
}

/// Reads blocks of rows.
struct RowReader {
    private let plan: LogPlan
    private let layout: RowLayout
    private let time: LogTime
    private let names: NameTable
    /// Finds the values for the five lists below, by number.
    private var columns: RowFinder
    private let users: [Int]
    private let times: [Int]
    private let events: [Int]
    private let orders: [Int]
    private let insertIDs: [Int]
    /// By reading; nil for one without fields.
    private var fields: [RowFinder?]

    /// By reading, what rules ask of which fields.
    private let demands: [[(field: Int, demand: Int)]]
    private let hints: RowHints
    /// The place of the row that is being read.
    private var here = RowPlace()
    /// The notes since they were last taken.
    private(set) var notes: ReadingNotes

    init(_ plan: LogPlan, layout: RowLayout) {
        self.plan = plan
        self.layout = layout
        notes = ReadingNotes(plan)
        hints = RowHints(plan.mapping, format: layout.format)
        demands = plan.readings.indices.map { plan.demands(of: $0) }
        time = LogTime(plan.mapping)
        names = NameTable(plan.readings.map { $0.name })
        let mapped = plan.mapping.columns
        // One place may be requested for two purposes.
        var places: [LogPath] = []
        func numbers(_ paths: [LogPath]) -> [Int] {
            for path in paths where !places.contains(path) { places.append(path) }
            return paths.compactMap { places.firstIndex(of: $0) }
        }
        users = numbers(mapped.user)
        times = numbers(mapped.time)
        events = numbers(mapped.event)
        orders = numbers(mapped.order)
        insertIDs = numbers(mapped.insertID)
        columns = RowFinder(places, layout: layout)
        fields = plan.readings.map { reading in
            reading.fields.isEmpty ? nil : RowFinder(reading.fields, layout: layout)
        }
    }

    /// Returns the notes since the last call.
    mutating func takeNotes() -> ReadingNotes {
        defer { notes = ReadingNotes(plan) }
        return notes
    }

    /// Passes each row of a block to `take`; `place` is the place of the first row, and up to
    /// `brokenUntil` a row from before the block is broken.
    mutating func read(
        _ block: inout [UInt8], brokenUntil: Int = 0, at place: RowPlace = RowPlace(),
        row take: (LogRow, [UInt8]) -> Void
    ) {
        let end = block.count
        here = place
        columns.begin(brokenUntil: brokenUntil)
        var place = 0
        while place < end {
            if let behind = blankLine(at: place, end: end, in: block) {
                place = behind
                here.line += 1
                continue
            }
            let begin = place
            if columns.read(&place, end: end, in: &block) {
                readRow(from: begin, end: min(place, end), in: &block, take)
            } else {
                let line = begin..<lineEnd(from: begin, to: end, in: block)
                skip(.notReadable, line, of: block)
                place = behindLineEnd(line.upperBound, in: block)
            }
            here.line += 1
            if block.count > end { block.removeLast(block.count - end) }
        }
        notes.lines = here.line
    }

    /// Returns the place after a line without a row; nil if the line has one.
    private func blankLine(at start: Int, end: Int, in block: [UInt8]) -> Int? {
        var place = start
        while place < end, block[place] == UInt8(ascii: " ") { place += 1 }
        if place == end { return end }
        let byte = block[place]
        guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else { return nil }
        return behindLineEnd(place, in: block)
    }

    private mutating func skip(
        _ reason: SkippedRows.Reason, _ text: Range<Int>, of block: [UInt8]
    ) {
        notes.skipped.add(reason, at: here) { hints.example(reason, text, of: block) }
    }

    private mutating func readRow(
        from begin: Int, end: Int, in block: inout [UInt8], _ take: (LogRow, [UInt8]) -> Void
    ) {
        let found = columns.found
        guard let (user, column) = Self.first(of: users, found, isName: true, in: &block) else {
            return skip(.noUser, begin..<end, of: block)
        }
        guard user.count <= BacktestLimits.standard.userBytes else {
            return skip(.longUser, user, of: block)
        }
        guard let (when, _) = Self.first(of: times, found, in: &block),
            let time = time.read(when, in: block)
        else {
            let when = Self.first(of: times, found, in: &block)?.range
            return skip(.noTime, when ?? begin..<end, of: block)
        }
        guard let (name, _) = Self.first(of: events, found, isName: true, in: &block) else {
            return skip(.noEvent, begin..<end, of: block)
        }
        if !notes.hasTimeWithoutZone, plan.mapping.timeFormat == .text {
            notes.hasTimeWithoutZone = Self.lacksZone(when, in: block)
        }
        let (reading, hash) = names.find(name, in: block)
        var row = LogRow(
            user: user, time: time, order: order(found, in: &block),
            insertion: insertion(found, in: &block), reading: reading, fields: [])
        if plan.mapping.mergesIdentities, users.count > 1 {
            row.isAlias = column > 0
            row.alias =
                row.isAlias
                ? user
                : Self.first(of: users.dropFirst(), found, isName: true, in: &block)?
                    .range
        }
        if let alias = row.alias, alias.count > BacktestLimits.standard.userBytes {
            return skip(.longUser, alias, of: block)
        }
        if var finder = fields[reading] {
            fields[reading] = nil
            var place = begin
            let isRead = finder.read(&place, end: end, in: &block)
            let scalars = finder.found.map { isRead ? Self.scalar($0, in: &block) : .missing }
            row.fields = LogPlan.encode(scalars)
            if isRead, let text = finder.brokenText {
                notes.addMisfit(.payload, saying: RowHints.start(of: block[text]), at: here)
            }
            fields[reading] = finder
            guard row.fields.count <= BacktestLimits.standard.fieldBytes else {
                return skip(.tooLong, begin..<end, of: block)
            }
            notes.check(scalars, demands[reading], of: plan, times: self.time, at: here)
        }
        notes.count(reading, name: name, hash: hash, in: block)
        if row.alias != nil { notes.hasAlias = true }
        take(row, block)
    }

    /// Returns true if a valid time has only digits and signs of a clock after its first ten bytes.
    private static func lacksZone(_ time: Range<Int>, in block: [UInt8]) -> Bool {
        block[time].dropFirst(10).allSatisfy { byte in
            byte &- UInt8(ascii: "0") < 10 || ":.Tt ".utf8.contains(byte)
        }
    }

    /// Returns the first column that has a value, and its index. A list, a map, `true` and `false`
    /// are not names.
    private static func first(
        of paths: some RandomAccessCollection<Int>, _ found: [FoundValue], isName: Bool = false,
        in block: inout [UInt8]
    ) -> (range: Range<Int>, column: Int)? {
        for (column, path) in paths.enumerated() {
            let value = found[path]
            if value.isNothing || isName && !value.isName(in: block) { continue }
            let range = Self.text(value, in: &block)
            if !range.isEmpty { return (range, column) }
        }
        return nil
    }

    private mutating func order(_ found: [FoundValue], in block: inout [UInt8]) -> Int64 {
        guard let (range, _) = Self.first(of: orders, found, in: &block) else { return 0 }
        notes.hasOrder = true
        let text = String(decoding: block[range], as: UTF8.self)
        guard let order = Int64(text) else {
            notes.addMisfit(.order, saying: text, at: here)
            return 0
        }
        return order
    }

    private mutating func insertion(_ found: [FoundValue], in block: inout [UInt8]) -> UInt64 {
        guard let (range, _) = Self.first(of: insertIDs, found, in: &block) else { return 0 }
        notes.hasInsertID = true
        return LogEvent.insertion(of: range, in: block)
    }
}

extension RowReader {
    /// Returns the place of a value's string, without quotes and escapes.
    private static func text(_ value: FoundValue, in block: inout [UInt8]) -> Range<Int> {
        guard !value.isText, block[value.start] == UInt8(ascii: "\"") else {
            return value.start..<(value.isText ? value.end : wholeEnd(value, in: block))
        }
        let inside = value.start + 1..<value.end - 1
        guard block[inside].contains(UInt8(ascii: "\\")) else { return inside }
        let start = block.count
        JSONText.unescape(inside, of: &block)
        return start..<block.count
    }

    /// `1.0` is the same number as `1`.
    private static func wholeEnd(_ value: FoundValue, in block: [UInt8]) -> Int {
        var end = value.end
        while end > value.start, block[end - 1] == UInt8(ascii: "0") { end -= 1 }
        let isWhole =
            end > value.start + 1 && end < value.end && block[end - 1] == UInt8(ascii: ".")
        return isWhole ? end - 1 : value.end
    }

    private static func scalar(_ value: FoundValue, in block: inout [UInt8]) -> LogScalar {
        if value.isNull { return .null }
        if value.isNothing { return .missing }
        if value.isText || block[value.start] == UInt8(ascii: "\"") {
            return .text(String(decoding: block[text(value, in: &block)], as: UTF8.self))
        }
        guard let json = try? JSON.parse(block[value.start..<value.end]) else { return .missing }
        return LogScalar(json)
    }
}

/// A finder of values in a row, whatever its format.
enum RowFinder {
    case json(JSONRow)
    case delimited(DelimitedRow)

    init(_ paths: [LogPath], layout: RowLayout) {
        let tree = PathTree(paths)
        switch layout.format {
        case .jsonl: self = .json(JSONRow(tree))
        case .csv, .tsv: self = .delimited(DelimitedRow(tree, layout: layout))
        }
    }

    var found: [FoundValue] {
        switch self {
        case .json(let row): row.found
        case .delimited(let row): row.found
        }
    }

    /// The first string of the row that should contain values, and isn't complete JSON.
    var brokenText: Range<Int>? {
        switch self {
        case .json(let row): row.brokenText
        case .delimited(let row): row.json.brokenText
        }
    }

    /// Begins with another block, of which a row from before it is broken up to a place.
    mutating func begin(brokenUntil: Int) {
        guard case .delimited(var row) = self else { return }
        row.begin(brokenUntil: brokenUntil)
        self = .delimited(row)
    }

    /// Moves the place past the row; returns false if it cannot be read.
    mutating func read(_ place: inout Int, end: Int, in block: inout [UInt8]) -> Bool {
        switch consume self {
        case .json(var row):
            let line = lineEnd(from: place, to: end, in: block)
            let isRead = row.read(place..<line, in: &block)
            place = behindLineEnd(line, in: block)
            self = .json(row)
            return isRead
        case .delimited(var row):
            let isRead = row.read(&place, end: end, in: &block)
            self = .delimited(row)
            return isRead
        }
    }
}

/// The numbers of names, found by their bytes.
struct NameTable: Sendable {
    private var slots: [Int]
    private let names: [[UInt8]]

    /// The first name has the number of all unknown names.
    init(_ names: [String]) {
        self.names = names.map { Array($0.utf8) }
        var size = 16
        while size < names.count * 4 { size *= 2 }
        slots = Array(repeating: 0, count: size)
        for number in self.names.indices.dropFirst() {
            let name = self.names[number]
            var slot = Self.slot(of: Self.hash(of: name.indices, in: name), size: size)
            while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = number
        }
    }

    /// The number of a name, and the hash by which it is found.
    func find(_ name: Range<Int>, in block: [UInt8]) -> (number: Int, hash: UInt64) {
        let hash = Self.hash(of: name, in: block)
        var slot = Self.slot(of: hash, size: slots.count)
        while slots[slot] != 0 {
            if names[slots[slot]].elementsEqual(block[name]) { return (slots[slot], hash) }
            slot = (slot + 1) & (slots.count - 1)
        }
        return (0, hash)
    }

    private static func hash(of name: Range<Int>, in block: [UInt8]) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for place in name { hash = (hash ^ UInt64(block[place])) &* 0x0000_0100_0000_01B3 }
        return hash
    }

    static func slot(of hash: UInt64, size: Int) -> Int {
        Int(truncatingIfNeeded: hash ^ hash >> 32) & (size - 1)
    }
}

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
