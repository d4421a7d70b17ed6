internal import PopReports
internal import PopScheduler
internal import PopSource

extension TimelinePicture {
    /// The endings that occur, the two kinds of bar, and what the marks of the axis mean.
    mutating func addLegend() {
        y += 26
        var x = Self.margin
        var endings: [PictureEnding] = []
        for span in rows.rows.flatMap(\.spans)
        where span.kind == .shows && !endings.contains(span.ending) {
            endings.append(span.ending)
        }
        for ending in endings {
            addKey(ending.colours, sign: ending.sign, name: ending.name, x: &x)
        }
        let spans = rows.rows.flatMap(\.spans)
        if spans.contains(where: { $0.kind == .waits }) {
            addKey(("url(#waits)", "#8b949e"), sign: "", name: "waits", x: &x)
        }
        if spans.contains(where: { $0.kind == .misses }) {
            addKey(nil, sign: "–", name: "does not show", x: &x)
        }
        if axis.isBent { addKey(nil, sign: "≈", name: "not to scale", x: &x) }
        if story.failed > 0 {
            addKey(nil, sign: "✗", name: "not as expected", x: &x, fill: Self.red)
        }
        y += 8
    }

    private mutating func addKey(
        _ colours: (fill: String, edge: String)?, sign: String, name: String, x: inout Int,
        fill: String = TimelinePicture.grey
    ) {
        let wide = PictureAxis.width(of: name) + 46
        if x + wide > width - Self.margin {
            x = Self.margin
            y += Self.lineHeight
        }
        if let colours {
            body.append(
                "<rect x=\"\(x)\" y=\"\(y - 12)\" width=\"20\" height=\"15\" rx=\"3\""
                    + " fill=\"\(colours.fill)\" stroke=\"\(colours.edge)\"/>")
        }
        if !sign.isEmpty { put(sign, x: x + 6, fill: colours?.edge ?? fill) }
        put(name, x: x + 26, fill: Self.grey)
        x += wide
    }

    /// The whole story, line by line.
    mutating func addWords() {
        let times = story.happenings.map { PictureAxis.width(of: timeText($0.time)) }
        let indent = Self.margin + (times.max() ?? 0) + 12
        let columns = Self.columns(in: width - indent - 2 * Self.margin - 18)
        var last: Duration?
        y += 8
        for happening in story.happenings {
            let isNew = happening.time != last
            last = happening.time
            add(happening, isNew: isNew, indent: indent, columns: columns)
        }
        if let text = story.leftOutText {
            y += Self.lineHeight
            put(text, x: Self.margin, fill: Self.grey)
        }
        y += 8
    }

    private mutating func add(
        _ happening: Story.Happening, isNew: Bool, indent: Int, columns: Int
    ) {
        let fill = Self.colour(of: happening.content)
        if isNew {
            let time = timeText(happening.time)
            let below = y + Self.lineHeight
            body.append(Self.element(time, x: Self.margin, y: below, fill: Self.grey))
        }
        for (index, words) in happening.words.enumerated() {
            for (row, line) in pageLines(escapedForTerminal(words), to: columns).enumerated() {
                let isFirst = index == 0 && row == 0
                y += Self.lineHeight
                if isFirst, happening.mark != " " { put(happening.mark, x: indent, fill: fill) }
                put(line, x: indent + (isFirst ? 18 : 32), fill: fill)
            }
        }
    }

    private static func colour(of content: Story.Content) -> String {
        switch content {
        case .failed, .trouble: red
        case .held: "#2e7d32"
        case .waits, .absent, .remark, .later: grey
        case .input, .shows, .goes, .givesWay, .stays, .misses, .putOff, .joins: "#1a1a1a"
        }
    }
}
