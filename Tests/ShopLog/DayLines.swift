import PopCEL

/// The lines of one day, which come in another order than they are made in.
struct DayLines {
    private struct Line {
        var arrival: Int
        var start: Int
        var end: Int
    }

    private static let millisecondsOfDay = 86_400_000
    private static let identifier = Array(#"{"id":""#.utf8)
    private static let user = Array(#"","user":"u"#.utf8)
    private static let time = Array(#"","time":""#.utf8)
    private static let event = Array(#"Z","event":""#.utf8)

    private var bytes: [UInt8] = []
    private var lines: [Line] = []
    private var arrival = 0
    private var start = 0
    private var isTwice = false
    /// The text of a day, and which one it is.
    private var date: (day: Int, text: [UInt8]) = (-1, [])

    /// Writes them in the order in which they arrive, and forgets them.
    mutating func write(_ put: ([UInt8]) throws -> Void) rethrows {
        lines.sort { ($0.arrival, $0.start) < ($1.arrival, $1.start) }
        var piece: [UInt8] = []
        piece.reserveCapacity(1 << 17)
        for line in lines {
            piece += bytes[line.start..<line.end]
            if piece.count >= 1 << 16 {
                try put(piece)
                piece.removeAll(keepingCapacity: true)
            }
        }
        if !piece.isEmpty { try put(piece) }
        bytes.removeAll(keepingCapacity: true)
        lines.removeAll(keepingCapacity: true)
    }

    mutating func begin(arriving time: Int, isTwice: Bool) {
        (arrival, start, self.isTwice) = (time, bytes.count, isTwice)
    }

    mutating func end() {
        bytes.append(UInt8(ascii: "\n"))
        lines.append(Line(arrival: arrival, start: start, end: bytes.count))
        guard isTwice else { return }
        lines.append(Line(arrival: arrival + 60_000, start: start, end: bytes.count))
    }

    /// All up to the name of the event.
    mutating func addHead(user: Int, day: Int, session: Int, event: Int, time: Int) {
        bytes += Self.identifier
        add(user)
        for number in [day, session, event] {
            bytes.append(UInt8(ascii: "."))
            add(number)
        }
        bytes += Self.user
        add(user)
        bytes += Self.time
        let (days, rest) = time.quotientAndRemainder(dividingBy: Self.millisecondsOfDay)
        addDate(day + days)
        addClock(rest)
        bytes += Self.event
    }

    mutating func add(_ text: [UInt8]) { bytes += text }

    mutating func add(_ number: Int) {
        if number >= 10 { add(number / 10) }
        bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
    }

    mutating func add(cents: Int) {
        add(cents / 100)
        bytes.append(UInt8(ascii: "."))
        add(cents % 100, digits: 2)
    }

    private mutating func add(_ number: Int, digits: Int) {
        if digits > 1 { add(number / 10, digits: digits - 1) }
        bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
    }

    private mutating func addClock(_ milliseconds: Int) {
        let seconds = milliseconds / 1_000
        add(seconds / 3_600, digits: 2)
        bytes.append(UInt8(ascii: ":"))
        add(seconds / 60 % 60, digits: 2)
        bytes.append(UInt8(ascii: ":"))
        add(seconds % 60, digits: 2)
        bytes.append(UInt8(ascii: "."))
        add(milliseconds % 1_000, digits: 3)
    }

    /// `2026-03-02T`, by the days since the log began.
    private mutating func addDate(_ day: Int) {
        if date.day != day {
            let text = "\(Timestamp(seconds: Int64(ShopDay.first + day) * 86_400))"
            date = (day, Array(text.utf8.prefix(11)))
        }
        bytes += date.text
    }
}
