internal import PopScheduler

/// The positions of points in time in a picture, and the labels of the time between them.
struct PictureAxis {
    struct Column {
        var time: Duration
        var x: Int
        /// The width up to the next point in time.
        var width: Int
        /// True if the time to the next point in time has a different scale than most.
        var isBent = false
    }

    private(set) var columns: [Column] = []
    /// Points in time that have no place.
    private(set) var leftOut = 0

    private static let usual = 90...220

    /// Creates an axis for `times` in order; the first column is at `left`. All columns have one
    /// scale if the width is sufficient; otherwise few columns share it.
    init(_ times: [Duration], left: Int, width: Int) {
        let times = times.enumerated().filter {
            $0.offset == 0 || times[$0.offset - 1] != $0.element
        }
        .map(\.element)
        let shown = Array(times.prefix(DrawingLimits.moments))
        leftOut = times.count - shown.count
        let lengths = zip(shown, shown.dropFirst()).map { $1 - $0 }
        columns = shown.map { time in
            let label = SVG.width(of: timeText(time)) + 10
            return Column(time: time, x: left, width: max(Self.usual.lowerBound, label))
        }
        let least = zip(columns, lengths).map { column, length in
            max(
                SVG.width(of: timeText(column.time)) + 10,
                SVG.width(of: "≈ " + timeText(length)) + 14)
        }
        if !spread(lengths, least: least, over: width - left) {
            bend(lengths, least: least, over: width - left)
        }
    }

    /// Uses one scale; returns false if that leaves too little room between two points in time.
    private mutating func spread(_ lengths: [Duration], least: [Int], over width: Int) -> Bool {
        let whole = lengths.reduce(.zero, +)
        let room = Double(width - (columns.last?.width ?? 0))
        let fits = zip(lengths, least).allSatisfy { room * ($0 / whole) >= Double($1) }
        guard fits, let first = columns.first else { return false }
        for index in columns.indices.dropFirst() {
            let part = (columns[index].time - first.time) / whole
            columns[index].x = first.x + Int((room * part).rounded())
            columns[index - 1].width = columns[index].x - columns[index - 1].x
        }
        return true
    }

    /// Uses one scale for most columns; the others stay within bounds.
    private mutating func bend(_ lengths: [Duration], least: [Int], over width: Int) {
        let middle = lengths.sorted()[lengths.count / 2]
        let usual = min(
            max(width / columns.count, Self.usual.lowerBound), Self.usual.upperBound)
        for (index, length) in lengths.enumerated() {
            let fitting = Int((Double(usual) * (length / middle)).rounded())
            let width = min(max(fitting, least[index]), max(usual * 2, least[index]))
            columns[index].isBent = width != fitting
            columns[index].width = width
            columns[index + 1].x = columns[index].x + width
        }
    }

    var isBent: Bool { columns.contains(where: \.isBent) }
    var end: Int { columns.last.map { $0.x + $0.width } ?? 0 }

    /// Returns nil for a point in time that has no place.
    func x(_ time: Duration) -> Int? { columns.first { $0.time == time }?.x }
}
