internal import PopSource

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
    text.split(separator: "\n", omittingEmptySubsequences: false)
        .map { line in
            let rest = line.trimmingPrefix(#/(?:\s|\x1B\[[0-9;]*m)*/#)
            let blanks = line[..<rest.startIndex]
            let isCommand = rest.hasPrefix("::") && rest.dropFirst(2).first?.isLetter == true
            return isCommand ? "\(blanks)\\u{3a}\(rest.dropFirst())" : String(line)
        }
        .joined(separator: "\n")
}
