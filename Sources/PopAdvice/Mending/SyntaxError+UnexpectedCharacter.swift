internal import PopCEL

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
            help = ["replace it with a normal space, or remove it"]
        } else if let (script, letter) = Self.lookAlike(character) {
            message = "unexpected \(script) letter `\(character)`"
            help = ["replace it with the Latin letter `\(letter)`, which looks the same"]
        } else if bytes[range.lowerBound] >= 0x80 {
            help = ["use such characters only in quoted strings"]
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
