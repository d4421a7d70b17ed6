/// The quoting of a string in its file, which edits of the string must keep.
public enum Quoting: UInt8, Sendable, Hashable {
    /// Unquoted and unchanged: by itself, or in a block of lines of its own.
    case none
    /// Without quotes, which isn't possible for every string.
    case plain
    /// In `'`, each `'` inside doubled.
    case single
    /// In `"`, with backslashes before special characters.
    case double
}

/// A string with some parts replaced: the edits in its file, and the resulting text.
public struct Rewriting: Sendable, Hashable {
    /// The replacements in the file, in its order.
    public let edits: [Diagnostic.Edit]
    /// The whole as written in the file, including quotes.
    public let written: String
    /// The whole as read.
    public let text: String

    /// Creates a rewriting from the edits, and from the resulting text as written and as read.
    public init(edits: [Diagnostic.Edit], written: String, text: String) {
        self.edits = edits
        self.written = written
        self.text = text
    }
}

extension TextMap {
    /// Returns the string with parts replaced. The parts are ranges of its bytes, in order and
    /// without overlap.
    public func rewriting(
        _ bytes: [UInt8], changes: [(range: Range<Int>, replacement: String)]
    ) -> Rewriting {
        var new: [UInt8] = []
        var offset = 0
        for change in changes {
            new += bytes[offset..<change.range.lowerBound]
            new += change.replacement.utf8
            offset = change.range.upperBound
        }
        new += bytes[offset...]
        let text = String(decoding: new, as: UTF8.self)
        let old = String(decoding: bytes, as: UTF8.self)
        var written = quoting.written(text)
        if quoting == .plain, !mayBePlain(text, insteadOf: old) || beginsWithQuote(old) {
            written = quoted(text)
            let whole = Diagnostic.Edit(range(0..<bytes.count), replacement: written)
            return Rewriting(edits: [whole], written: written, text: text)
        }
        let edits = changes.map {
            Diagnostic.Edit(range($0.range), replacement: quoting.escaped($0.replacement))
        }
        if written.contains("\n") { written = text.split(separator: "\n").joined(separator: " ") }
        return Rewriting(edits: edits, written: written, text: text)
    }

    /// Returns the same string at the same place with some of its parts replaced, each of which is
    /// one unit.
    public func replacing(
        _ changes: [(range: Range<Int>, replacement: String)], length: Int
    ) -> TextMap {
        var map = TextMap(file: file, startingAt: range(0..<0).lower)
        map.quoting = quoting
        var offset = 0
        for change in changes {
            map.append(self, part: offset..<change.range.lowerBound)
            let unit = range(change.range)
            map.appendUnit(unit.bytes, length: change.replacement.utf8.count)
            offset = change.range.upperBound
        }
        map.append(self, part: offset..<length)
        return map
    }
}

extension Quoting {
    fileprivate func escaped(_ text: String) -> String {
        switch self {
        case .none, .plain: text
        case .single: text.replacing("'", with: "''")
        case .double: text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        }
    }

    fileprivate func written(_ text: String) -> String {
        switch self {
        case .none, .plain: text
        case .single: "'\(escaped(text))'"
        case .double: "\"\(escaped(text))\""
        }
    }
}

/// Returns the string in the quotes that need the fewest escapes inside.
private func quoted(_ text: String) -> String {
    let double = !text.contains("\"") && !text.contains("\\")
    return double ? Quoting.double.written(text) : Quoting.single.written(text)
}

/// Returns true if a string begins with a quote, as no string without quotes does: then the file
/// contains it in another form.
private func beginsWithQuote(_ text: String) -> Bool {
    text.hasPrefix("\"") || text.hasPrefix("'")
}

/// Returns true if a string can be written without quotes in place of another one. It can't contain
/// characters that are special in YAML and weren't in the other string.
private func mayBePlain(_ text: String, insteadOf old: String) -> Bool {
    guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last,
        !beginsWithQuote(text)
    else { return false }
    let isUsual =
        first == "(" || first == "_" || first.properties.isAlphabetic || first == "."
        || ("0"..."9").contains(first)
    guard isUsual || first == old.unicodeScalars.first, last != ":", last != " ", first != " "
    else { return false }
    for mark in ["{", "}", "[", "]", ",", ": ", " #", "\n"] {
        if text.contains(mark), !old.contains(mark) { return false }
    }
    return true
}

extension Diagnostic {
    /// The maximum length of a string that is shown as a whole in a help, in bytes.
    public static let longestShown = 160

    /// Offers to write something else. The help is derived from the fix, so that the shown code can
    /// be applied.
    public mutating func offer(
        _ help: String, rewriting: Rewriting, isSafe: Bool, inShort: String? = nil
    ) {
        let isShown = rewriting.written.utf8.count <= Self.longestShown
        let shown = isShown ? rewriting.written : inShort
        self.help.append(shown.map { "\(help): `\($0)`" } ?? help)
        fixes.append(Fix(help.replacing("`", with: ""), edits: rewriting.edits, isSafe: isSafe))
    }
}
