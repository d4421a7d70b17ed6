public import PopSource

extension YAMLDocument {
    /// Returns the file in the standard layout; nil with the findings if it isn't valid YAML, and
    /// nil without findings if it can't be formatted.
    ///
    /// The layout has two spaces per level, and one space after `:`, `,` and `-` and inside braces.
    /// Comments stay in their original column. Lines have no blanks at their ends, at most one
    /// empty line follows another line, and one line break ends the file. No line is joined or
    /// split. Scalars, comments and the meaning of the file stay unchanged. Linear in the file.
    public static func formatted(
        _ source: SourceFile, limits: YAMLLimits = .standard
    ) -> Checked<[UInt8]> {
        var diagnostics = parse(source, limits: limits).diagnostics
        guard !diagnostics.hasErrors,
            let text = CheckedText(source, limits: limits, diagnostics: &diagnostics),
            let tokens = LayoutToken.all(in: text)
        else { return Checked(nil, diagnostics: diagnostics) }
        var layout = Layout(text)
        for token in tokens { layout.add(token) }
        // A layout that loses content is worse than none.
        let isSame =
            Meaning(text.bytes, start: text.start) == Meaning(layout.text, start: text.start)
        return Checked(isSame ? layout.text : nil)
    }
}

/// A token with its place in bytes and its columns in characters.
struct LayoutToken {
    var kind: LibYAMLToken.Kind
    var range: Range<Int>
    var column: Int
    var endColumn: Int

    /// True if the token has text in the file.
    var isVisible: Bool { !range.isEmpty }

    /// Returns all tokens of a file; nil if it isn't valid YAML.
    static func all(in text: CheckedText) -> [LayoutToken]? {
        var offsets = CharacterOffsets(isASCII: text.isASCII, base: text.start)
        var tokens: [LayoutToken] = []
        return LibYAMLParser.reading(text.bytes, from: text.start) { parser -> [LayoutToken]? in
            while let token = try? parser.nextToken() {
                if token.kind == .streamStart { continue }
                let start = offsets.byte(ofCharacter: token.start.character, in: text.bytes)
                let end = offsets.byte(ofCharacter: token.end.character, in: text.bytes)
                tokens.append(
                    LayoutToken(
                        kind: token.kind, range: start..<end, column: token.start.column,
                        endColumn: token.end.column))
                if token.kind == .streamEnd { return tokens }
            }
            return nil
        } ?? nil
    }
}

/// The YAML content of a text, without its layout and comments.
private struct Meaning: Equatable {
    private struct Part: Equatable {
        var kind: LibYAMLEvent.Kind
        var anchor: String?
        var tag: String?
        var text: Range<Int>
        var style: YAMLScalar.Style
        var isFlow: Bool
    }

    private var parts: [Part] = []
    private var texts: [UInt8] = []
    private var isWhole = false

    init(_ bytes: [UInt8], start: Int) {
        _ = LibYAMLParser.reading(bytes, from: start) { parser in
            while let event = try? parser.next() {
                let first = texts.count
                if event.kind == .scalar { parser.appendScalar(to: &texts) }
                parts.append(
                    Part(
                        kind: event.kind, anchor: parser.anchor, tag: parser.tag,
                        text: first..<texts.count,
                        style: event.kind == .scalar ? parser.scalarStyle : .plain,
                        isFlow: parser.isFlow))
                isWhole = event.kind == .streamEnd
                if isWhole { return }
            }
        }
    }
}

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
