internal import PopSource

/// Markdown that is made of typed parts, so that no value reaches it as markup.
///
/// A literal is Markdown as the program writes it. A string that is interpolated is text, of which
/// CommonMark, GitHub and GitLab read nothing as anything else:
///
/// ```swift
/// let line: Markdown = "**\(name)** popup, behind \(code: other)"
/// ```
public struct Markdown: Sendable, Hashable, ExpressibleByStringInterpolation {
    enum Part: Sendable, Hashable {
        /// What the program writes.
        case markup(String)
        /// What means nothing but itself.
        case text(String)
        /// Code among text.
        case code(String)
        /// Lines of code.
        case block(String)
        case table(head: [Markdown], rows: [[Markdown]])
    }

    private(set) var parts: [Part] = []

    private init(_ parts: [Part]) { self.parts = parts }

    /// A literal of the program; no other text can be one.
    public init(stringLiteral literal: StaticString) { parts = [.markup("\(literal)")] }

    /// A literal of the program with values in it.
    public init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

    /// A text without markup, on one line.
    public static func text(_ text: String) -> Markdown { Markdown([.text(text)]) }

    /// Code among text, whatever backticks it contains.
    public static func code(_ code: String) -> Markdown { Markdown([.code(code)]) }

    /// Codes with commas between them.
    public static func codes(_ codes: some Sequence<String>) -> Markdown {
        codes.map { .code($0) }.joined(separator: ", ")
    }

    /// Lines of code, whatever fences they contain.
    public static func block(_ code: String) -> Markdown { Markdown([.block(code)]) }

    /// A table; each row has as many cells as the head.
    public static func table(_ head: [Markdown], rows: [[Markdown]]) -> Markdown {
        Markdown([.table(head: head, rows: rows)])
    }

    /// A text of several lines, of which none begins anything but a line.
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

    /// A message of the program, in which code stands between backticks.
    ///
    /// Each run of backticks belongs to the next one of the same length, as in CommonMark, but
    /// rather to one that ends a word. The values of a message can contain backticks themselves:
    /// then more or less of it is code, and still nothing is markup.
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

        /// Nothing yet.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Adds what the program writes.
        public mutating func appendLiteral(_ literal: StaticString) {
            if literal.utf8CodeUnitCount > 0 { parts.append(.markup("\(literal)")) }
        }

        /// Adds a text without markup.
        public mutating func appendInterpolation(_ text: String) { parts.append(.text(text)) }

        /// Adds a number.
        public mutating func appendInterpolation(_ number: Int) { parts.append(.text("\(number)")) }

        /// Adds code.
        public mutating func appendInterpolation(code: String) { parts.append(.code(code)) }

        /// Adds a message of the program, in which code stands between backticks.
        public mutating func appendInterpolation(message: String) {
            parts += Markdown.message(message).parts
        }

        /// Adds what is Markdown already.
        public mutating func appendInterpolation(_ markdown: Markdown) { parts += markdown.parts }
    }

    /// One behind the other.
    public static func + (first: Markdown, second: Markdown) -> Markdown {
        Markdown(first.parts + second.parts)
    }

    /// Adds some at the end.
    public static func += (first: inout Markdown, second: Markdown) {
        first.parts += second.parts
    }
}

extension [Markdown] {
    /// One behind the other, with something between them.
    public func joined(separator: Markdown) -> Markdown {
        var whole: Markdown = ""
        for (place, part) in enumerated() { whole += place == 0 ? part : separator + part }
        return whole
    }
}

// MARK: as text

extension Markdown {
    /// The source that others render.
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

    /// For who can read no Markdown.
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

    /// The parts, those that are texts as one where they are beside each other: what is dangerous
    /// can come about where two meet.
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

    /// A literal of the program without the marks that it uses.
    fileprivate var withoutMarkup: String {
        replacing("**", with: "").replacing("\\\n", with: "\n")
    }

    /// Two spans beside each other would be one with other backticks.
    fileprivate mutating func append(span: String) {
        if utf8.last == UInt8(ascii: "`"), span.utf8.first == UInt8(ascii: "`") {
            self += invisibleBreak
        }
        self += span
    }
}
