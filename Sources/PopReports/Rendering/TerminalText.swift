internal import PopSource

/// A string as a terminal shows it: the printed text, and the number of columns that it takes.
///
/// Characters that a terminal would interpret or hide (control, bidirectional and other format
/// characters) are shown escaped, so that no content of a file reaches a terminal unescaped. So are
/// the marks by which CI systems recognize commands in lines of a log. Tabs take four columns.
public struct TerminalText: Sendable {
    /// The text that can be printed unchanged.
    public private(set) var text = ""
    /// The number of columns that it takes in a terminal.
    public private(set) var width = 0

    /// Escapes a string of unknown origin. Linear in its length.
    public init(_ source: some StringProtocol) {
        let source =
            source.mayHaveCommandMarks ? withoutCommandMarks(String(source)) : String(source)
        if source.isPrintableASCII {
            text = source
            width = source.utf8.count
        } else {
            for character in source { append(character) }
        }
    }

    private mutating func append(_ character: Character) {
        if character == "\t" {
            text += "    "
            width += 4
        } else if character.unicodeScalars.contains(where: \.mustBeEscaped) {
            for scalar in character.unicodeScalars {
                let shown = escapedForTerminal(scalar)
                text += shown
                width += scalar.mustBeEscaped ? shown.utf8.count : scalar.terminalWidth
            }
        } else {
            text.append(character)
            width += character.terminalWidth
        }
    }
}

/// Returns a character in a form that is safe to print.
func escapedForTerminal(_ scalar: Unicode.Scalar) -> String {
    scalar.mustBeEscaped ? scalar.escapedForTerminal : String(scalar)
}

/// Returns a string in a form that is safe to print on one line.
public func escapedForTerminal(_ text: String) -> String {
    let isSafe = text.isPrintableASCII || !text.unicodeScalars.contains(where: \.mustBeEscaped)
    return isSafe && !text.mayHaveCommandMarks ? text : TerminalText(text).text
}

/// Returns a string in which nothing begins a command for GitHub Actions or Azure Pipelines, which
/// look for `##[…]` and `##vso[…]` anywhere in the lines of a log. Linear.
///
/// Source: actions/runner, `ActionCommand.TryParse`; Azure Pipelines, "Logging commands".
func withoutCommandMarks(_ text: String) -> String {
    var safe = ""
    var rest = text[...]
    while let mark = rest.firstRange(of: "##") {
        safe += rest[..<mark.lowerBound]
        // In `###` the first character is skipped: a mark may begin at the second.
        let name = rest[mark.upperBound...].prefix { $0.isASCII && $0.isLetter }
        let isCommand = rest[name.endIndex...].first == "["
        safe += isCommand ? "#\\u{23}" : "#"
        rest =
            isCommand
            ? rest[mark.upperBound...] : rest[rest.index(after: mark.lowerBound)...]
    }
    return safe + rest
}

/// The escape for a character in the strings of a machine-readable format.
package enum StringEscape: String, Sendable {
    case json = "\\u0023"
    case xml = "&#35;"
}

/// Returns an equivalent machine-readable document in which nothing begins a command for Azure
/// Pipelines, which looks for `##vso[…]` anywhere in the lines of a log. No format contains `##`
/// outside of strings. Linear.
package func withoutCommandMarks(_ document: String, escape: StringEscape) -> String {
    guard document.mayHaveCommandMarks else { return document }
    return document.replacing("##", with: "#\(escape.rawValue)")
}

extension StringProtocol {
    /// True if every byte is a printable ASCII character of one column, as in most printed text.
    var isPrintableASCII: Bool { utf8.allSatisfy { (0x20..<0x7F).contains($0) } }

    /// True if `withoutCommandMarks` may have something to escape.
    var mayHaveCommandMarks: Bool {
        var before: UInt8 = 0
        for byte in utf8 {
            if byte == UInt8(ascii: "["), before == 2 { return true }
            switch byte {
            case UInt8(ascii: "#"): before = before == 0 ? 1 : 2
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
                if before != 2 { before = 0 }
            default: before = 0
            }
        }
        return false
    }
}

extension Character {
    /// 2 for East Asian wide characters, emoji and flags; 0 for a lone combining mark; otherwise 1.
    var terminalWidth: Int {
        let scalars = unicodeScalars
        let widest = scalars.reduce(0) { max($0, $1.terminalWidth) }
        let asksForEmoji = scalars.dropFirst().contains {
            $0.value == 0xFE0F || $0.isRegionalIndicator
        }
        return asksForEmoji ? 2 : widest
    }
}

extension Unicode.Scalar {
    var escapedForTerminal: String { "\\u{\(String(value, radix: 16))}" }

    var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }

    var terminalWidth: Int {
        if value < 0x300 { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        return properties.isEmojiPresentation || wideRanges.contains { $0.contains(value) } ? 2 : 1
    }
}

/// The blocks whose characters are wide (Unicode Standard Annex 11, classes W and F, rounded to
/// blocks).
private let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
    0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
    0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF,
    0x20000...0x3FFFD,
]

/// Text that may be printed to a terminal: literals of the program, and escaped values.
///
/// A literal is printed as the program writes it, including control sequences. An interpolated
/// string is shown on one line, and everything that a terminal would interpret or hide is escaped:
///
/// ```swift
/// let text: TerminalLines = "no rules in \(path)\n"
/// ```
package struct TerminalLines: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The text for the terminal.
    package private(set) var text: String

    private init(safe text: String) { self.text = text }

    /// Creates lines from a literal of the program; no other string is accepted.
    package init(stringLiteral literal: StaticString) { text = "\(literal)" }

    /// Creates lines from a literal of the program with values in it.
    package init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    /// Returns a string with its line breaks.
    package static func lines(_ text: String) -> TerminalLines {
        TerminalLines(safe: escapedLines(text, exceptFor: []))
    }

    /// Returns a string with its line breaks, in the colors of `TextStyle`.
    package static func styled(_ text: String) -> TerminalLines {
        TerminalLines(safe: escapedLines(text, exceptFor: TextStyle.sequences))
    }

    /// The parts of literals with values in them.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        /// Creates an empty interpolation.
        package init(literalCapacity: Int, interpolationCount: Int) {}

        /// Adds a literal of the program.
        package mutating func appendLiteral(_ literal: StaticString) { text += "\(literal)" }

        /// Adds a string on one line.
        package mutating func appendInterpolation(_ text: String) {
            self.text += escapedForTerminal(text)
        }

        /// Adds a number or another value on one line.
        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            text += escapedForTerminal(value.description)
        }

        /// Adds printable lines unchanged.
        package mutating func appendInterpolation(_ lines: TerminalLines) { text += lines.text }
    }

    /// Returns both, one after the other.
    package static func + (first: TerminalLines, second: TerminalLines) -> TerminalLines {
        TerminalLines(safe: first.text + second.text)
    }

    /// Appends the second to the first.
    package static func += (first: inout TerminalLines, second: TerminalLines) {
        first.text += second.text
    }
}

/// Returns a string in which everything that a terminal would interpret or hide is escaped, except
/// line breaks, tabs and some sequences. Linear.
private func escapedLines(_ text: String, exceptFor sequences: [String]) -> String {
    var text = text.mayHaveCommandMarks ? withoutCommandMarks(text) : text
    if text.utf8.contains(UInt8(ascii: ":")), text.contains("::") {
        text = withoutCommandLines(text)
    }
    guard !text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0x0A }) else { return text }
    let sequences = sequences.map { Array($0.unicodeScalars) }
    var safe = ""
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
        let plain = Substring(rest).utf8.prefix { (0x20..<0x7F).contains($0) || $0 == 0x0A }
        if !plain.isEmpty {
            safe += Substring(plain)
            rest = rest[plain.endIndex...]
            continue
        }
        if scalar == "\u{1B}", let sequence = sequences.first(where: { rest.starts(with: $0) }) {
            safe.unicodeScalars += sequence
            rest = rest.dropFirst(sequence.count)
            continue
        }
        let isPlain = scalar == "\n" || scalar == "\t" || !scalar.mustBeEscaped
        safe += isPlain ? String(scalar) : scalar.escapedForTerminal
        rest.removeFirst()
    }
    return safe
}

/// Returns lines none of which is a command for GitHub Actions. Commands begin with `::` and a
/// letter, possibly after blanks and the colors that a viewer of logs removes. Linear.
///
/// Source: actions/runner, `ActionCommand.TryParseV2`.
private func withoutCommandLines(_ text: String) -> String {
    // By scalars: as one character, "\r\n" does not end a line.
    text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        .map { scalars in
            let line = Substring(scalars)
            let rest = line.trimmingPrefix(#/(?:\s|\x1B\[[0-9;]*m)*/#)
            let blanks = line[..<rest.startIndex]
            let isCommand = rest.hasPrefix("::") && rest.dropFirst(2).first?.isLetter == true
            return isCommand ? "\(blanks)\\u{3a}\(rest.dropFirst())" : String(line)
        }
        .joined(separator: "\n")
}

/// The emphasis of texts: none, or the terminal's colors.
public enum TextStyle: Sendable {
    /// Without sequences, for files and pipes.
    case plain
    /// With the sequences of ECMA-48 that terminals interpret as colors.
    case colour

    /// Select Graphic Rendition (ECMA-48).
    private enum Code: String, CaseIterable {
        case reset = "0"
        case bold = "1"
        case green = "32"
        case blue = "34"
        case boldRed = "1;31"
        case boldYellow = "1;33"
        case boldBlue = "1;34"
        case boldCyan = "1;36"

        var sequence: String { "\u{1B}[\(rawValue)m" }
    }

    /// All color sequences of the program: any other ESC comes from a value.
    static let sequences = Code.allCases.map(\.sequence)

    func paint(_ text: String, as level: Level) -> String {
        switch level {
        case .error: painted(text, .boldRed)
        case .warning: painted(text, .boldYellow)
        case .info, .off: painted(text, .boldCyan)
        }
    }

    func secondary(_ text: String) -> String { painted(text, .boldBlue) }

    /// Returns text in the style of frames around the content.
    public func dim(_ text: String) -> String { painted(text, .blue) }

    /// Returns text in the style of important parts.
    public func bold(_ text: String) -> String { painted(text, .bold) }

    /// Returns text in the style of success.
    public func good(_ text: String) -> String { painted(text, .green) }

    /// Returns text in the style of failure.
    public func bad(_ text: String) -> String { painted(text, .boldRed) }

    private func painted(_ text: String, _ code: Code) -> String {
        self == .colour ? code.sequence + text + Code.reset.sequence : text
    }
}

/// The number of columns of all printed text, except for lines of files.
package let pageWidth = 80

/// Returns a string in lines of at most `width` columns, broken at blanks if there are any; at
/// least one line.
///
/// Code in backticks stays on one line if `keepsCode` is set, so that it can be copied. Linear in
/// the string.
package func wrapped(_ text: String, to width: Int, keepsCode: Bool = false) -> [String] {
    if text.isPrintableASCII, text.utf8.count <= width { return [text] }
    var lines: [String] = []
    var line = ""
    var columns = 0
    for word in words(of: text, keepsCode: keepsCode) {
        let wordColumns = TerminalText(word).width
        if columns == 0 {
            line = word
            columns = wordColumns
        } else if columns + 1 + wordColumns <= width {
            line += " \(word)"
            columns += 1 + wordColumns
        } else {
            lines.append(line)
            line = word
            columns = wordColumns
        }
    }
    return lines + [line]
}

/// Returns the words between blanks; with `keepsCode`, blanks within backticks don't separate
/// words.
private func words(of text: String, keepsCode: Bool) -> [String] {
    let parts = text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        .map { String(Substring($0)) }
    guard keepsCode else { return parts }
    var words: [String] = []
    var isInCode = false
    for part in parts {
        if isInCode { words[words.count - 1] += " \(part)" } else { words.append(part) }
        if !part.utf8.count(where: { $0 == UInt8(ascii: "`") }).isMultiple(of: 2) {
            isInCode.toggle()
        }
    }
    return words
}
