internal import PopReports
internal import PopScheduler
internal import PopSource

extension TimelinePicture {
    /// Adds the endings that occur, the two kinds of bar, and the meanings of the marks of the
    /// axis.
    mutating func addLegend() {
        y += 26
        var x = SVG.margin
        var endings: [PictureEnding] = []
        for span in rows.rows.flatMap(\.spans)
        where span.kind == .shows && !endings.contains(span.ending) {
            endings.append(span.ending)
        }
        for ending in endings {
            addKey(ending.name, sign: ending.sign, bar: "shows \(ending)", as: "\(ending)", x: &x)
        }
        let kinds = Set(rows.rows.flatMap(\.spans).map(\.kind))
        if kinds.contains(.waits) { addKey("waits", bar: "waits", x: &x) }
        if kinds.contains(.misses) { addKey("does not show", sign: "–", x: &x) }
        if axis.isBent { addKey("not to scale", sign: "≈", x: &x) }
        if story.failed > 0 { addKey("not as expected", sign: "✗", as: "bad", x: &x) }
        y += 8
    }

    private mutating func addKey(
        _ name: String, sign: String = "", bar: String? = nil, as classes: String = "soft",
        x: inout Int
    ) {
        let wide = SVG.width(of: name) + 46
        if x + wide > width - SVG.margin {
            x = SVG.margin
            y += SVG.lineHeight
        }
        if let bar { body.append(SVG.box(x: x, y: y - 12, width: 20, height: 15, as: bar)) }
        if !sign.isEmpty { put(sign, x: x + 6, as: classes) }
        put(name, x: x + 26, as: "soft")
        x += wide
    }

    /// Adds the whole timeline in words, line by line.
    mutating func addWords() {
        let times = story.happenings.map { SVG.width(of: timeText($0.time)) }
        let indent = SVG.margin + (times.max() ?? 0) + 12
        let columns = SVG.columns(in: width - indent - 2 * SVG.margin - 18)
        var last: Duration?
        y += 8
        for happening in story.happenings {
            let isNew = happening.time != last
            last = happening.time
            add(happening, isNew: isNew, indent: indent, columns: columns)
        }
        if let text = story.leftOutText {
            y += SVG.lineHeight
            put(text, x: SVG.margin, as: "soft")
        }
        y += 8
    }

    private mutating func add(
        _ happening: Story.Happening, isNew: Bool, indent: Int, columns: Int
    ) {
        let classes = Self.classes(of: happening.content)
        if isNew {
            let time = timeText(happening.time)
            let below = y + SVG.lineHeight
            body.append(SVG.text(time, x: SVG.margin, y: below, as: "soft"))
        }
        for (index, words) in happening.words.enumerated() {
            for (row, line) in pageLines(escapedForTerminal(words), to: columns).enumerated() {
                let isFirst = index == 0 && row == 0
                y += SVG.lineHeight
                if isFirst, happening.mark != " " { put(happening.mark, x: indent, as: classes) }
                put(line, x: indent + (isFirst ? 18 : 32), as: classes)
            }
        }
    }

    private static func classes(of content: Story.Content) -> String {
        switch content {
        case .failed, .trouble: "bad"
        case .held: "good"
        case .waits, .absent, .remark, .later: "soft"
        case .input, .shows, .goes, .givesWay, .stays, .misses, .putOff, .joins: "ink"
        }
    }
}
