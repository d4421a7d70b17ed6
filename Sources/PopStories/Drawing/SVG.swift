internal import PopReports

/// Elements of drawings; `DrawingStyle` defines their appearance by their classes.
enum SVG {
    /// The width of a character in pixels.
    static let character = 7.3
    static let margin = 16
    static let lineHeight = 18

    static func text(_ text: String, x: Int, y: Int, as classes: String = "ink") -> XMLElement {
        XMLElement(
            name: "text", attributes: ["x": "\(x)", "y": "\(y)", "class": classes], text: text)
    }

    static func line(from start: (x: Int, y: Int), to end: (x: Int, y: Int), as classes: String)
        -> XMLElement
    {
        path("M\(start.x) \(start.y)L\(end.x) \(end.y)", as: classes)
    }

    static func path(_ steps: String, as classes: String) -> XMLElement {
        XMLElement(name: "path", attributes: ["d": steps, "class": classes])
    }

    static func box(
        x: Int, y: Int, width: Int, height: Int, as classes: String, round: Int = 3
    ) -> XMLElement {
        XMLElement(
            name: "rect",
            attributes: [
                "x": "\(x)", "y": "\(y)", "width": "\(width)", "height": "\(height)",
                "rx": "\(round)", "class": classes,
            ])
    }

    /// Returns a group of elements, with the title that appears under the pointer.
    static func group(_ title: String, inside: [XMLElement]) -> XMLElement {
        XMLElement(name: "g", children: [XMLElement(name: "title", text: title)] + inside)
    }

    /// Returns a whole drawing, with a title and a description for users who don't see it.
    static func drawing(
        _ body: [XMLElement], title: String, words: String, width: Int, height: Int
    ) -> XMLElement {
        let told = [
            XMLElement(name: "title", text: title), XMLElement(name: "desc", text: words),
        ]
        return XMLElement(
            name: "svg",
            attributes: [
                "xmlns": "http://www.w3.org/2000/svg", "viewBox": "0 0 \(width) \(height)",
                "width": "\(width)", "height": "\(height)", "role": "img", "class": "drawing",
            ], children: told + body)
    }

    /// Returns the same drawing as a file of its own, with its colors and its background.
    static func file(
        _ body: [XMLElement], title: String, words: String, width: Int, height: Int
    ) -> String {
        let style = XMLElement(name: "style", text: DrawingStyle.alone)
        let ground = XMLElement(
            name: "rect", attributes: ["width": "100%", "height": "100%", "class": "paper"])
        return drawing(
            [style, ground] + body, title: title, words: words, width: width, height: height
        ).markup
    }

    /// Returns the width of a string in pixels; wide characters count twice.
    static func width(of text: String) -> Int {
        Int((Double(TerminalText(text).width) * character).rounded(.up))
    }

    /// Returns the number of characters of a given size that fit.
    static func columns(in pixels: Int, size: Double = 12) -> Int {
        max(Int(Double(pixels) / character * 12 / size), 1)
    }
}
