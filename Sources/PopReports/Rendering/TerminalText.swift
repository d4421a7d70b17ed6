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
