internal import PopScheduler
internal import PopSource

/// What users would see, drawn with one column a scheduler and time running downwards.
package struct Timeline {
    private let lanes: [String]
    private let timeWidth: Int
    private let laneWidth: Int
    private var visible: [String: String] = [:]
    private var rows: [String] = []
    private var lastTime: String?

    /// Columns of a lane, even when all together are wider than the page.
    private static let narrowestLane = 16

    /// Draws a log. `lanes` are the names of the schedulers; those that show nothing are left out.
    package static func draw(_ log: [Simulation.Entry], lanes: [String]) -> String {
        let times = log.map { timeText($0.time).count }
        var timeline = Timeline(lanes: log.lanes(among: lanes), timeWidth: times.max() ?? 0)
        for entry in log {
            switch entry.content {
            case .input(let text): timeline.add(input: text, at: entry.time)
            case .event(let event): timeline.add(event, at: entry.time)
            }
        }
        return timeline.rows.joined(separator: "\n") + "\n"
    }

    private init(lanes: [String], timeWidth: Int) {
        self.lanes = lanes
        self.timeWidth = timeWidth
        laneWidth = max(Self.narrowestLane, (pageWidth - timeWidth - 2) / max(lanes.count, 1))
        let heads = lanes.map { cell($0) }.joined()
        rows = [trimmed(String(repeating: " ", count: timeWidth + 2) + heads)]
    }

    private mutating func add(input: String, at time: Duration) {
        let indent = String(repeating: " ", count: timeWidth + 4)
        let lines = wrapped(escapedForTerminal(input), to: pageWidth - indent.count)
        rows.append("\(timeCell(time))  > \(lines[0])")
        rows += lines.dropFirst().map { indent + $0 }
    }

    private mutating func add(_ event: HostEvent, at time: Duration) {
        if case .notMade(let popup, let reason) = event {
            rows.append("\(timeCell(time))    × \(popup) \(reason.rawValue)")
        }
        guard let task = event.task else { return }
        let lane = task.scheduler
        let mark: String
        switch event {
        case .shown:
            visible[lane] = task.popup
            mark = "┌ \(task.popup)"
        case .dismissed(_, let reason) where visible[lane] == task.popup:
            visible[lane] = nil
            mark = "└ \(task.popup) \(reason.rawValue)"
        case .requeued:
            visible[lane] = nil
            mark = "└ \(task.popup) waits again"
        case .postponed(_, let duration):
            mark = "× \(task.popup) put off by \(timeText(duration))"
        case .dismissed, .discarded, .cancelled, .failed:
            mark = "× \(task.popup) \(event.ending?.rawValue ?? "")"
        case .animationTimeout: mark = "! \(task.popup) took too long"
        default: return
        }
        let cells = lanes.map { name in
            cell(name == lane ? mark : visible[name] == nil ? "" : "│")
        }
        rows.append(trimmed("\(timeCell(time))  \(cells.joined())"))
    }

    /// A text in the width of a lane, with a blank behind it.
    private func cell(_ text: String) -> String {
        var text = text
        if lanes.count > 1, TerminalText(text).width >= laneWidth {
            while TerminalText(text).width > laneWidth - 2 { text.removeLast() }
            text += "…"
        }
        let shown = TerminalText(text)
        return shown.text + String(repeating: " ", count: max(1, laneWidth - shown.width))
    }

    /// The time, when it is another than in the row before.
    private mutating func timeCell(_ time: Duration) -> String {
        let text = timeText(time)
        defer { lastTime = text }
        let shown = text == lastTime ? "" : text
        return String(repeating: " ", count: max(0, timeWidth - shown.count)) + shown
    }
}

extension [Simulation.Entry] {
    /// The schedulers on which anything happens, in the order given; all when nothing does.
    func lanes(among names: [String]) -> [String] {
        let used = Set(
            compactMap { entry in
                if case .event(let event) = entry.content { event.task?.scheduler } else { nil }
            })
        return used.isEmpty ? names : names.filter(used.contains)
    }
}
