internal import PopSource

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
/// any form.
func escapedForXML(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
        switch scalar {
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
