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
