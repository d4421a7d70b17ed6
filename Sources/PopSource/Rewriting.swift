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
        // "use `now` for the current time" already shows all of the code `now`.
        let isTold = shown.map { help.hasPrefix("use `\($0)` ") } ?? true
        self.help.append(isTold ? help : shown.map { "\(help): `\($0)`" } ?? help)
        fixes.append(Fix(help.replacing("`", with: ""), edits: rewriting.edits, isSafe: isSafe))
    }
}

/// A map from the bytes of a decoded string back to the bytes of the file that it was written in.
///
/// A string is made of pieces in order. In a copied piece each byte of the string is one byte of
/// the file; any other piece (an escape such as `\u00e9`, a folded line break) is one unit: all its
/// bytes map to the whole unit.
public struct TextMap: Sendable, Hashable {
    struct Piece: Sendable, Hashable {
        // Many strings of one set are kept with their maps, so the fields are as small as those of
        // a range.
        var text: UInt32
        var source: UInt32
        var sourceLength: UInt32
        var isCopy: Bool

        init(text: Int, source: Int, sourceLength: Int, isCopy: Bool) {
            self.text = UInt32(text)
            self.source = UInt32(source)
            self.sourceLength = UInt32(sourceLength)
            self.isCopy = isCopy
        }

        var sourceEnd: Int { Int(source) + Int(sourceLength) }
    }

    /// The file in which the string was written.
    public let file: FileID
    // Separate from the others, because most strings are one piece and then need no array.
    private var first: Piece
    private var others: [Piece] = []
    private var textLength: UInt32
    /// The quoting of the string in its file.
    public var quoting = Quoting.none

    /// Creates the map of a string that is in the file unchanged, from `offset` on.
    public init(file: FileID, offset: Int, length: Int) {
        self.file = file
        first = Piece(text: 0, source: offset, sourceLength: length, isCopy: true)
        textLength = UInt32(length)
    }

    /// Creates an empty map whose pieces are appended as the string is decoded; an empty string is
    /// at `offset`.
    public init(file: FileID, startingAt offset: Int) {
        self.init(file: file, offset: offset, length: 0)
    }

    /// Appends `length` bytes of the string that are in the file unchanged.
    public mutating func appendCopy(of source: Int, length: Int) {
        guard length > 0 else { return }
        let last = others.last ?? first
        if last.isCopy, last.sourceEnd == source, last.text + last.sourceLength == textLength {
            if others.isEmpty {
                first.sourceLength += UInt32(length)
            } else {
                others[others.count - 1].sourceLength += UInt32(length)
            }
        } else {
            append(
                Piece(text: Int(textLength), source: source, sourceLength: length, isCopy: true))
        }
        textLength += UInt32(length)
    }

    /// Appends `length` bytes of the string that are written in the file as the unit `source`.
    public mutating func appendUnit(_ source: Range<Int>, length: Int) {
        guard length > 0 else { return }
        append(
            Piece(
                text: Int(textLength), source: source.lowerBound, sourceLength: source.count,
                isCopy: false))
        textLength += UInt32(length)
    }

    /// Appends the pieces of a part of another string.
    mutating func append(_ other: TextMap, part: Range<Int>) {
        let pieces = [other.first] + other.others
        for (index, piece) in pieces.enumerated() {
            let start = Int(piece.text)
            let end = index + 1 < pieces.count ? Int(pieces[index + 1].text) : Int(other.textLength)
            let common =
                max(start, part.lowerBound)..<max(start, part.lowerBound, min(end, part.upperBound))
            if piece.isCopy {
                appendCopy(of: Int(piece.source) + common.lowerBound - start, length: common.count)
            } else {
                appendUnit(Int(piece.source)..<piece.sourceEnd, length: common.count)
            }
        }
    }

    private mutating func append(_ piece: Piece) {
        // Nothing is written in the file for the first piece if a text was put in front.
        if textLength == 0 { first = piece } else { others.append(piece) }
    }

    /// Returns the place of a range of the string in the file. Offsets after the string map to its
    /// end.
    ///
    /// Logarithmic in the number of pieces; constant for a string that is in the file unchanged.
    public func range(_ text: Range<Int>) -> SourceRange {
        let lower = source(of: text.lowerBound).lowerBound
        if text.isEmpty { return SourceRange(file: file, lower..<lower) }
        let upper = source(of: text.upperBound - 1).upperBound
        return SourceRange(file: file, lower..<max(lower, upper))
    }

    private func source(of offset: Int) -> Range<Int> {
        // The last piece that begins at or before the offset.
        var low = 0
        var high = others.count + 1
        while high - low > 1 {
            let middle = (low + high) / 2
            if Int(others[middle - 1].text) <= offset { low = middle } else { high = middle }
        }
        let piece = low == 0 ? first : others[low - 1]
        let end = piece.sourceEnd
        guard offset < Int(textLength) else { return end..<end }
        guard piece.isCopy else { return Int(piece.source)..<end }
        let start = Int(piece.source) + offset - Int(piece.text)
        return start..<start + 1
    }
}
