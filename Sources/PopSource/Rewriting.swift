/// How a text is written in its file, which whoever changes the text has to keep to.
public enum Quoting: UInt8, Sendable, Hashable {
    /// As it is: by itself, or in a block of lines of its own.
    case none
    /// Without quotes, which not every text can be.
    case plain
    /// In `'`, each `'` inside doubled.
    case single
    /// In `"`, with backslashes before what is special.
    case double
}

/// A text with some of its parts replaced: the edits that do it in its file, and what then stands
/// there.
public struct Rewriting: Sendable, Hashable {
    /// What to replace in the file, in its order.
    public let edits: [Diagnostic.Edit]
    /// The whole as it stands in the file, quotes included.
    public let written: String
    /// The whole as it is read.
    public let text: String

    /// The edits, and what stands in the file and is read after them.
    public init(edits: [Diagnostic.Edit], written: String, text: String) {
        self.edits = edits
        self.written = written
        self.text = text
    }
}

extension TextMap {
    /// The text with parts replaced. The parts are ranges of its bytes, in order and apart.
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

    /// The same text at the same place, some of its parts replaced, each of which is one unit.
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

/// In the quotes that need the least inside.
private func quoted(_ text: String) -> String {
    let double = !text.contains("\"") && !text.contains("\\")
    return double ? Quoting.double.written(text) : Quoting.single.written(text)
}

/// Whether a text begins as none without quotes does: it is not in the file as it is.
private func beginsWithQuote(_ text: String) -> Bool {
    text.hasPrefix("\"") || text.hasPrefix("'")
}

/// Whether a text can stand without quotes where another one does: what is special in YAML, and was
/// not there before, cannot.
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
    /// The longest text that is shown as a whole in a help.
    public static let longestShown = 160

    /// Offers to write something else: the help is made of the fix, so that what is shown can be
    /// applied.
    public mutating func offer(
        _ help: String, rewriting: Rewriting, isSafe: Bool, inShort: String? = nil
    ) {
        let isShown = rewriting.written.utf8.count <= Self.longestShown
        let shown = isShown ? rewriting.written : inShort
        self.help.append(shown.map { "\(help): `\($0)`" } ?? help)
        fixes.append(Fix(help.replacing("`", with: ""), edits: rewriting.edits, isSafe: isSafe))
    }
}
