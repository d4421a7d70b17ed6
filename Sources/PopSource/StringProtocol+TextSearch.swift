// Like the standard library's functions of these names, which Embedded Swift lacks. The standard
// functions also don't find a quote that is followed by a combining accent; these functions compare
// bytes.

extension StringProtocol {
    /// Returns true if another string occurs in this one; an empty string always occurs.
    package func contains(_ part: String) -> Bool {
        var rest = Array(utf8)[...]
        let part = Array(part.utf8)
        guard let first = part.first else { return true }
        while let found = rest.firstIndex(of: first) {
            if rest[found...].starts(with: part) { return true }
            rest = rest[(found + 1)...]
        }
        return false
    }

    /// Returns this string with each occurrence of another one replaced; an empty string never
    /// occurs.
    package func replacing(_ part: String, with replacement: String) -> String {
        var rest = Array(utf8)[...]
        let part = Array(part.utf8)
        guard let first = part.first else { return String(self) }
        var new: [UInt8] = []
        while let found = rest.firstIndex(of: first) {
            let isWhole = rest[found...].starts(with: part)
            new += rest[..<found]
            new += isWhole ? Array(replacement.utf8) : [first]
            rest = rest[(found + (isWhole ? part.count : 1))...]
        }
        return String(decoding: new + rest, as: UTF8.self)
    }
}

extension String {
    /// Decodes bytes; nil if they aren't UTF-8. Older Apple systems lack the standard library's
    /// initializer.
    @inlinable package init?(utf8 bytes: some Collection<UInt8>) {
        // Invalid UTF-8 is decoded to another character, which has other bytes.
        self.init(decoding: bytes, as: UTF8.self)
        guard utf8.elementsEqual(bytes) else { return nil }
    }
}

extension Unicode.Scalar {
    /// True if a terminal or an editor would interpret or hide the character: control,
    /// bidirectional and other format characters.
    package var mustBeEscaped: Bool {
        switch properties.generalCategory {
        case .control: value != 0x09
        case .lineSeparator, .paragraphSeparator: true
        // The joiners in emoji and Indic scripts stay unescaped. Tags don't: they can contain a
        // whole invisible text, also after a flag.
        case .format: !(value == 0x200C || value == 0x200D)
        default: false
        }
    }
}
