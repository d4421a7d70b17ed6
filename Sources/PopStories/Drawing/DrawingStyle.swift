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
