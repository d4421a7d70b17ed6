/// The content between two tokens: blanks, line breaks and comments.
struct Gap {
    struct Comment {
        var range: Range<Int>
        /// The column in characters.
        var column: Int
    }

    /// A comment on the line in which the gap begins.
    private(set) var trailing: Comment?
    /// The whole lines in between: comments, and nil for empty ones.
    private(set) var lines: [Comment?] = []

    /// `column` is the start of the gap; `isAtLineStart` is true if nothing precedes it on its
    /// line.
    init(_ bytes: [UInt8], range: Range<Int>, column: Int, isAtLineStart: Bool) {
        var offset = range.lowerBound
        var column = column
        var isFirst = !isAtLineStart
        var comment: Comment?
        while offset < range.upperBound {
            let breakLength = lineBreakLength(bytes, at: offset)
            if breakLength > 0 {
                if isFirst { trailing = comment } else { lines.append(comment) }
                (isFirst, comment, column) = (false, nil, 0)
                offset += breakLength
            } else if bytes[offset] == UInt8(ascii: "#") {
                let end = Self.end(of: bytes, from: offset, range.upperBound)
                comment = Comment(range: offset..<end.text, column: column)
                offset = end.line
            } else {
                offset += 1
                column += 1
            }
        }
        if comment != nil {
            if isFirst { trailing = comment } else { lines.append(comment) }
        }
    }

    /// Returns the end of a comment without trailing blanks, and the end of its line.
    private static func end(
        of bytes: [UInt8], from start: Int, _ limit: Int
    ) -> (text: Int, line: Int) {
        var line = start
        while line < limit, lineBreakLength(bytes, at: line) == 0 { line += 1 }
        var text = line
        while isBlank(bytes[text - 1]) { text -= 1 }
        return (text, line)
    }
}
