internal import PopSource

/// HTML that is made of typed parts, so that no value reaches it as markup.
///
/// A literal is HTML as the program writes it. A string that is interpolated is text, inside of an
/// element or of an attribute in quotes:
///
/// ```swift
/// let heading: HTML = "<h2>\(path)</h2>"
/// ```
package struct HTML: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// What a browser reads.
    package private(set) var source: String

    private init(safe source: String) { self.source = source }

    /// A literal of the program; no other text can be one.
    package init(stringLiteral literal: StaticString) { source = "\(literal)" }

    /// A literal of the program with values in it.
    package init(stringInterpolation: StringInterpolation) { source = stringInterpolation.source }

    /// An element whose texts are escaped by itself.
    package init(_ element: XMLElement) { source = element.markup }

    /// A message of the program, in which code stands between backticks, as in `Markdown`.
    package init(message: String) {
        source = ""
        for piece in BacktickRuns(in: message).pieces {
            switch piece {
            case .text(let text): source += escapedForXML(text)
            case .code(let code): source += "<code>\(escapedForXML(code))</code>"
            }
        }
    }

    /// JSON for the inside of a `script` element, which nothing in it ends.
    package init(json: String) {
        source = json.replacing("<", with: "\\u003c")
    }

    fileprivate mutating func add(_ more: HTML) { source += more.source }

    /// The parts of literals with values in them.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var source = ""

        /// Nothing yet.
        package init(literalCapacity: Int, interpolationCount: Int) {}

        /// Adds what the program writes.
        package mutating func appendLiteral(_ literal: StaticString) { source += "\(literal)" }

        /// Adds a text.
        package mutating func appendInterpolation(_ text: String) { source += escapedForXML(text) }

        /// Adds a number.
        package mutating func appendInterpolation(_ number: Int) { source += "\(number)" }

        /// Adds what is HTML already.
        package mutating func appendInterpolation(_ html: HTML) { source += html.source }
    }
}

extension [HTML] {
    /// One behind the other, with something between them.
    package func joined(separator: HTML = "") -> HTML {
        var whole: HTML = ""
        for (place, part) in enumerated() { whole.add(place == 0 ? part : "\(separator)\(part)") }
        return whole
    }
}
