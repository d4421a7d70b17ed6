internal import PopCEL
internal import PopSource

/// Reads the parts between `&&` and `||` each by itself, so that a part that cannot be read does
/// not hide what is wrong with the others.
struct Recovery {
    private let text: UnparsedExpression
    private let mends: [SyntaxRepair]
    private let mended: [UInt8]
    private let changes: [SyntaxRepair.Change]
    private let map: TextMap

    init(
        _ text: UnparsedExpression, mends: [SyntaxRepair], mended: [UInt8],
        changes: [SyntaxRepair.Change]
    ) {
        self.text = text
        self.mends = mends
        self.mended = mended
        self.changes = changes
        map = text.map.replacing(changes, length: text.bytes.count)
    }

    func findings(first error: SyntaxError) -> Diagnostics {
        let parts = parts
        let first = Diagnostics([earliest(in: nil, error)])
        guard parts.count > 1 else { return first }
        var findings = Diagnostics()
        var unread: [SyntaxRepair.Change] = []
        for (index, part) in parts.enumerated() {
            if mended[part].allSatisfy({ $0 == UInt8(ascii: " ") }) {
                if index == parts.count - 1 { findings.report(contentsOf: first) }
                unread.append((part, " true "))
                continue
            }
            // Blanks keep the offsets as they are.
            var alone = [UInt8](repeating: UInt8(ascii: " "), count: mended.count)
            alone.replaceSubrange(part, with: mended[part])
            do throws(SyntaxError) {
                _ = try text.parse(alone, map: map)
                for mend in mends(in: part) { findings.report(partly(mend)) }
            } catch {
                findings.report(
                    earliest(in: part, index < parts.count - 1 ? error.beforeOperator : error))
                unread.append((part, " true "))
            }
        }
        // The mistake is between the parts.
        if unread.isEmpty || findings.isEmpty { return first }
        for finding in findingsBeside(unread) { findings.report(finding) }
        return findings
    }

    /// Returns the errors of the parts that can be read; `true` replaces the others.
    private func findingsBeside(_ unread: [SyntaxRepair.Change]) -> [Diagnostic] {
        let left = map.replacing(unread, length: mended.count)
        guard let tree = try? text.parse(mended.applying(unread), map: left) else { return [] }
        return text.checked(tree, beside: []).list.map { finding in
            var finding = finding
            // Such code would contain `true` in place of the parts that can't be read.
            finding.help.removeAll { $0.contains(" true ") }
            return finding
        }
    }

    /// The parts between `&&` and `||` outside of brackets.
    private var parts: [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = 0
        var depth = 0
        for token in LooseLexer.tokens(of: mended) where token.kind == .symbol {
            if ["(", "[", "{"].contains(token.text) { depth += 1 }
            if [")", "]", "}"].contains(token.text) { depth -= 1 }
            guard depth == 0, token.text == "&&" || token.text == "||" else { continue }
            parts.append(start..<token.range.lowerBound)
            start = token.range.upperBound
        }
        return parts + [start..<mended.count]
    }

    private func mends(in part: Range<Int>?) -> [SyntaxRepair] {
        guard let part else { return mends }
        let place = map.range(part)
        return mends.filter { mend in
            let range = text.map.range(mend.range)
            return range.lower < place.upper && place.lower < range.upper
        }
    }

    /// Returns the first mistake of a part: the others may follow from it.
    private func earliest(in part: Range<Int>?, _ error: SyntaxError) -> Diagnostic {
        let place = part == nil ? text.map.range(error.range) : map.range(error.range)
        if let mend = mends(in: part).first, text.map.range(mend.range).lower <= place.lower {
            return partly(mend)
        }
        var finding = Diagnostic(error, map: part == nil ? text.map : map)
        finding.range = place
        return finding
    }

    /// Returns the diagnostic of a fix that does not make the whole readable.
    private func partly(_ mend: SyntaxRepair) -> Diagnostic {
        var finding = text.finding(mend)
        // Several meanings need their code, which isn't readable here.
        finding.help = mend.readings.count == 1 ? mend.readings.map { $0.help } : []
        return finding
    }
}

extension SyntaxError {
    /// The error of a part that an operator follows, so that it isn't the end of the whole.
    fileprivate var beforeOperator: SyntaxError {
        guard let missingAtEnd else { return self }
        return SyntaxError(
            message: "expected \(missingAtEnd) before the next `&&` or `||`",
            range: range, label: label, help: help, check: check)
    }
}

extension SyntaxError {
    /// Returns the error for a character that no token begins with: a character that looks like
    /// another one is named, since the difference can't be seen.
    func explained(in bytes: [UInt8]) -> SyntaxError {
        guard label == SyntaxError.foreignCharacter else { return self }
        let character = String(decoding: bytes[range], as: UTF8.self)
        var message = message
        var help: [String] = []
        if let space = spaces[character] {
            message = "unexpected \(space)"
            help = ["replace the character with a normal space, or remove the character"]
        } else if let (script, letter) = Self.lookAlike(character) {
            message = "unexpected \(script) letter `\(character)`"
            help = ["replace the letter with the Latin letter `\(letter)`, which looks the same"]
        } else if bytes[range.lowerBound] >= 0x80 {
            help = ["use such characters only in quoted strings"]
        } else {
            help = ["remove the character, or put the string that it belongs to in quotes"]
        }
        return SyntaxError(message: message, range: range, label: label, help: help)
    }

    /// Returns the replacement for a character that looks like another one, or is invisible.
    static func replacement(for character: String) -> String? {
        if let letter = lookAlike(character)?.letter { return String(letter) }
        if spaces[character] == nil { return nil }
        return invisible.contains(character) ? "" : " "
    }

    private static func lookAlike(_ character: String) -> (script: String, letter: Character)? {
        for (script, theirs, latin) in alphabets {
            for (letter, other) in zip(theirs, latin) where character == String(letter) {
                return (script, other)
            }
        }
        return nil
    }
}

/// Characters that print as a space or as nothing.
private let spaces: [String: String] = [
    "\u{A0}": "no-break space", "\u{202F}": "narrow no-break space", "\u{2009}": "thin space",
    "\u{3000}": "ideographic space", "\u{200B}": "zero-width space",
    "\u{200D}": "zero-width joiner", "\u{FEFF}": "byte order mark", "\u{AD}": "soft hyphen",
]

private let invisible: Set<String> = ["\u{200B}", "\u{200D}", "\u{FEFF}", "\u{AD}"]

/// Letters that look like Latin ones, each with the Latin letters in the next string.
private let alphabets: [(script: String, letters: String, latin: String)] = [
    (
        "Cyrillic",
        "\u{430}\u{435}\u{43E}\u{440}\u{441}\u{443}\u{445}\u{456}\u{458}\u{455}"
            + "\u{410}\u{412}\u{415}\u{41A}\u{41C}\u{41D}\u{41E}\u{420}\u{421}\u{422}\u{425}",
        "aeopcyxijs" + "ABEKMHOPCTX"
    ),
    (
        "Greek",
        "\u{3BF}\u{3BD}\u{391}\u{392}\u{395}\u{396}\u{397}\u{399}\u{39A}\u{39C}"
            + "\u{39D}\u{39F}\u{3A1}\u{3A4}\u{3A5}\u{3A7}",
        "ov" + "ABEZHIKMNOPTYX"
    ),
]
