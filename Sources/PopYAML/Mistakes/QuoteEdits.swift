internal import PopSource

/// Edits that put a value in quotes so that YAML reads it as a string.
enum QuoteEdits {
    /// Longer values get no edit, so that many mistakes in a huge line take no huge memory.
    private static let longest = 1 << 16

    /// Returns the edit that quotes a range; nil if there is nothing to quote, or too much.
    static func edit(_ range: Range<Int>, of bytes: [UInt8], file: FileID) -> Diagnostic.Edit? {
        guard !range.isEmpty, range.count <= longest else { return nil }
        let text = String(decoding: bytes[range], as: UTF8.self)
        return Diagnostic.Edit(
            SourceRange(file: file, range), replacement: quoted(text))
    }

    /// Returns help on putting a value in quotes, with the result if it is short enough to be read.
    static func help(_ edit: Diagnostic.Edit, key: String? = nil) -> String {
        let shown = (key.map { "\($0): " } ?? "") + edit.replacement
        return shown.utf8.count > 160 || shown.utf8.contains(UInt8(ascii: "\n"))
            ? "put quotes around the whole value"
            : "put the whole value in quotes: `\(shown)`"
    }

    /// Returns the string in the quotes that need the fewest changes inside; double quotes if
    /// neither need any.
    static func quoted(_ text: String) -> String {
        let hasDouble = text.utf8.contains(UInt8(ascii: "\""))
        let hasSingle = text.utf8.contains(UInt8(ascii: "'"))
        let hasBackslash = text.utf8.contains(UInt8(ascii: "\\"))
        if !hasDouble, !hasBackslash { return "\"\(text)\"" }
        if !hasSingle { return "'\(text)'" }
        return "'"
            + text.split(separator: "'", omittingEmptySubsequences: false)
            .joined(separator: "''") + "'"
    }
}
