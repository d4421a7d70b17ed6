internal import PopCEL
internal import PopScheduler
internal import PopSource

extension TimelinePicture {
    /// The moments, and how long it is from one to the next.
    mutating func addTimes() {
        y += 30
        for column in axis.columns { put(timeText(column.time), x: column.x, fill: Self.grey) }
        let line = y + 12
        body.append(
            "<line x1=\"\(left)\" y1=\"\(line)\" x2=\"\(axis.end)\" y2=\"\(line)\""
                + " stroke=\"\(Self.grey)\"/>")
        for (column, next) in zip(axis.columns, axis.columns.dropFirst()) {
            let text = (column.isBent ? "≈ " : "") + timeText(next.time - column.time)
            let middle = column.x + column.width / 2
            body.append(
                Self.element(
                    text, x: middle, y: line + 14, fill: Self.grey,
                    attributes: " text-anchor=\"middle\" font-size=\"11\""))
            if column.isBent { body.append(Self.bend(x: middle, y: line)) }
        }
        addMarks(line)
        y = line + 20
    }

    /// Where a step did something, and where something was not as expected.
    private mutating func addMarks(_ line: Int) {
        for happening in story.happenings {
            guard let x = axis.x(happening.time) else { continue }
            switch happening.content {
            case .input:
                body.append(
                    "<path d=\"M\(x - 4) \(line - 5)h8l-4 5z\" fill=\"\(Self.grey)\"/>")
            case .failed:
                body.append(
                    Self.element(
                        "✗", x: x + 3, y: line + 14, fill: Self.red,
                        attributes: " font-weight=\"bold\""))
            case .shows, .goes, .givesWay, .waits, .later, .stays, .misses, .absent, .putOff,
                .joins, .trouble, .held, .remark:
                break
            }
        }
    }

    /// The axis is broken here.
    private static func bend(x: Int, y: Int) -> String {
        "<path d=\"M\(x - 5) \(y + 4)l4 -8h5l-4 8z\" fill=\"#fff\"/>"
            + "<path d=\"M\(x - 5) \(y + 4)l4 -8m5 0l-4 8\" stroke=\"\(grey)\" fill=\"none\"/>"
    }

    mutating func addRows() {
        let top = y
        let place = body.count
        for (index, row) in rows.rows.enumerated() {
            if index == 0 || rows.rows[index - 1].lane != row.lane { addLaneName(row.lane) }
            y += Self.rowHeight
            let name = shortName(row.popup)
            addGroup(
                row.popup,
                inside: [Self.element(name, x: Self.margin + 8, y: y - 9, fill: "#1a1a1a")])
            for (number, span) in row.spans.enumerated() {
                let next = row.spans.dropFirst(number + 1).first.flatMap { axis.x($0.start) }
                add(span, before: next ?? width)
            }
        }
        body.insert(contentsOf: gridLines(from: top, to: y + 4), at: place)
        y += 4
        for text in leftOutTexts {
            y += Self.lineHeight
            put(text, x: Self.margin, fill: Self.grey)
        }
    }

    private var leftOutTexts: [String] {
        [
            rows.leftOut > 0
                ? "\(rows.leftOut) more \(rows.leftOut == 1 ? "popup" : "popups") not drawn, but in the"
                    + " words below" : nil,
            axis.leftOut > 0 ? "\(axis.leftOut) later moments are told in words only" : nil,
        ].compactMap { $0 }
    }

    private mutating func addLaneName(_ lane: Int) {
        y += 22
        let name = story.lanes.indices.contains(lane) ? shortName(story.lanes[lane]) : "never there"
        put(name, x: Self.margin, fill: Self.grey, attributes: " font-weight=\"bold\"")
        y += 2
    }

    private func gridLines(from top: Int, to bottom: Int) -> [String] {
        let failures = Set(
            story.happenings.filter { if case .failed = $0.content { true } else { false } }
                .map(\.time))
        return axis.columns.map { column in
            let stroke =
                failures.contains(column.time)
                ? "stroke=\"\(Self.red)\" stroke-dasharray=\"4 3\"" : "stroke=\"#e4e7ea\""
            return
                "<line x1=\"\(column.x)\" y1=\"\(top)\" x2=\"\(column.x)\" y2=\"\(bottom)\""
                + " \(stroke)/>"
        }
    }
}
