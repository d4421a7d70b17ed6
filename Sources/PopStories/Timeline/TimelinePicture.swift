internal import PopCEL
package import PopReports
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
