internal import PopExplanations
package import PopScheduler

/// The times of each popup in a picture: when it was on the screen, when it waited, when it missed
/// its turn.
struct PictureRows {
    struct Row {
        var lane: Int
        var popup: String
        var spans: [Span] = []
        /// True if it did anything but wait.
        var isOfInterest = false
    }

    struct Span {
        enum Kind {
            case shows
            case waits
            /// A point in time at which it didn't show.
            case misses
        }

        var kind: Kind
        var start: Duration
        var end: Duration?
        /// The reason why it waits, or why it was dismissed.
        var reason: String?
        var ending = PictureEnding.none
    }

    private(set) var rows: [Row] = []
    /// Popups that have no row.
    private(set) var leftOut = 0
    private var index: [String: Int] = [:]
    /// The lane index of popups that never had a task.
    private let nowhere: Int

    init(_ story: Story) {
        nowhere = story.lanes.count
        for happening in story.happenings { add(happening) }
        let all = rows.count
        rows = rows.filter { $0.isOfInterest || story.subjects.contains($0.popup) }
        rows = Array(rows.prefix(DrawingLimits.rows)).enumerated()
            .sorted { ($0.element.lane, $0.offset) < ($1.element.lane, $1.offset) }
            .map(\.element)
        leftOut = all - rows.count
    }

    /// The popups on the screens in words, for users who don't see the picture.
    var words: String {
        let parts = rows.compactMap { row -> String? in
            let shown = row.spans.filter { $0.kind == .shows }.map { span in
                "from \(timeText(span.start)) to \(span.end.map { timeText($0) } ?? "the end")"
            }
            if shown.isEmpty, !row.isOfInterest { return nil }
            let times = shown.isEmpty ? "does not show" : "shows \(shown.joined(separator: ", "))"
            return "\(shortName(row.popup)) \(times)"
        }
        return parts.isEmpty ? "nothing shows" : parts.joined(separator: "; ")
    }

    private mutating func row(_ popup: String, lane: Int?) -> Int {
        if let index = index[popup] {
            if rows[index].lane == nowhere, let lane { rows[index].lane = lane }
            return index
        }
        rows.append(Row(lane: lane ?? nowhere, popup: popup))
        index[popup] = rows.count - 1
        return rows.count - 1
    }

    private mutating func add(_ happening: Story.TimelineEvent) {
        let (time, lane) = (happening.time, happening.lane)
        switch happening.content {
        case .shows(let popup, _): begin(.shows, of: popup, lane: lane, at: time, reason: nil)
        case .goes(let popup, let reason, _, _):
            close(popup, at: time, reason: reason.meaning, ending: PictureEnding(reason))
        case .givesWay(let popup, _): close(popup, at: time, reason: "gives way", ending: .gaveWay)
        case .waits(let popups, let reason, _):
            let text = reason?.meaning ?? "its `grace` is not over"
            for popup in popups { begin(.waits, of: popup, lane: lane, at: time, reason: text) }
        case .misses(let popup, let reason, _):
            close(popup, at: time, reason: nil, ending: .none)
            miss(popup, lane: lane, at: time, reason: reason.meaning)
        case .absent(let popup, let reason):
            miss(popup, lane: lane, at: time, reason: reason.meaning)
        case .input, .later, .stays, .putOff, .joins, .trouble, .held, .failed, .remark: break
        }
    }

    private mutating func begin(
        _ kind: Span.Kind, of popup: String, lane: Int?, at time: Duration, reason: String?
    ) {
        close(popup, at: time, reason: nil, ending: .none)
        let row = row(popup, lane: lane)
        rows[row].spans.append(Span(kind: kind, start: time, reason: reason))
        if kind == .shows { rows[row].isOfInterest = true }
    }

    private mutating func close(
        _ popup: String, at time: Duration, reason: String?, ending: PictureEnding
    ) {
        guard let row = index[popup], var span = rows[row].spans.last, span.end == nil else {
            return
        }
        span.end = time
        if let reason {
            span.reason = reason
            span.ending = ending
        }
        // A wait of zero length isn't shown.
        let isNothing = span.kind == .waits && span.start == time
        rows[row].spans.removeLast()
        if !isNothing { rows[row].spans.append(span) }
    }

    private mutating func miss(
        _ popup: String, lane: Int?, at time: Duration, reason: String
    ) {
        let row = row(popup, lane: lane)
        rows[row].isOfInterest = true
        rows[row].spans.append(Span(kind: .misses, start: time, end: time, reason: reason))
    }
}

/// The ways in which a popup leaves the screen, as a picture distinguishes them: by a sign as well
/// as a color; the case's name is the class of its bar.
package enum PictureEnding: String, CaseIterable {
    case none, person, time, gaveWay, app, failure

    package init(_ reason: ReasonCode) {
        self =
            switch reason.kind {
            case .ended(by: .person): .person
            case .ended(by: .time): .time
            case .ended(by: .betterPopup): .gaveWay
            case .ended(by: .fault), .endedUnseen: .failure
            case .ended(by: .app), .condition, .ruledOut, .held, .barred, .capped, .ready, .absent:
                .app
            }
    }

    package var name: String {
        switch self {
        case .none: "still on the screen"
        case .person: "the user closed it"
        case .time: "its display time is over"
        case .gaveWay: "gave way to another popup"
        case .app: "the app or a rule dismissed it"
        case .failure: "an error ended it"
        }
    }

    /// The sign at the end of the bar.
    package var sign: String {
        switch self {
        case .none: ""
        case .person: "×"
        case .time: "◔"
        case .gaveWay: "↓"
        case .app: "■"
        case .failure: "!"
        }
    }
}

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
