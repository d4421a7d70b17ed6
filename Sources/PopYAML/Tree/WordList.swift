/// Words that a text is compared with, as bytes side by side: no string is created from the text.
package struct WordList: Sendable {
    private var bytes: [UInt8] = []
    /// The start of each word among the bytes.
    private var starts: [Int] = []
    private var signatures: [Int] = []
    /// Open addressing by the signatures: one more than the number of a word, or 0.
    private var table: [UInt8]

    package init(_ words: [String]) {
        precondition(words.count < 255, "a byte of the table is the number of a word")
        var size = 8
        while size < words.count * 4 { size *= 2 }
        table = Array(repeating: 0, count: size)
        for word in words {
            let text = Array(word.utf8)
            let signature = Self.signature(
                length: text.count, first: text.first ?? 0, last: text.last ?? 0)
            starts.append(bytes.count)
            signatures.append(signature)
            bytes += text
            var slot = place(of: signature)
            while table[slot] != 0 { slot = (slot + 1) & (table.count - 1) }
            table[slot] = UInt8(starts.count)
        }
    }

    /// Returns the properties in which most words differ: the length, the first byte and the last
    /// byte.
    private static func signature(length: Int, first: UInt8, last: UInt8) -> Int {
        length << 16 | Int(first) << 8 | Int(last)
    }

    private func place(of signature: Int) -> Int {
        (signature >> 16 &+ (signature >> 8) &* 5 &+ signature &* 3) & (table.count - 1)
    }

    /// Returns the number of the word that equals a key of a mapping.
    package func index(ofKeyAt position: Int, in entries: YAMLEntries) -> Int? {
        let record = entries.recordOfKey(at: position)
        return index(of: record, in: entries.tree)
    }

    /// Returns the number of the word that equals a scalar.
    package func index(of node: YAMLNode) -> Int? { index(of: node.record, in: node.tree) }

    private func index(of record: NodeRecord, in tree: YAMLTree) -> Int? {
        guard record.kind == .scalar else { return nil }
        let range = Int(record.first)..<Int(record.first + record.count)
        // Two separate calls: selecting one of the arrays first would retain it.
        return record.flags.contains(.isDecoded)
            ? index(of: range, of: tree.decoded) : index(of: range, of: tree.bytes)
    }

    private func index(of range: Range<Int>, of bytes: borrowing [UInt8]) -> Int? {
        index(of: bytes.span.extracting(range))
    }

    /// Returns the number of the word that equals a text; the time doesn't depend on the number of
    /// words.
    package func index(of text: Span<UInt8>) -> Int? {
        let count = text.count
        let wanted = Self.signature(
            length: count, first: count == 0 ? 0 : text[0], last: count == 0 ? 0 : text[count - 1])
        var slot = place(of: wanted)
        while table[slot] != 0 {
            let index = Int(table[slot]) - 1
            if signatures[index] == wanted, hasWord(at: starts[index], text) { return index }
            slot = (slot + 1) & (table.count - 1)
        }
        return nil
    }

    /// Returns true if the bytes from `start` on equal a text of the same length as the word there,
    /// except for the first and the last byte.
    private func hasWord(at start: Int, _ text: Span<UInt8>) -> Bool {
        var index = 1
        while index < text.count - 1 {
            if bytes[start + index] != text[index] { return false }
            index += 1
        }
        return true
    }
}
