package import PopReports
internal import PopScheduler
internal import PopSource

/// The popups that users would see, in words: a bar for each scheduler, time running downward.
package struct Timeline {
    private let story: Story
    private let style: TextStyle
    private let timeWidth: Int
    /// The schedulers that have a bar.
    private let bars: Int
    private var isTaken: [Bool]
    private var lines: [String] = []
    private var time: Duration?

    /// Draws a test.
    package static func draw(_ story: Story, style: TextStyle = .plain) -> String {
        var told: Set<String> = []
        return draw(story, style: style, after: &told)
    }

    /// Draws a test after others: popups that wait at the start as in another test, and that the
    /// test doesn't name, are only counted.
    package static func draw(
        _ story: Story, style: TextStyle = .plain, after told: inout Set<String>
    ) -> String {
        var timeline = Timeline(story, style: style)
        var rest = story.happenings[...]
        while let happening = rest.first, happening.time == .zero, !happening.isInput {
            rest.removeFirst()
            guard case .waits(let popups, _, _) = happening.content,
                popups.count > Self.mostRepeated, story.subjects.isDisjoint(with: popups),
                !told.insert(happening.words.joined()).inserted
            else {
                timeline.add(happening)
                continue
            }
            timeline.repeated += popups.count
        }
        timeline.tellRepeated()
        for happening in rest { timeline.add(happening) }
        if let text = story.leftOutText { timeline.lines.append(text) }
        return timeline.lines.joined(separator: "\n") + "\n"
    }

    /// The maximum number of repeated popups that are listed in each test.
    private static let mostRepeated = 2
    /// The number of popups that wait as in an earlier test.
    private var repeated = 0

    /// Adds a line about the popups that wait as in an earlier test.
    private mutating func tellRepeated() {
        if repeated == 0 { return }
        let count = repeated == 1 ? "1 popup" : "\(repeated) popups"
        add(
            Story.TimelineEvent(
                time: .zero, content: .remark("waiting as in a test above: \(count)")))
    }

    private init(_ story: Story, style: TextStyle) {
        self.story = story
        self.style = style
        timeWidth = story.happenings.map { timeText($0.time).count }.max() ?? 0
        bars = min(story.lanes.count, DrawingLimits.bars)
        isTaken = Array(repeating: false, count: story.lanes.count)
        lines = pageLines(escapedForTerminal(story.title), to: pageWidth).map(style.bold)
        let verdict = "starts \(story.startText), \(story.verdict)"
        lines.append(story.failed > 0 ? style.bad(verdict) : verdict)
        let indent = String(repeating: " ", count: timeWidth + 2)
        for (index, name) in story.lanes.prefix(bars).enumerated() {
            lines.append(indent + String(repeating: "│ ", count: index) + shortName(name))
        }
    }

    private mutating func add(_ happening: Story.TimelineEvent) {
        if case .later = happening.content { return addJump(happening) }
        var bar: (lane: Int, mark: String)?
        switch happening.content {
        case .shows:
            bar = happening.lane.map { ($0, "┌") }
        case .goes, .givesWay:
            bar = happening.lane.map { ($0, "└") }
        case .input, .waits, .later, .stays, .misses, .absent, .putOff, .joins, .trouble, .held,
            .failed, .remark:
            break
        }
        let shown = timeText(happening.time)
        let cell = happening.time == time ? "" : shown
        time = happening.time
        let padding = String(repeating: " ", count: timeWidth - cell.count)
        put(happening, head: padding + cell, bar: bar)
        if let bar { isTaken[bar.lane] = bar.mark == "┌" }
    }

    /// Adds the lines of a happening; the first has the time and the change of the bar.
    private mutating func put(
        _ happening: Story.TimelineEvent, head: String, bar: (lane: Int, mark: String)?
    ) {
        let before = barText(bar.map { [$0.lane: $0.mark] } ?? [:])
        var taken = isTaken
        if let bar { taken[bar.lane] = bar.mark == "┌" }
        let after = barText(
            Dictionary(
                uniqueKeysWithValues: taken.enumerated().map {
                    ($0.offset, $0.element ? "│" : " ")
                }))
        let blank = String(repeating: " ", count: timeWidth)
        let width = pageWidth - timeWidth - 2 - bars * 2 - 4
        for (index, text) in happening.words(among: story.lanes).enumerated() {
            let safe = escapedForTerminal(text)
            let rows = pageLines(safe, to: width - (index == 0 ? 0 : 2))
            for (row, text) in rows.enumerated() {
                let isFirst = index == 0 && row == 0
                let mark = isFirst ? "\(happening.mark) " : "  "
                let deeper = (index == 0 ? "" : "  ") + (row == 0 ? "" : "  ")
                let line = "\(isFirst ? head : blank)  \(isFirst ? before : after)"
                lines.append(
                    trimmed(line + paint(mark + deeper + text, content: happening.content)))
            }
        }
    }

    private mutating func addJump(_ happening: Story.TimelineEvent) {
        let marks = isTaken.map { $0 ? "┊" : " " }
        let bars = barText(Dictionary(uniqueKeysWithValues: marks.enumerated().map { ($0, $1) }))
        let mark = String(repeating: " ", count: max(0, timeWidth - 1)) + happening.mark
        lines.append("\(mark)  \(bars)" + style.dim("  " + happening.words.joined()))
    }

    private func barText(_ marks: [Int: String]) -> String {
        (0..<bars).map { (marks[$0] ?? (isTaken[$0] ? "│" : " ")) + " " }.joined()
    }

    private func paint(_ text: String, content: Story.Content) -> String {
        switch content {
        case .input: style.bold(text)
        case .failed, .trouble: style.bad(text)
        case .held: style.good(text)
        case .waits, .absent, .remark, .later: style.dim(text)
        case .shows, .goes, .givesWay, .stays, .misses, .putOff, .joins: text
        }
    }
}

extension Story.TimelineEvent {
    /// True if a step of the test causes it.
    fileprivate var isInput: Bool { if case .input = content { true } else { false } }

    /// Returns the words, with the scheduler's name if there are several.
    fileprivate func words(among lanes: [String]) -> [String] {
        guard lanes.count > 1, let lane else { return words }
        var words = words
        switch content {
        case .shows: words[0] += " on \(shortName(lanes[lane]))"
        case .waits where lane > 0:
            words[0] = "on \(shortName(lanes[lane])) " + words[0]
        case .input, .goes, .givesWay, .waits, .later, .stays, .misses, .absent, .putOff, .joins,
            .trouble, .held, .failed, .remark:
            break
        }
        return words
    }
}
