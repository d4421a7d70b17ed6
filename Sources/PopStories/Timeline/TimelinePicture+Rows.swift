internal import PopCEL
internal import PopReports
internal import PopScheduler
internal import PopSource

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
