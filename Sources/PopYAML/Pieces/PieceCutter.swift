package import PopSource

/// One of the texts that a long file is cut into: whole entries of a map at the top of the file, or of a map below one
/// of its keys.
package struct YAMLPiece: Sendable, Hashable {
    /// Its bytes in the file: whole lines.
    let bytes: Range<Int>
    /// Where its first entry begins; nil in the first piece, which may begin with anything.
    let firstEntry: Int?
    /// The key at the top of the file below whose name the piece begins; nil when it begins with such a key.
    package let section: Section?
    /// The last key at the top of the file that stands in the piece or that it stands below.
    let last: Section
    /// Whether the next piece goes on below that key.
    let isContinued: Bool

    /// A key at the top of a file, as the lines look.
    package struct Section: Sendable, Hashable {
        let file: FileID
        /// Where the key begins.
        let key: Int
        /// The bytes of the key, as far as they are those of a name.
        let nameEnd: Int
        /// Where the first entry below it begins, and how deep the entries are indented; nil before there is one.
        var firstEntry: Int?
        var indentation = 0

        package var name: SourceRange { SourceRange(file: file, key..<nameEnd) }
    }
}

/// Cuts a long file before keys, by nothing but the indentation of its lines.
///
/// A line that is indented as the first one below a key at the top is taken for the next entry below that key. It may
/// be something else, such as a line of a text in quotes; then the piece before it does not end as YAML.
struct PieceCutter {
    private let text: CheckedText
    private let length: Int
    private var pieces: [YAMLPiece] = []
    private var start: Int
    private var firstEntry: Int?
    private var startSection: YAMLPiece.Section?
    private var section: YAMLPiece.Section?

    /// Pieces are cut at the first place behind so many bytes.
    init(_ text: CheckedText, length: Int) {
        self.text = text
        self.length = length
        start = text.start
    }

    /// The pieces in order, which together are the whole file; none when it cannot be cut.
    mutating func cut() -> [YAMLPiece] {
        let all = text.bytes
        let bytes = all.span
        var line = text.start
        while line < bytes.count {
            var offset = line
            while offset < bytes.count, bytes[offset] == UInt8(ascii: " ") { offset += 1 }
            if offset < bytes.count, !Self.isPassedOver(bytes[offset]) {
                guard add(line: line, at: offset, bytes[offset]) else { return [] }
            }
            while offset < bytes.count, bytes[offset] != UInt8(ascii: "\n") { offset += 1 }
            line = offset + 1
        }
        guard !pieces.isEmpty else { return [] }
        end(before: bytes.count, at: nil, isContinued: false)
        return pieces
    }

    /// Looks at a line whose first character stands at `offset`; false when the file cannot be cut.
    private mutating func add(line: Int, at offset: Int, _ byte: UInt8) -> Bool {
        let indentation = offset - line
        guard indentation > 0 else {
            // A marker of a document, or a list: only in front of everything else.
            guard Self.beginsKey(byte) else { return section == nil }
            if startSection != nil || line - start >= length {
                end(before: line, at: offset, isContinued: false)
            }
            section = YAMLPiece.Section(file: text.file, key: line, nameEnd: nameEnd(from: line))
            return true
        }
        guard let current = section else { return true }
        if current.firstEntry == nil {
            section?.firstEntry = offset
            section?.indentation = indentation
        } else if indentation == current.indentation, line - start >= length,
            Self.beginsKey(byte)
        {
            end(before: line, at: offset, isContinued: true)
        }
        return true
    }

    private mutating func end(before line: Int, at next: Int?, isContinued: Bool) {
        guard let section else { return }
        pieces.append(
            YAMLPiece(
                bytes: start..<line, firstEntry: firstEntry, section: startSection, last: section,
                isContinued: isContinued))
        (start, firstEntry) = (line, next)
        startSection = isContinued ? section : nil
    }

    private func nameEnd(from start: Int) -> Int {
        var end = start
        while end < text.bytes.count, Self.beginsKey(text.bytes[end]) { end += 1 }
        return end
    }

    /// Blank lines and comments.
    private static func isPassedOver(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "#")
    }

    private static func beginsKey(_ byte: UInt8) -> Bool {
        isAnchorCharacter(byte) && byte != UInt8(ascii: "-")
    }
}
