internal import PopSource

/// HTML that is made of typed parts, so that no value reaches it as markup.
///
/// A literal is HTML as the program writes it. An interpolated string is text, within an element or
/// within an attribute in quotes:
///
/// ```swift
/// let heading: HTML = "<h2>\(path)</h2>"
/// ```
package struct HTML: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The HTML source for browsers.
    package private(set) var source: String

    private init(safe source: String) { self.source = source }

    /// Creates HTML from a literal of the program; no other string is accepted.
    package init(stringLiteral literal: StaticString) { source = "\(literal)" }

    /// Creates HTML from a literal of the program with values in it.
    package init(stringInterpolation: StringInterpolation) { source = stringInterpolation.source }

    /// Creates HTML from an element, which escapes its texts itself.
    package init(_ element: XMLElement) { source = element.markup }

    /// Creates HTML from a message of the program, with code between backticks, as in `Markdown`.
    package init(message: String) {
        source = ""
        for piece in BacktickRuns(in: message).pieces {
            switch piece {
            case .text(let text): source += escapedForXML(text)
            case .code(let code): source += "<code>\(escapedForXML(code))</code>"
            }
        }
    }

    /// Creates JSON for the inside of a `script` element; no part of it can end the element.
    package init(json: String) {
        source = withoutCommandMarks(json, escape: .json).replacing("<", with: "\\u003c")
    }

    /// Creates CSS for the inside of a `style` element; no part of it can end the element.
    package init(css: String) {
        source = css.replacing("<", with: "\\3c ")
    }

    fileprivate mutating func add(_ more: HTML) { source += more.source }

    /// The parts of literals with values in them.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var source = ""

        /// Creates an empty interpolation.
        package init(literalCapacity: Int, interpolationCount: Int) {}

        /// Adds a literal of the program.
        package mutating func appendLiteral(_ literal: StaticString) { source += "\(literal)" }

        /// Adds a string as text.
        package mutating func appendInterpolation(_ text: String) { source += escapedForXML(text) }

        /// Adds a number.
        package mutating func appendInterpolation(_ number: Int) { source += "\(number)" }

        /// Adds HTML unchanged.
        package mutating func appendInterpolation(_ html: HTML) { source += html.source }
    }
}

extension [HTML] {
    /// Returns the parts joined, with a separator between them.
    package func joined(separator: HTML = "") -> HTML {
        var whole: HTML = ""
        for (place, part) in enumerated() { whole.add(place == 0 ? part : "\(separator)\(part)") }
        return whole
    }
}

/// An element of an XML document.
package struct XMLElement: Sendable {
    package var name: String
    package var attributes: KeyValuePairs<String, String>
    package var text: String?
    package var children: [XMLElement]

    package init(
        name: String, attributes: KeyValuePairs<String, String> = [:], text: String? = nil,
        children: [XMLElement] = []
    ) {
        self.name = name
        self.attributes = attributes
        self.text = text
        self.children = children
    }

    /// The element as a document, with a line break at its end.
    package var document: String {
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        write(to: &text, depth: 0)
        return text
    }

    /// Only the element, as a part of a document.
    package var markup: String {
        var text = ""
        write(to: &text, depth: 0)
        return text
    }

    private func write(to output: inout String, depth: Int) {
        let indent = String(repeating: "  ", count: depth)
        output += "\(indent)<\(name)"
        for (key, value) in attributes { output += " \(key)=\"\(escapedForXML(value))\"" }
        if let text {
            output += ">\(escapedForXML(text))</\(name)>\n"
        } else if children.isEmpty {
            output += "/>\n"
        } else {
            output += ">\n"
            for child in children { child.write(to: &output, depth: depth + 1) }
            output += "\(indent)</\(name)>\n"
        }
    }
}

/// Returns a string for the inside of an element or attribute. Characters that a terminal would
/// interpret or hide are escaped, including the control characters that XML 1.0 can't contain in
/// any form, and `##`, with which commands for build servers begin anywhere in a log.
func escapedForXML(_ text: String) -> String {
    var result = ""
    var previous: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
        defer { previous = scalar }
        switch scalar {
        case "#" where previous == "#": result += "&#35;"
        case "&": result += "&amp;"
        case "<": result += "&lt;"
        case ">": result += "&gt;"
        case "\"": result += "&quot;"
        case "\n": result += "&#10;"
        case "\r": result += "&#13;"
        case "\t": result += "&#9;"
        default:
            // These two aren't XML characters either.
            let isLegal = scalar.value != 0xFFFE && scalar.value != 0xFFFF
            result += isLegal ? escapedForTerminal(scalar) : "\u{FFFD}"
        }
    }
    return result
}
