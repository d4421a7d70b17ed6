internal import PopFleet
internal import PopMapping
internal import PopSource

/// What a row of a log comes to. Places are those of a block of bytes.
struct LogRow {
    var user: Range<Int>
    /// The other name that the row gives the user; nil where it gives one alone.
    var alias: Range<Int>?
    /// Whether that other name is the only one.
    var isAlias = false
    var time: Int64
    var order: Int64
    var insertion: UInt64
    var reading: Int
    var fields: [UInt8]
}

/// How many rows could not be read, and why.
struct SkippedRows: Sendable, Hashable {
    enum Reason: String, Sendable, Hashable, CaseIterable {
        case notReadable
        case noUser
        case noTime
        case noEvent

        var words: String {
            switch self {
            case .notReadable: "not of this format"
            case .noUser: "without a user"
            case .noTime: "without a time that can be read"
            case .noEvent: "without an event"
            }
        }
    }

    var counts: [Reason: Int] = [:]

    /// Each reason with its number; empty for none.
    var text: String {
        Reason.allCases.compactMap { reason in
            counts[reason].map { "\(numberText($0)) \(reason.words)" }
        }.joined(separator: ", ")
    }

    mutating func add(_ other: SkippedRows) { counts.merge(other.counts) { $0 + $1 } }
}

/// Reads blocks of rows.
struct RowReader {
    private let plan: LogPlan
    private let format: RowFormat
    private let time: LogTime
    private let names: NameTable
    /// Finds whatever the five below ask for, by its number.
    private var columns: RowFinder
    private let users: [Int]
    private let times: [Int]
    private let events: [Int]
    private let orders: [Int]
    private let insertIDs: [Int]
    /// By reading; nil for one without fields.
    private var fields: [RowFinder?]

    private(set) var rows = 0
    private(set) var skipped = SkippedRows()

    init(_ plan: LogPlan, format: RowFormat, header: [String]) {
        self.plan = plan
        self.format = format
        time = LogTime(plan.mapping)
        names = NameTable(plan.readings.map { $0.name })
        let mapped = plan.mapping.columns
        // One place may be asked for as two things.
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
        columns = RowFinder(places, format: format, header: header)
        fields = plan.readings.map { reading in
            reading.fields.isEmpty
                ? nil : RowFinder(reading.fields, format: format, header: header)
        }
    }

    /// Tells of each row of a block.
    mutating func read(
        _ block: inout [UInt8], from start: Int = 0, row take: (LogRow, [UInt8]) -> Void
    ) {
        let end = block.count
        var place = start
        while place < end {
            if block[place] == UInt8(ascii: "\n") || block[place] == UInt8(ascii: "\r") {
                place += 1
                continue
            }
            let begin = place
            rows += 1
            if columns.read(&place, end: end, in: &block) {
                readRow(from: begin, end: min(place, end), in: &block, take)
            } else {
                skip(.notReadable)
                place = lineEnd(from: begin, to: end, in: block) + 1
            }
            if block.count > end { block.removeLast(block.count - end) }
        }
    }

    private mutating func skip(_ reason: SkippedRows.Reason) {
        skipped.counts[reason, default: 0] += 1
    }

    private mutating func readRow(
        from begin: Int, end: Int, in block: inout [UInt8], _ take: (LogRow, [UInt8]) -> Void
    ) {
        let found = columns.found
        guard let (user, column) = Self.first(of: users, found, in: &block) else {
            return skip(.noUser)
        }
        guard let (when, _) = Self.first(of: times, found, in: &block),
            let time = time.read(when, in: block)
        else { return skip(.noTime) }
        guard let (name, _) = Self.first(of: events, found, in: &block) else {
            return skip(.noEvent)
        }
        let reading = names.place(of: name, in: block)
        var row = LogRow(
            user: user, time: time, order: order(found, in: &block),
            insertion: insertion(found, in: &block), reading: reading, fields: [])
        if plan.mapping.mergesIdentities, users.count > 1 {
            row.isAlias = column > 0
            row.alias =
                row.isAlias ? user : Self.first(of: users.dropFirst(), found, in: &block)?.range
        }
        if var finder = fields[reading] {
            fields[reading] = nil
            var place = begin
            let isRead = finder.read(&place, end: end, in: &block)
            let scalars = finder.found.map { isRead ? Self.scalar($0, in: &block) : .missing }
            row.fields = LogPlan.encode(scalars)
            fields[reading] = finder
        }
        take(row, block)
    }

    /// The first of some columns that says something, and which one it is.
    private static func first(
        of paths: some RandomAccessCollection<Int>, _ found: [FoundValue],
        in block: inout [UInt8]
    ) -> (range: Range<Int>, column: Int)? {
        for (column, path) in paths.enumerated() {
            let value = found[path]
            if value.isNothing { continue }
            let range = Self.text(value, in: &block)
            if !range.isEmpty { return (range, column) }
        }
        return nil
    }

    private func order(_ found: [FoundValue], in block: inout [UInt8]) -> Int64 {
        guard let (range, _) = Self.first(of: orders, found, in: &block) else { return 0 }
        return Int64(String(decoding: block[range], as: UTF8.self)) ?? 0
    }

    private func insertion(_ found: [FoundValue], in block: inout [UInt8]) -> UInt64 {
        guard let (range, _) = Self.first(of: insertIDs, found, in: &block) else { return 0 }
        return LogEvent.insertion(of: block[range])
    }
}

extension RowReader {
    /// Where the text of a value stands, without marks and escapes.
    private static func text(_ value: FoundValue, in block: inout [UInt8]) -> Range<Int> {
        guard !value.isText, block[value.start] == UInt8(ascii: "\"") else {
            return value.start..<value.end
        }
        let inside = value.start + 1..<value.end - 1
        guard block[inside].contains(UInt8(ascii: "\\")) else { return inside }
        let start = block.count
        JSONText.unescape(inside, of: &block)
        return start..<block.count
    }

    private static func scalar(_ value: FoundValue, in block: inout [UInt8]) -> LogScalar {
        if value.isNothing { return .missing }
        if value.isText || block[value.start] == UInt8(ascii: "\"") {
            return .text(String(decoding: block[text(value, in: &block)], as: UTF8.self))
        }
        guard let json = try? JSON.parse(block[value.start..<value.end]) else { return .missing }
        return LogScalar(json)
    }
}

/// What finds values in a row, whatever its format.
enum RowFinder {
    case json(JSONRow)
    case delimited(DelimitedRow)

    init(_ paths: [LogPath], format: RowFormat, header: [String]) {
        let tree = PathTree(paths)
        switch format {
        case .jsonl: self = .json(JSONRow(tree))
        case .csv, .tsv:
            self = .delimited(DelimitedRow(tree, format: format, columns: header))
        }
    }

    var found: [FoundValue] {
        switch self {
        case .json(let row): row.found
        case .delimited(let row): row.found
        }
    }

    /// Goes behind the row; false where it cannot be read.
    mutating func read(_ place: inout Int, end: Int, in block: inout [UInt8]) -> Bool {
        switch consume self {
        case .json(var row):
            let line = lineEnd(from: place, to: end, in: block)
            let isRead = row.read(place..<line, in: &block)
            place = line + 1
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

    /// The first name stands for every other.
    init(_ names: [String]) {
        self.names = names.map { Array($0.utf8) }
        var size = 16
        while size < names.count * 4 { size *= 2 }
        slots = Array(repeating: 0, count: size)
        for number in self.names.indices.dropFirst() {
            let name = self.names[number]
            var slot = Self.slot(of: name.indices, in: name, size: size)
            while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = number
        }
    }

    func place(of name: Range<Int>, in block: [UInt8]) -> Int {
        var slot = Self.slot(of: name, in: block, size: slots.count)
        while slots[slot] != 0 {
            if names[slots[slot]].elementsEqual(block[name]) { return slots[slot] }
            slot = (slot + 1) & (slots.count - 1)
        }
        return 0
    }

    private static func slot(of name: Range<Int>, in block: [UInt8], size: Int) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for place in name { hash = (hash ^ UInt64(block[place])) &* 0x0000_0100_0000_01B3 }
        return Int(truncatingIfNeeded: hash ^ hash >> 32) & (size - 1)
    }
}
