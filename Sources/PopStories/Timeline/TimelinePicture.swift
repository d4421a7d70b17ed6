internal import PopCEL
package import PopReports
internal import PopScheduler
internal import PopSource

/// The popups that users would see, drawn as an SVG: one row per popup, time running to the right,
/// and the same in words below.
package struct TimelinePicture {
    let story: Story
    let rows: PictureRows
    let axis: PictureAxis
    let left: Int
    let width: Int
    var body: [XMLElement] = []
    var y = 0

    static let narrowest = 800
    static let rowHeight = 28

    /// Returns the picture of a test as a file of its own, with its title above it and the words
    /// below.
    package static func draw(_ story: Story) -> String {
        var picture = TimelinePicture(story)
        picture.addTitle()
        picture.addDrawing()
        picture.addWords()
        return SVG.file(
            picture.body, title: story.title, words: picture.rows.words, width: picture.width,
            height: picture.y + 8)
    }

    /// Returns only the drawing, for a page that has the title and the words.
    package static func part(of story: Story) -> XMLElement {
        var picture = TimelinePicture(story)
        picture.y = -12
        picture.addDrawing()
        return SVG.drawing(
            picture.body, title: story.title, words: picture.rows.words, width: picture.width,
            height: picture.y + 8)
    }

    private init(_ story: Story) {
        self.story = story
        rows = PictureRows(story)
        let names = rows.rows.map(\.popup) + story.lanes
        let longest = names.map { SVG.width(of: shortName($0)) }.max() ?? 0
        left = SVG.margin * 2 + longest
        axis = PictureAxis(
            story.happenings.map(\.time) + [story.end], left: left,
            width: Self.narrowest - SVG.margin)
        width = max(Self.narrowest, axis.end + SVG.margin)
    }

    private mutating func addDrawing() {
        addTimes()
        addRows()
        addLegend()
    }

    mutating func put(_ text: String, x: Int, as classes: String = "ink") {
        body.append(SVG.text(text, x: x, y: y, as: classes))
    }

    private mutating func addTitle() {
        y = 8
        let columns = SVG.columns(in: width - 2 * SVG.margin, size: 16)
        for line in pageLines(escapedForTerminal(story.title), to: columns) {
            y += 20
            put(line, x: SVG.margin, as: "heading")
        }
        y += 20
        put(
            "starts \(story.startText), \(story.verdict)", x: SVG.margin,
            as: story.failed > 0 ? "bad" : "soft")
    }
}

extension TimelinePicture {
    /// Adds the points in time, and the time from each to the next.
    mutating func addTimes() {
        y += 30
        for column in axis.columns { put(timeText(column.time), x: column.x, as: "soft") }
        let line = y + 12
        body.append(SVG.line(from: (left, line), to: (axis.end, line), as: "axis"))
        for (column, next) in zip(axis.columns, axis.columns.dropFirst()) {
            let text = (column.isBent ? "≈ " : "") + timeText(next.time - column.time)
            let middle = column.x + column.width / 2
            body.append(SVG.text(text, x: middle, y: line + 14, as: "soft small middle"))
            if column.isBent { body += Self.bend(x: middle, y: line) }
        }
        addMarks(line)
        y = line + 20
    }

    /// Adds marks at the times of actions, and at those of unmet expectations.
    private mutating func addMarks(_ line: Int) {
        for happening in story.happenings {
            guard let x = axis.x(happening.time) else { continue }
            switch happening.content {
            case .input:
                let mark = SVG.path("M\(x - 4) \(line - 5)h8l-4 5z", as: "mark")
                body.append(SVG.group(happening.words.joined(separator: " "), inside: [mark]))
            case .failed:
                body.append(SVG.text("✗", x: x + 3, y: line + 14, as: "bad strong"))
            case .shows, .goes, .givesWay, .waits, .later, .stays, .misses, .absent, .putOff,
                .joins, .trouble, .held, .remark:
                break
            }
        }
    }

    /// Returns a break of the axis.
    private static func bend(x: Int, y: Int) -> [XMLElement] {
        [
            SVG.path("M\(x - 5) \(y + 4)l4 -8h5l-4 8z", as: "paper"),
            SVG.path("M\(x - 5) \(y + 4)l4 -8m5 0l-4 8", as: "axis"),
        ]
    }

    mutating func addRows() {
        let top = y
        let place = body.count
        for (index, row) in rows.rows.enumerated() {
            if index == 0 || rows.rows[index - 1].lane != row.lane { addLaneName(row.lane) }
            y += Self.rowHeight
            let name = shortName(row.popup)
            let label = SVG.text(name, x: SVG.margin + 8, y: y - 9)
            body.append(SVG.group(row.popup, inside: [label]))
            for (number, span) in row.spans.enumerated() {
                let next = row.spans.dropFirst(number + 1).first.flatMap { axis.x($0.start) }
                add(span, before: next ?? width)
            }
        }
        body.insert(contentsOf: gridLines(from: top, to: y + 4), at: place)
        y += 4
        for text in leftOutTexts {
            y += SVG.lineHeight
            put(text, x: SVG.margin, as: "soft")
        }
    }

    private var leftOutTexts: [String] {
        [
            rows.leftOut > 0
                ? "\(rows.leftOut) more \(rows.leftOut == 1 ? "popup" : "popups") not drawn; see"
                    + " the text below" : nil,
            axis.leftOut > 0 ? "\(axis.leftOut) later times are listed in the text only" : nil,
        ].compactMap { $0 }
    }

    private mutating func addLaneName(_ lane: Int) {
        y += 22
        let name = story.lanes.indices.contains(lane) ? shortName(story.lanes[lane]) : "not queued"
        put(name, x: SVG.margin, as: "soft strong")
        y += 2
    }

    private func gridLines(from top: Int, to bottom: Int) -> [XMLElement] {
        let failures = Set(
            story.happenings.filter { if case .failed = $0.content { true } else { false } }
                .map(\.time))
        return axis.columns.map { column in
            SVG.line(
                from: (column.x, top), to: (column.x, bottom),
                as: failures.contains(column.time) ? "wrong broken" : "line")
        }
    }
}

extension TimelinePicture {
    mutating func add(_ span: PictureRows.Span, before next: Int) {
        guard let start = axis.x(span.start) else { return }
        let end = max(span.end.map { axis.x($0) ?? axis.end } ?? axis.end, start + 8)
        switch span.kind {
        case .misses: addMiss(span, x: start, before: next)
        case .waits: addWait(span, from: start, to: end)
        case .shows: addShow(span, from: start, to: end)
        }
    }

    private mutating func addShow(_ span: PictureRows.Span, from start: Int, to end: Int) {
        let length = timeText((span.end ?? story.end) - span.start)
        let isNew = span.end == nil && span.start == story.end
        let whole =
            (isNew ? "" : "\(length), ") + (span.end == nil ? "still shown" : span.reason ?? "")
        // A bar that is too narrow has no sign.
        let sign = end - start > 18 ? span.ending.sign : ""
        let room = end - start - 8 - (sign.isEmpty ? 0 : 14)
        var inside = [bar(from: start, to: end, as: "shows \(span.ending)")]
        let short = span.ending == .none ? [] : ["\(length), \(span.ending.name)"]
        if let text = ([whole] + short + [length]).first(where: { SVG.width(of: $0) <= room }) {
            inside.append(SVG.text(text, x: start + 5, y: y - 9))
        }
        if !sign.isEmpty {
            inside.append(SVG.text(sign, x: end - 12, y: y - 9, as: "\(span.ending) strong"))
        }
        body.append(SVG.group(whole, inside: inside))
    }

    private mutating func addWait(_ span: PictureRows.Span, from start: Int, to end: Int) {
        let reason = span.reason ?? ""
        var inside = [bar(from: start, to: end, as: "waits")]
        if SVG.width(of: reason) + 10 <= end - start {
            inside.append(SVG.text(reason, x: start + 5, y: y - 9))
        }
        body.append(SVG.group(reason, inside: inside))
    }

    private mutating func addMiss(_ span: PictureRows.Span, x: Int, before next: Int) {
        let reason = span.reason ?? ""
        let isFitting = SVG.width(of: reason) + 16 <= next - x
        let text = isFitting ? "– \(reason)" : "–"
        let inside = [SVG.text(text, x: x + 3, y: y - 9, as: "soft")]
        body.append(SVG.group(reason, inside: inside))
    }

    private func bar(from start: Int, to end: Int, as classes: String) -> XMLElement {
        SVG.box(x: start, y: y - 23, width: end - start, height: 20, as: classes)
    }
}

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
        _ happening: Story.TimelineEvent, isNew: Bool, indent: Int, columns: Int
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
