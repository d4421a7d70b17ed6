internal import PopCEL
internal import PopExplanations
internal import PopReports
internal import PopScheduler

/// A graph of rules drawn as an SVG: one row per popup in priority order, and an arrow from each
/// popup to those that come after it, which are farther right. No two strings overlap, since no two
/// popups share a row.
struct GraphPicture {
    struct Row {
        var popup: PopupRule
        /// The length of the longest chain of popups that come before it.
        var depth = 0
        var asked: [String]
        var notes: [String]
        var top = 0

        var middle: Int { top + 13 }
        var height: Int { max(asked.count, notes.count, 1) * SVG.lineHeight + 10 }
    }

    let graph: RuleGraph
    /// In the order of the lanes.
    var rows: [Row]
    /// The top of each lane that has popups.
    var tops: [LaneIndex: Int] = [:]
    var body: [XMLElement] = []
    var y = 0

    private static let noteColumns = 44
    private static let title = "Dependencies between popups"
    private static let key =
        "popups above show first; an arrow points to a popup that comes after another"

    /// Returns the picture as a file of its own.
    static func draw(_ graph: RuleGraph) -> String {
        var picture = GraphPicture(graph)
        picture.addTitle()
        picture.placeRows()
        let columns = GraphColumns(picture)
        picture.addRules(columns)
        picture.addArrows(columns)
        picture.addRows(columns)
        picture.addBlocks()
        return SVG.file(
            picture.body, title: title, words: graph.text,
            width: max(columns.end, picture.widest) + SVG.margin, height: picture.y + SVG.margin)
    }

    private init(_ graph: RuleGraph) {
        self.graph = graph
        rows = graph.lanes.joined().map { popup in
            let notes = graph.notes(on: popup)
            return Row(
                popup: popup,
                asked: graph.occasions(of: popup),
                notes: notes.isEmpty ? [] : pageLines(notes, to: Self.noteColumns))
        }
        let places = Dictionary(uniqueKeysWithValues: zip(rows.map(\.popup.id), rows.indices))
        // Chains can't be longer than the number of rows; rules have no cycles.
        for _ in rows.indices {
            var isDone = true
            for index in rows.indices {
                let before = rows[index].popup.after.compactMap {
                    places[graph.rules.popups[$0.popup].id]
                }
                let depth = before.map { rows[$0].depth + 1 }.max() ?? 0
                if depth > rows[index].depth, depth < rows.count {
                    rows[index].depth = depth
                    isDone = false
                }
            }
            if isDone { break }
        }
    }

    /// The right edge of the widest string outside of the columns.
    private var widest: Int {
        let lines = graph.lanes.indices.map { graph.heading(of: $0) } + graph.blocks.joined()
        return SVG.margin + ((lines + [Self.key]).map { SVG.width(of: $0) }.max() ?? 0)
    }

    private mutating func addTitle() {
        y = 28
        put(Self.title, x: SVG.margin, as: "heading")
        y += 20
        put(Self.key, x: SVG.margin, as: "soft")
        y += 12
    }

    private mutating func placeRows() {
        var index = 0
        for lane in graph.lanes.indices where !graph.lanes[lane].isEmpty {
            y += 12
            tops[lane] = y
            y += 28
            for _ in graph.lanes[lane] {
                rows[index].top = y
                y += rows[index].height
                index += 1
            }
        }
        if graph.leftOut > 0 {
            y += SVG.lineHeight
            put("… and \(graph.leftOut) more popups", x: SVG.margin, as: "soft")
        }
    }

    /// A line above each row.
    private mutating func addRules(_ columns: GraphColumns) {
        for row in rows {
            body.append(
                SVG.line(from: (SVG.margin, row.top), to: (columns.end, row.top), as: "line"))
        }
    }

    private mutating func addRows(_ columns: GraphColumns) {
        for (lane, top) in tops.sorted(by: { $0.key < $1.key }) {
            let heading = graph.heading(of: lane)
            // Arrows pass behind the heading.
            body.append(
                SVG.box(
                    x: SVG.margin, y: top + 4, width: SVG.width(of: heading) + 4, height: 20,
                    as: "paper"))
            body.append(SVG.text(heading, x: SVG.margin, y: top + 19, as: "strong"))
        }
        for row in rows {
            let baseline = row.top + 17
            let name = shortName(row.popup.id)
            let x = columns.nodes[row.depth].left
            let node = SVG.box(
                x: x, y: row.top + 2, width: SVG.width(of: name) + 16, height: 22,
                as: row.popup.isEnabled ? "node" : "node broken")
            body.append(
                SVG.group(row.popup.id, inside: [node, SVG.text(name, x: x + 8, y: baseline)]))
            body.append(
                SVG.text(row.popup.priorityText, x: SVG.margin, y: baseline, as: "soft"))
            for (lines, x, classes) in [
                (row.asked, columns.asked, "ink"), (row.notes, columns.notes, "soft"),
            ] {
                for (number, line) in lines.enumerated() {
                    body.append(
                        SVG.text(line, x: x, y: baseline + number * SVG.lineHeight, as: classes))
                }
            }
        }
    }

    /// Adds the other blocks of the graph, in the same words.
    private mutating func addBlocks() {
        for block in graph.blocks {
            y += SVG.lineHeight
            for (number, line) in block.enumerated() {
                y += SVG.lineHeight
                put(line, x: SVG.margin, as: number == 0 ? "strong" : "ink")
            }
        }
    }

    private mutating func put(_ text: String, x: Int, as classes: String) {
        body.append(SVG.text(text, x: x, y: y, as: classes))
    }
}
