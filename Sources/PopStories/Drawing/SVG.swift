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

/// The appearance of drawings by their classes: the same in a file of their own and in a page.
package enum DrawingStyle {
    private static let colours: [(name: String, light: String, dark: String)] = [
        ("ink", "#1b1d21", "#e8eaed"), ("soft", "#555d68", "#aab2bd"),
        ("paper", "#fff", "#16181c"), ("line", "#d5dae1", "#3a414b"),
        ("hatch", "#6b7480", "#98a2ae"), ("good", "#17692b", "#7fd694"),
        ("bad", "#b02020", "#ff9a91"),
        ("none", "#e3f0e4", "#1c3823"), ("none-edge", "#2e7d32", "#7fd694"),
        ("person", "#d6e6fb", "#1b3350"), ("person-edge", "#1f5fa8", "#8ab4f8"),
        ("time", "#fdf0cf", "#40330f"), ("time-edge", "#8a5f00", "#e8c063"),
        ("gaveWay", "#efe0f7", "#3a2548"), ("gaveWay-edge", "#7b3aa0", "#d0a0ea"),
        ("app", "#e6e8eb", "#2b3138"), ("app-edge", "#4a5560", "#a9b3be"),
        ("failure", "#fbdcdc", "#4a1f1f"), ("failure-edge", "#b02020", "#ff9a91"),
    ]

    private static let type = """
        .drawing{font:12px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace}
        .drawing text{white-space:pre}
        .drawing .heading{font-size:16px;font-weight:700}
        .drawing .strong{font-weight:700}
        .drawing .small{font-size:11px}
        .drawing .middle{text-anchor:middle}
        .drawing .broken{stroke-dasharray:4 3}
        """

    /// The CSS rules, with `@` before each color name.
    private static let rules =
        """
        .drawing text{fill:@ink}
        .drawing .soft{fill:@soft}
        .drawing .good{fill:@good}
        .drawing .bad{fill:@bad}
        .drawing .paper{fill:@paper}
        .drawing .line{stroke:@line}
        .drawing .axis{stroke:@soft;fill:none}
        .drawing .wrong{stroke:@bad}
        .drawing .waits{fill:@paper;stroke:@hatch;stroke-dasharray:3 3}
        .drawing .arrow{stroke:@soft;fill:none}
        .drawing .node{fill:@app;stroke:@app-edge}
        .drawing .mark{fill:@soft}

        """
        + PictureEnding.allCases.map {
            ".drawing .\($0){fill:@\($0);stroke:@\($0)-edge}\n.drawing text.\($0)"
                + "{fill:@\($0)-edge;stroke:none}"
        }.joined(separator: "\n")

    /// The style that a drawing in a file of its own contains.
    static let alone = """
        \(type)
        \(ruled { $0.light })
        @media(prefers-color-scheme:dark){
        \(ruled { $0.dark })
        }
        """.replacing("\n", with: " ")

    /// The CSS rules for a page, which declares the colors.
    package static let inPage = "\(type)\n\(ruled { "var(--\($0.name))" })\n"

    /// The colors as a page declares them.
    package static let light = declarations { $0.light }
    package static let dark = declarations { $0.dark }

    private typealias Colour = (name: String, light: String, dark: String)

    private static func ruled(by value: (Colour) -> String) -> String {
        // Longer names first, since shorter names are prefixes of them.
        colours.reversed().reduce(rules) { rules, colour in
            rules.replacing("@\(colour.name)", with: value(colour))
        }
    }

    private static func declarations(of value: (Colour) -> String) -> String {
        colours.map { "--\($0.name):\(value($0));" }.joined()
    }
}

/// The limits of drawings, so that no rules and no test make a drawing that is unreadable or takes
/// too long. Everything left out is counted.
package enum DrawingLimits {
    /// Lines of a timeline, each about one happening.
    package static let happenings = 1_000
    /// Waiting popups that are examined in one timeline, each at each time.
    package static let looks = 500_000
    /// Popups that are named in one line.
    package static let names = 8
    /// Columns of an id, a scheduler's name or another name.
    package static let nameColumns = 40
    /// Schedulers that have a bar of their own.
    package static let bars = 8
    /// Columns of the text of an action.
    package static let inputColumns = 300
    /// Points in time in one picture.
    package static let moments = 60
    /// Popups that have a row in one picture.
    package static let rows = 60
    /// Lines of a graph in words, and half the arrows of a drawn graph.
    package static let graphLines = 200
    /// Arrows to one popup from those that may preempt it.
    package static let interrupters = 5
    /// The same in a diagram.
    package static let drawnInterrupters = 3
    /// Popups whose uncovered parts a coverage report lists, unless all are requested.
    package static let uncoveredPopups = 6
    /// Uncovered parts that are listed for each of them.
    package static let uncoveredParts = 2
}
