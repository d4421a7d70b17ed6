internal import PopSource

/// Examines every character of a file that isn't plain ASCII text: invalid bytes, forbidden and
/// invisible characters.
struct CharacterScan {
    private let file: FileID
    private var bytes: [UInt8]
    private let limit: Int
    private var errors = 0
    private var warnings = 0
    private(set) var diagnostics = Diagnostics()

    /// True if any byte is invalid.
    var hasReplaced: Bool { errors > 0 }

    init(_ source: SourceFile, limit: Int) {
        file = source.id
        bytes = source.bytes
        self.limit = limit
    }

    /// Returns the bytes with invalid ones replaced by `?`.
    mutating func run(from start: Int) -> [UInt8] {
        var offset = start
        var wrong: Range<Int>?
        while offset < bytes.count {
            if bytes[offset] < 0x80 {
                if isForbidden(UInt32(bytes[offset])) {
                    reportControl(UInt32(bytes[offset]), at: offset..<offset + 1)
                }
                offset += 1
                continue
            }
            let length = sequenceLength(at: offset)
            if length == 0 {
                if let last = wrong, last.upperBound == offset {
                    wrong = last.lowerBound..<offset + 1
                } else {
                    if let wrong { reportWrongBytes(wrong) }
                    wrong = offset..<offset + 1
                }
                offset += 1
                continue
            }
            look(at: offset..<offset + length)
            offset += length
        }
        if let wrong { reportWrongBytes(wrong) }
        return bytes
    }

    /// Returns the length of the well-formed UTF-8 sequence at an offset; 0 if the bytes aren't
    /// well-formed.
    private func sequenceLength(at offset: Int) -> Int {
        let lead = bytes[offset]
        let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
        guard (0xC2...0xF4).contains(lead), offset + length <= bytes.count else { return 0 }
        // The second byte excludes overlong forms, surrogates and values beyond U+10FFFF.
        let second: ClosedRange<UInt8> =
            switch lead {
            case 0xE0: 0xA0...0xBF
            case 0xED: 0x80...0x9F
            case 0xF0: 0x90...0xBF
            case 0xF4: 0x80...0x8F
            default: 0x80...0xBF
            }
        guard second.contains(bytes[offset + 1]) else { return 0 }
        return bytes[offset + 2..<offset + length].allSatisfy { $0 & 0xC0 == 0x80 } ? length : 0
    }

    private mutating func look(at range: Range<Int>) {
        let lead = bytes[range.lowerBound]
        // Most letters beyond ASCII need no further check.
        let mayMatter =
            switch lead {
            case 0xC2, 0xCE...0xD1, 0xE1, 0xE2, 0xEF...0xF4: true
            default: false
            }
        guard mayMatter else { return }
        let bits: UInt32 = range.count == 2 ? 0x1F : range.count == 3 ? 0x0F : 0x07
        let value = bytes[range].dropFirst().reduce(UInt32(lead) & bits) {
            $0 << 6 | UInt32($1 & 0x3F)
        }
        if isForbidden(value) {
            reportControl(value, at: range)
        } else if let name = invisibleName(value) {
            warnings += 1
            if warnings <= limit {
                diagnostics.report(
                    .invisible(value, name: name, at: SourceRange(file: file, range)))
            }
        } else if let latin = latinLookAlike(value), isBesideLatin(range) {
            warnings += 1
            if warnings <= limit {
                diagnostics.report(
                    .lookAlike(value, latin: latin, at: SourceRange(file: file, range)))
            }
        }
    }

    /// Returns true if a letter of another script is in one word with an ASCII letter.
    private func isBesideLatin(_ range: Range<Int>) -> Bool {
        let isBehind = range.lowerBound > 0 && isLetter(bytes[range.lowerBound - 1])
        return isBehind || range.upperBound < bytes.count && isLetter(bytes[range.upperBound])
    }

    private func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private mutating func reportControl(_ value: UInt32, at range: Range<Int>) {
        guard replace(range) else { return }
        diagnostics.report(.control(value, at: SourceRange(file: file, range)))
    }

    private mutating func reportWrongBytes(_ range: Range<Int>) {
        let wrong = Array(bytes[range.prefix(4)])
        let isLong = range.count > wrong.count
        guard replace(range) else { return }
        diagnostics.report(
            .wrongBytes(wrong, isLong: isLong, at: SourceRange(file: file, range)))
    }

    /// Replaces invalid bytes, and returns true if they are to be reported.
    private mutating func replace(_ range: Range<Int>) -> Bool {
        errors += 1
        for offset in range { bytes[offset] = UInt8(ascii: "?") }
        return errors <= limit
    }
}

/// Returns true if YAML forbids a character (section 5.1 of the specification, as implemented by
/// libyaml).
private func isForbidden(_ value: UInt32) -> Bool {
    switch value {
    case 0x09, 0x0A, 0x0D, 0x85: false
    case 0..<0x20, 0x7F..<0xA0, 0xFFFE, 0xFFFF: true
    default: false
    }
}

/// Returns the name of an invisible character; nil for visible characters and for those with a good
/// use in texts.
private func invisibleName(_ value: UInt32) -> String? {
    switch value {
    case 0x85, 0x2028, 0x2029: "a line break that most editors do not show"
    case 0x202A...0x202E, 0x2066...0x2069: "a character that changes the direction of text"
    case 0xAD: "a soft hyphen, which is invisible"
    case 0x200B, 0x2060...0x2064, 0x180E: "an invisible zero-width character"
    case 0xFEFF: "a byte order mark inside the file, which is invisible"
    case 0xE0000..<0xE0080: "an invisible tag character"
    default: nil
    }
}

/// Returns a code point such as `U+200B`.
private func codePoint(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
}

extension Diagnostic {
    fileprivate static func control(_ value: UInt32, at range: SourceRange) -> Self {
        let name = value == 0 ? "a zero byte" : "a control character"
        return Diagnostic(
            .yamlEncoding, message: "the file contains \(name) (`\(codePoint(value))`)", at: range,
            label: "YAML does not allow this character",
            help: [
                "remove the character, or write the character in double quotes as `\"\\x"
                    + String(value + 0x100, radix: 16).suffix(2) + "\"`"
            ],
            fixes: [Fix("remove it", edits: [Edit(range, replacement: "")], isSafe: false)])
    }

    fileprivate static func wrongBytes(
        _ bytes: [UInt8], isLong: Bool, at range: SourceRange
    ) -> Self {
        let shown = bytes.map { "0x" + String($0, radix: 16, uppercase: true) }
        let dots = isLong ? " …" : ""
        var found = Diagnostic(
            .yamlEncoding,
            message: bytes.count == 1
                ? "the byte `\(shown[0])` is not UTF-8"
                : "the bytes `\(shown.joined(separator: " "))\(dots)` are not UTF-8",
            at: range, label: "not UTF-8", help: ["save the file in the encoding UTF-8"])
        // The upper half of Latin-1 has the same numbers as Unicode.
        if !isLong, bytes.allSatisfy({ $0 >= 0xA0 }) {
            let text = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
            found.notes.append("read as Latin-1, this is `\(text)`")
            found.fixes.append(
                Fix(
                    "write `\(text)` in UTF-8", edits: [Edit(range, replacement: text)],
                    isSafe: false))
        }
        return found
    }

    fileprivate static func invisible(_ value: UInt32, name: String, at range: SourceRange)
        -> Self
    {
        Diagnostic(
            .yamlConfusable, message: "`\(codePoint(value))` is \(name)", at: range,
            label: "`\(codePoint(value))` is here", help: ["remove the character"],
            fixes: [Fix("remove it", edits: [Edit(range, replacement: "")], isSafe: false)])
    }

    fileprivate static func lookAlike(
        _ value: UInt32, latin: Unicode.Scalar, at range: SourceRange
    ) -> Self {
        let script = value < 0x0400 ? "Greek" : "Cyrillic"
        return Diagnostic(
            .yamlConfusable,
            message:
                "the \(script) letter `\(codePoint(value))` is in a word with Latin letters",
            at: range, label: "looks like the Latin `\(latin)`",
            help: ["write the Latin `\(latin)`"],
            fixes: [
                Fix(
                    "write the Latin `\(latin)`",
                    edits: [Edit(range, replacement: String(latin))], isSafe: false)
            ])
    }
}

/// Returns the Latin letter that a Cyrillic or Greek letter looks like; nil if it looks like no
/// Latin letter.
func latinLookAlike(_ value: UInt32) -> Unicode.Scalar? {
    switch value {
    case 0x0391, 0x0410: "A"
    case 0x0392, 0x0412: "B"
    case 0x0421: "C"
    case 0x0395, 0x0415: "E"
    case 0x0397, 0x041D: "H"
    case 0x0399, 0x0406: "I"
    case 0x0408: "J"
    case 0x039A, 0x041A: "K"
    case 0x039C, 0x041C: "M"
    case 0x039D: "N"
    case 0x039F, 0x041E: "O"
    case 0x03A1, 0x0420: "P"
    case 0x0405: "S"
    case 0x03A4, 0x0422: "T"
    case 0x03A7, 0x0425: "X"
    case 0x03A5: "Y"
    case 0x0396: "Z"
    case 0x0430: "a"
    case 0x0441: "c"
    case 0x0435: "e"
    case 0x0456: "i"
    case 0x0458: "j"
    case 0x03BF, 0x043E: "o"
    case 0x0440: "p"
    case 0x0455: "s"
    case 0x03BD: "v"
    case 0x0445: "x"
    case 0x0443: "y"
    default: nil
    }
}
