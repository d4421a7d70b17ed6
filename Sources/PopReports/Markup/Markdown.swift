internal import PopSource

/// Markdown that is made of typed parts, so that no value reaches it as markup.
///
/// A literal is Markdown as the program writes it. An interpolated string is plain text;
/// CommonMark, GitHub and GitLab interpret nothing in it as markup:
///
/// ```swift
/// let line: Markdown = "**\(name)** popup, behind \(code: other)"
/// ```
public struct Markdown: Sendable, Hashable, ExpressibleByStringInterpolation {
    enum Part: Sendable, Hashable {
        /// Markup that the program writes.
        case markup(String)
        /// Plain text without any markup.
        case text(String)
        /// Code among text.
        case code(String)
        /// Lines of code.
        case block(String)
        case table(head: [Markdown], rows: [[Markdown]])
    }

    private(set) var parts: [Part] = []

    private init(_ parts: [Part]) { self.parts = parts }

    /// Creates Markdown from a literal of the program; no other string is accepted.
    public init(stringLiteral literal: StaticString) { parts = [.markup("\(literal)")] }

    /// Creates Markdown from a literal of the program with values in it.
    public init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

    /// Returns plain text without markup, on one line.
    public static func text(_ text: String) -> Markdown { Markdown([.text(text)]) }

    /// Returns inline code, whatever backticks it contains.
    public static func code(_ code: String) -> Markdown { Markdown([.code(code)]) }

    /// Returns inline codes with commas between them.
    public static func codes(_ codes: some Sequence<String>) -> Markdown {
        codes.map { .code($0) }.joined(separator: ", ")
    }

    /// Returns a block of code, whatever fences it contains.
    public static func block(_ code: String) -> Markdown { Markdown([.block(code)]) }

    /// Returns a table; each row has as many cells as the head.
    public static func table(_ head: [Markdown], rows: [[Markdown]]) -> Markdown {
        Markdown([.table(head: head, rows: rows)])
    }

    /// Returns text of several lines, none of which begins a Markdown construct.
    public static func lines(_ text: String) -> Markdown {
        var parts: [Part] = []
        var isParagraph = false
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let words = line.unicodeScalars.drop { $0.properties.isWhitespace }
            guard !words.isEmpty else {
                isParagraph = false
                continue
            }
            if !parts.isEmpty { parts.append(.markup(isParagraph ? "\\\n" : "\n\n")) }
            parts.append(.text(String(words)))
            isParagraph = true
        }
        return Markdown(parts)
    }

    /// Returns a message of the program, with code between backticks.
    ///
    /// Each run of backticks pairs with the next one of the same length, as in CommonMark, but
    /// preferably with one that ends a word. The values of a message can contain backticks
    /// themselves: then more or less of it is code, but nothing is markup.
    public static func message(_ message: String) -> Markdown {
        Markdown(
            BacktickRuns(in: message).pieces.map { piece in
                switch piece {
                case .text(let text): .text(text)
                case .code(let code): .code(code)
                }
            })
    }

    /// The parts of literals with values in them.
    public struct StringInterpolation: StringInterpolationProtocol {
        var parts: [Part] = []

        /// Creates an empty interpolation.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Adds a literal of the program.
        public mutating func appendLiteral(_ literal: StaticString) {
            if literal.utf8CodeUnitCount > 0 { parts.append(.markup("\(literal)")) }
        }

        /// Adds plain text without markup.
        public mutating func appendInterpolation(_ text: String) { parts.append(.text(text)) }

        /// Adds a number.
        public mutating func appendInterpolation(_ number: Int) { parts.append(.text("\(number)")) }

        /// Adds code.
        public mutating func appendInterpolation(code: String) { parts.append(.code(code)) }

        /// Adds a message of the program, with code between backticks.
        public mutating func appendInterpolation(message: String) {
            parts += Markdown.message(message).parts
        }

        /// Adds Markdown unchanged.
        public mutating func appendInterpolation(_ markdown: Markdown) { parts += markdown.parts }
    }

    /// Returns both, one after the other.
    public static func + (first: Markdown, second: Markdown) -> Markdown {
        Markdown(first.parts + second.parts)
    }

    /// Appends the second to the first.
    public static func += (first: inout Markdown, second: Markdown) {
        first.parts += second.parts
    }
}

extension [Markdown] {
    /// Returns the parts joined, with a separator between them.
    public func joined(separator: Markdown) -> Markdown {
        var whole: Markdown = ""
        for (place, part) in enumerated() { whole += place == 0 ? part : separator + part }
        return whole
    }
}

// MARK: as text

extension Markdown {
    /// The Markdown source for renderers.
    public var source: String { source(inTable: false) }

    private func source(inTable: Bool) -> String {
        var output = ""
        for part in merged {
            switch part {
            case .markup(let text): output += inTable ? text.onOneLine : text
            case .text(let text):
                output += escaped(text, atStartOfLine: output.isEmpty || output.hasSuffix("\n"))
            case .code(let code): output.append(span: span(of: code, inTable: inTable))
            case .block(let code):
                if inTable {
                    output.append(span: span(of: code, inTable: true))
                } else {
                    output += fenced(code)
                }
            case .table(let head, let rows):
                output += inTable ? "" : table(head, rows) { $0.source(inTable: true) }
            }
        }
        return output
    }

    /// The text for readers without a Markdown renderer.
    public var plain: String {
        parts.map { part in
            switch part {
            case .markup(let text): text.withoutMarkup
            case .text(let text): text
            case .code(let code): "`\(code)`"
            case .block(let code): code.hasSuffix("\n") ? String(code.dropLast()) : code
            case .table(let head, let rows): table(head, rows) { $0.plain.onOneLine }
            }
        }.joined()
    }

    private func table(
        _ head: [Markdown], _ rows: [[Markdown]], cell: (Markdown) -> String
    ) -> String {
        func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }
        let rule = "|" + String(repeating: "---|", count: head.count)
        return ([line(head.map(cell)), rule] + rows.map { line($0.map(cell)) })
            .joined(separator: "\n")
    }

    /// The parts, with adjacent texts merged: dangerous sequences can arise where two texts meet.
    private var merged: [Part] {
        var merged: [Part] = []
        for part in parts {
            if case .text(let more) = part, case .text(let text)? = merged.last {
                merged[merged.count - 1] = .text(text + more)
            } else {
                merged.append(part)
            }
        }
        return merged
    }
}

extension String {
    fileprivate var onOneLine: String {
        var text = ""
        for scalar in unicodeScalars {
            text.unicodeScalars.append(scalar.isLineBreak ? " " : scalar)
        }
        return text
    }

    /// The literal of the program without the marks that it uses.
    fileprivate var withoutMarkup: String {
        replacing("**", with: "").replacing("\\\n", with: "\n")
    }

    /// Appends a span. Two adjacent spans would be read as one span with other backticks.
    fileprivate mutating func append(span: String) {
        if utf8.last == UInt8(ascii: "`"), span.utf8.first == UInt8(ascii: "`") {
            self += invisibleBreak
        }
        self += span
    }
}

/// The runs of backticks in a message; pairs of runs enclose code.
struct BacktickRuns {
    /// A part of a message.
    enum Piece {
        case text(String)
        case code(String)
    }

    private struct Run {
        var range: Range<Int>
        /// True if no letter or digit follows, as is usual after code.
        var endsWord: Bool
        /// The next run of the same length, and the next such run that ends a word.
        var next: Int?
        var nextAtEnd: Int?
    }

    private let text: [Unicode.Scalar]
    private var runs: [Run] = []

    init(in message: String) {
        text = Array(message.unicodeScalars)
        var place = 0
        while place < text.count {
            guard text[place] == "`" else {
                place += 1
                continue
            }
            let start = place
            while place < text.count, text[place] == "`" { place += 1 }
            let endsWord =
                place == text.count
                || !text[place].properties.isAlphabetic
                    && text[place].properties.numericType == nil
            runs.append(Run(range: start..<place, endsWord: endsWord))
        }
        var (next, nextAtEnd): ([Int: Int], [Int: Int]) = ([:], [:])
        for index in runs.indices.reversed() {
            let length = runs[index].range.count
            runs[index].next = next[length]
            runs[index].nextAtEnd = nextAtEnd[length]
            next[length] = index
            if runs[index].endsWord { nextAtEnd[length] = index }
        }
    }

    /// The texts and codes in turn; a run without a partner is text. Linear.
    var pieces: [Piece] {
        var pieces: [Piece] = []
        var done = 0
        var index = 0
        while index < runs.count {
            let run = runs[index]
            guard let end = run.nextAtEnd ?? run.next else {
                index += 1
                continue
            }
            add(Piece.text, done..<run.range.lowerBound, to: &pieces)
            add(Piece.code, run.range.upperBound..<runs[end].range.lowerBound, to: &pieces)
            done = runs[end].range.upperBound
            index = end + 1
        }
        add(Piece.text, done..<text.count, to: &pieces)
        return pieces
    }

    private func add(
        _ piece: (String) -> Piece, _ range: Range<Int>, to pieces: inout [Piece]
    ) {
        guard !range.isEmpty else { return }
        var words = ""
        words.unicodeScalars += text[range]
        pieces.append(piece(words))
    }
}
