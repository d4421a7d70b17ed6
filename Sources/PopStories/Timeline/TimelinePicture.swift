internal import PopCEL
internal import PopReports
internal import PopSource

/// What users would see, drawn as an SVG: one row a popup, time running to the right, and the same
/// in words below.
package struct TimelinePicture {
    let story: Story
    let rows: PictureRows
    let axis: PictureAxis
    let left: Int
    let width: Int
    var body: [String] = []
    var y = 0

    static let margin = 16
    static let narrowest = 800
    static let rowHeight = 28
    static let lineHeight = 18
    static let red = "#b02020"
    static let grey = "#5a6470"

    /// The picture of a story.
    package static func draw(_ story: Story) -> String {
        var picture = TimelinePicture(story)
        picture.addTitle()
        picture.addTimes()
        picture.addRows()
        picture.addLegend()
        picture.addWords()
        return picture.document
    }

    private init(_ story: Story) {
        self.story = story
        rows = PictureRows(story)
        let names = rows.rows.map(\.popup) + story.lanes
        let longest = names.map { PictureAxis.width(of: shortName($0)) }.max() ?? 0
        left = Self.margin * 2 + longest
        axis = PictureAxis(
            story.happenings.map(\.time) + [story.end], left: left,
            width: Self.narrowest - Self.margin)
        width = max(Self.narrowest, axis.end + Self.margin)
    }

    var document: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(y + 8)" \
        width="\(width)" height="\(y + 8)" role="img" \
        font-family="ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace" font-size="12">
        <title>\(escapedForXML(story.title))</title>
        <defs><pattern id="waits" width="6" height="6" patternUnits="userSpaceOnUse" \
        patternTransform="rotate(45)"><rect width="6" height="6" fill="#fff"/>\
        <line x1="0" y1="0" x2="0" y2="6" stroke="#c3c9d0" stroke-width="2"/></pattern></defs>
        <rect width="100%" height="100%" fill="#fff"/>
        \(body.joined(separator: "\n"))
        </svg>

        """
    }

    // MARK: texts

    mutating func put(
        _ text: String, x: Int, fill: String = "#1a1a1a", attributes: String = ""
    ) {
        body.append(Self.element(text, x: x, y: y, fill: fill, attributes: attributes))
    }

    static func element(
        _ text: String, x: Int, y: Int, fill: String, attributes: String = ""
    ) -> String {
        "<text x=\"\(x)\" y=\"\(y)\" fill=\"\(fill)\"\(attributes)>\(escapedForXML(text))</text>"
    }

    /// How many characters there is room for, of a given size.
    static func columns(in pixels: Int, size: Double = 12) -> Int {
        max(Int(Double(pixels) / PictureAxis.character * 12 / size), 1)
    }

    mutating func addTitle() {
        y = 8
        let columns = Self.columns(in: width - 2 * Self.margin, size: 16)
        for line in pageLines(escapedForTerminal(story.title), to: columns) {
            y += 20
            put(line, x: Self.margin, attributes: " font-size=\"16\" font-weight=\"bold\"")
        }
        y += 20
        put(
            "begins \(story.start), \(story.verdict)", x: Self.margin,
            fill: story.failed > 0 ? Self.red : Self.grey)
    }
}
