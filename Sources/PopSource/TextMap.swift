/// From the bytes of a decoded text back to the bytes of the file that it was written in.
///
/// A text is made of pieces in order. In a copied piece each byte of the text is one byte of the
/// file; any other piece (an escape such as `\u00e9`, a folded line break) is one unit: all its
/// bytes map to the whole unit.
public struct TextMap: Sendable, Hashable {
    struct Piece: Sendable, Hashable {
        // Many texts of one set are held with their maps, so the fields are as small as those of a
        // range.
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

    /// Where the text was written.
    public let file: FileID
    // Apart from the others, since most texts are one piece and then need no array.
    private var first: Piece
    private var others: [Piece] = []
    private var textLength: UInt32
    /// How the text is written there.
    public var quoting = Quoting.none

    /// A text that stands in the file as it is, from `offset` on.
    public init(file: FileID, offset: Int, length: Int) {
        self.file = file
        first = Piece(text: 0, source: offset, sourceLength: length, isCopy: true)
        textLength = UInt32(length)
    }

    /// An empty map whose pieces are appended as the text is decoded; an empty text lies at
    /// `offset`.
    public init(file: FileID, startingAt offset: Int) {
        self.init(file: file, offset: offset, length: 0)
    }

    /// Appends `length` bytes of text that stand in the file as they are.
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

    /// Appends `length` bytes of text that are written in the file as the unit `source`.
    public mutating func appendUnit(_ source: Range<Int>, length: Int) {
        guard length > 0 else { return }
        append(
            Piece(
                text: Int(textLength), source: source.lowerBound, sourceLength: source.count,
                isCopy: false))
        textLength += UInt32(length)
    }

    /// Appends what a part of another text is made of.
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

    /// The place of a range of the text in the file. Offsets behind the text map to its end.
    ///
    /// Logarithmic in the number of pieces; constant for a text that stands in the file as it is.
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
