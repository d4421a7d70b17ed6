/// A part of a string that is filled in when its popup is presented: `{{user.name | you}}`.
package struct Placeholder: Sendable {
    /// The range with its braces, in bytes as the other ranges.
    package let whole: Range<Int>
    /// The name, without surrounding blanks.
    package let name: Range<Int>
    /// The text after `|`, without surrounding blanks; nil if there is no `|`.
    package let fallback: Range<Int>?

    /// Returns the placeholders in a string, from left to right. Linear.
    package static func all(in text: borrowing [UInt8]) -> [Placeholder] {
        var found: [Placeholder] = []
        var start: Int?
        var index = 0
        while index + 1 < text.count {
            if text[index] == open, text[index + 1] == open {
                start = index
                index += 2
            } else if let first = start, text[index] == close, text[index + 1] == close {
                found.append(Placeholder(first..<index + 2, in: text))
                start = nil
                index += 2
            } else {
                index += 1
            }
        }
        return found
    }

    private init(_ whole: Range<Int>, in text: borrowing [UInt8]) {
        self.whole = whole
        let end = whole.upperBound - 2
        var bar = whole.lowerBound + 2
        while bar < end, text[bar] != UInt8(ascii: "|") { bar += 1 }
        name = Self.trimmed(whole.lowerBound + 2..<bar, in: text)
        fallback = bar < end ? Self.trimmed(bar + 1..<end, in: text) : nil
    }

    private static func trimmed(_ range: Range<Int>, in text: borrowing [UInt8]) -> Range<Int> {
        var (lower, upper) = (range.lowerBound, range.upperBound)
        while lower < upper, text[lower] == UInt8(ascii: " ") { lower += 1 }
        while lower < upper, text[upper - 1] == UInt8(ascii: " ") { upper -= 1 }
        return lower..<upper
    }
}

private let open = UInt8(ascii: "{")
private let close = UInt8(ascii: "}")
