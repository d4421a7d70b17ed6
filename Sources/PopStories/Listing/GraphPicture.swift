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
        "popups above show first; an arrow points to a popup that shows after another"

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

extension GraphPicture {
    /// Arrows that lead to one popup. They share a line from row to row.
    struct Arrow {
        var sources: [Int]
        var target: Int
        var track = 0
    }

    /// The arrows to draw, up to the limit, and the number of arrows left out.
    var arrows: (shown: [Arrow], leftOut: Int) {
        let places = Dictionary(uniqueKeysWithValues: zip(rows.map(\.popup.id), rows.indices))
        var left = DrawingLimits.graphLines * 2
        var leftOut = 0
        var arrows: [Arrow] = []
        for (target, row) in rows.enumerated() {
            let all = row.popup.after.compactMap { places[graph.rules.popups[$0.popup].id] }
            let before = Set(all).filter { rows[$0].depth < row.depth }.sorted()
            let sources = Array(before.prefix(left))
            left -= sources.count
            leftOut += all.count - sources.count
            if !sources.isEmpty { arrows.append(Arrow(sources: sources, target: target)) }
        }
        return (arrows, leftOut)
    }

    mutating func addArrows(_ columns: GraphColumns) {
        for arrow in columns.arrows {
            let target = rows[arrow.target]
            let x = columns.x(ofTrack: arrow.track, before: target.depth)
            let end = columns.nodes[target.depth].left
            for source in arrow.sources.map({ rows[$0] }) {
                let name = shortName(source.popup.id)
                let start = columns.nodes[source.depth].left + SVG.width(of: name) + 16
                let line = SVG.path(
                    "M\(start) \(source.middle)H\(x)V\(target.middle)H\(end - 6)", as: "arrow")
                let words = "\(target.popup.id) after \(source.popup.id)"
                body.append(SVG.group(words, inside: [line]))
            }
            body.append(SVG.path("M\(end - 8) \(target.middle - 4)l8 4l-8 4z", as: "mark"))
        }
        if columns.leftOut > 0 {
            y += SVG.lineHeight
            body.append(
                SVG.text(
                    "… and \(columns.leftOut) more arrows", x: SVG.margin, y: y, as: "soft"))
        }
    }
}

/// The left edges of the columns of a graph.
struct GraphColumns {
    /// The popups of one depth.
    struct Nodes {
        var left = 0
        var width = 0
        /// The number of vertical lines in front of them.
        var tracks = 0
    }

    let asked: Int
    private(set) var nodes: [Nodes]
    private(set) var notes = 0
    private(set) var end = 0
    private(set) var arrows: [GraphPicture.Arrow]
    let leftOut: Int

    /// Pixels between two vertical lines, and in front of and after them.
    private static let track = 7
    private static let gap = 20

    init(_ picture: GraphPicture) {
        let rows = picture.rows
        (arrows, leftOut) = picture.arrows
        let priorities = rows.map { SVG.width(of: $0.popup.priorityText) }.max() ?? 0
        asked = SVG.margin + priorities + Self.gap
        nodes = Array(repeating: Nodes(), count: (rows.map(\.depth).max() ?? 0) + 1)
        for row in rows {
            nodes[row.depth].width = max(
                nodes[row.depth].width, SVG.width(of: shortName(row.popup.id)) + 16)
        }
        findTracks(rows)
        var x = asked + (rows.flatMap(\.asked).map { SVG.width(of: $0) }.max() ?? 0)
        for depth in nodes.indices {
            x += 2 * Self.gap + nodes[depth].tracks * Self.track
            nodes[depth].left = x
            x += nodes[depth].width
        }
        notes = x + Self.gap
        end = notes + (rows.flatMap(\.notes).map { SVG.width(of: $0) }.max() ?? 0)
    }

    /// Places vertical lines next to each other if they would meet.
    private mutating func findTracks(_ rows: [GraphPicture.Row]) {
        var ends: [[Int]] = nodes.map { _ in [] }
        let spans = arrows.map { arrow in
            let all = arrow.sources + [arrow.target]
            return (top: all.min() ?? 0, bottom: all.max() ?? 0)
        }
        for index in arrows.indices.sorted(by: { spans[$0].top < spans[$1].top }) {
            let depth = rows[arrows[index].target].depth
            let free = ends[depth].firstIndex { $0 < spans[index].top }
            if free == nil { ends[depth].append(0) }
            let track = free ?? ends[depth].count - 1
            ends[depth][track] = spans[index].bottom
            arrows[index].track = track
        }
        for depth in nodes.indices { nodes[depth].tracks = ends[depth].count }
    }

    func x(ofTrack track: Int, before depth: Int) -> Int {
        nodes[depth].left - Self.gap - track * Self.track
    }
}
