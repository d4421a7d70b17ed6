internal import PopCEL
internal import PopExplanations
internal import PopReports
internal import PopScheduler

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
