internal import PopReports
internal import PopScheduler
internal import PopSource

/// Where the moments of a story stand in a picture, and what is written about the time between
/// them.
struct PictureAxis {
    struct Column {
        var time: Duration
        var x: Int
        /// To the next moment.
        var width: Int
        /// Whether the time to the next moment has another scale than most.
        var isBent = false
    }

    private(set) var columns: [Column] = []
    /// Moments that have no place.
    private(set) var leftOut = 0

    /// Pixels of a character, for texts in the type of the picture.
    static let character = 7.3
    private static let usual = 90...220

    /// `times` in order; the first column stands at `left`. Few columns share the whole width.
    init(_ times: [Duration], left: Int, width: Int) {
        let times = times.enumerated().filter {
            $0.offset == 0 || times[$0.offset - 1] != $0.element
        }
        .map(\.element)
        let shown = Array(times.prefix(DrawingLimits.moments))
        leftOut = times.count - shown.count
        let lengths = zip(shown, shown.dropFirst()).map { $1 - $0 }
        let middle = lengths.sorted()[safe: lengths.count / 2] ?? .seconds(1)
        let share = (width - left) / max(shown.count, 1)
        let usual = min(max(share, Self.usual.lowerBound), Self.usual.upperBound)
        var x = left
        for (index, time) in shown.enumerated() {
            let label = Self.width(of: timeText(time)) + 10
            var column = Column(time: time, x: x, width: max(Self.usual.lowerBound, label))
            if let length = lengths[safe: index] {
                let fitting = Int((Double(usual) * (length / middle)).rounded())
                let least = max(label, Self.width(of: "≈ " + timeText(length)) + 14)
                column.width = min(max(fitting, least), max(usual * 2, least))
                column.isBent = column.width != fitting
            }
            columns.append(column)
            x += column.width
        }
    }

    var isBent: Bool { columns.contains(where: \.isBent) }
    var end: Int { columns.last.map { $0.x + $0.width } ?? 0 }

    /// Nil for a moment that has no place.
    func x(_ time: Duration) -> Int? { columns.first { $0.time == time }?.x }

    /// Pixels of a text; wide characters count twice.
    static func width(of text: String) -> Int {
        Int((Double(TerminalText(text).width) * character).rounded(.up))
    }
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? {
        indices.contains(index) ? self[index] : nil
    }
}
