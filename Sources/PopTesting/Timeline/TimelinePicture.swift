internal import PopScheduler
internal import PopSource

/// What users would see, drawn as an SVG: one row a scheduler, time running to the right.
///
/// Every moment at which something happens has the same width, however long the time between two of them is.
package struct TimelinePicture {
    private struct Bar {
        var lane: Int
        var popup: String
        var start: Int
        var end: Int?
        var ending: String
    }

    private var times: [String] = []
    private var bars: [Bar] = []
    private var inputs: [(column: Int, text: String)] = []
    private let lanes: [String]

    private static let columnWidth = 90
    private static let laneHeight = 44
    private static let margin = 90
    private static let top = 40
    private static let lineHeight = 18

    /// The picture of a log. `lanes` are the names of the schedulers; those that show nothing are left out.
    package static func draw(
        _ log: [Simulation.Entry], lanes: [String], title: String
    ) -> String {
        var picture = TimelinePicture(lanes: log.lanes(among: lanes))
        for entry in log { picture.add(entry) }
        return picture.svg(title: title)
    }

    private init(lanes: [String]) { self.lanes = lanes }

    private mutating func add(_ entry: Simulation.Entry) {
        let time = timeText(entry.time)
        if times.last != time { times.append(time) }
        let column = times.count - 1
        switch entry.content {
        case .input(let text): inputs.append((column, text))
        case .event(let event): add(event, column)
        }
    }

    private mutating func add(_ event: HostEvent, _ column: Int) {
        if case .notMade(let popup, let reason) = event {
            inputs.append((column, "× \(popup) \(reason.rawValue)"))
        }
        guard let task = event.task, let lane = lanes.firstIndex(of: task.scheduler) else { return }
        switch event {
        case .shown:
            bars.append(Bar(lane: lane, popup: task.popup, start: column, ending: "still showing"))
        case .dismissed(_, let reason): close(lane, column, reason.rawValue)
        case .requeued: close(lane, column, "waits again")
        default: break
        }
    }

    private mutating func close(_ lane: Int, _ column: Int, _ ending: String) {
        guard let index = bars.lastIndex(where: { $0.lane == lane && $0.end == nil }) else {
            return
        }
        bars[index].end = column
        bars[index].ending = ending
    }

    private func svg(title: String) -> String {
        let width = Self.margin + (times.count + 1) * Self.columnWidth
        let lanesEnd = Self.top + lanes.count * Self.laneHeight
        let height = lanesEnd + (inputs.count + 2) * Self.lineHeight
        let body = timeMarks(to: lanesEnd) + laneNames + bars.map(picture) + list(below: lanesEnd)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" \
            width="\(width)" height="\(height)" role="img" font-family="system-ui,sans-serif" \
            font-size="12">
            <title>\(escapedForXML(title))</title>
            <rect width="100%" height="100%" fill="#fff"/>
            \(body.joined(separator: "\n"))
            </svg>

            """
    }

    private func x(_ column: Int) -> Int { Self.margin + column * Self.columnWidth }

    private func timeMarks(to end: Int) -> [String] {
        times.enumerated().map { column, time in
            """
            <line x1="\(x(column))" y1="28" x2="\(x(column))" y2="\(end)" stroke="#ddd"/>\
            <text x="\(x(column))" y="20" fill="#555">\(time)</text>
            """
        }
    }

    private var laneNames: [String] {
        lanes.enumerated().map { lane, name in
            let y = Self.top + lane * Self.laneHeight + Self.laneHeight / 2
            return "<text x=\"8\" y=\"\(y)\" font-weight=\"bold\">\(escapedForXML(name))</text>"
        }
    }

    private func picture(_ bar: Bar) -> String {
        let start = x(bar.start)
        // What comes and goes in one moment is still to be seen.
        let end = max(x(bar.end ?? times.count), start + Self.columnWidth / 12)
        let y = Self.top + bar.lane * Self.laneHeight + 4
        let name = escapedForXML(bar.popup)
        return """
            <g><title>\(name): \(escapedForXML(bar.ending))</title>\
            <rect x="\(start)" y="\(y)" width="\(end - start - 2)" height="32" rx="4" \
            fill="#cfe2ff" stroke="#3b6fb6"/>\
            <text x="\(start + 6)" y="\(y + 14)">\(name)</text>\
            <text x="\(start + 6)" y="\(y + 27)" font-size="9" fill="#555">\
            \(escapedForXML(bar.ending))</text></g>
            """
    }

    private func list(below lanesEnd: Int) -> [String] {
        inputs.enumerated().map { row, input in
            let y = lanesEnd + (row + 1) * Self.lineHeight + 8
            return """
                <text x="8" y="\(y)" fill="#555">\(times[input.column])</text>\
                <text x="\(Self.margin)" y="\(y)">\(escapedForXML(input.text))</text>
                """
        }
    }
}
