/// Words that a text is looked for among, as bytes side by side: no string is made of the text.
package struct WordList: Sendable {
    private var bytes: [UInt8] = []
    /// Where each word begins among the bytes.
    private var starts: [Int] = []
    private var signatures: [Int] = []

    package init(_ words: [String]) {
        for word in words {
            starts.append(bytes.count)
            signatures.append(Self.signature(length: word.utf8.count, first: word.utf8.first))
            bytes += word.utf8
        }
    }

    /// What most words differ in: the length and the first byte.
    private static func signature(length: Int, first: UInt8?) -> Int {
        length << 8 | Int(first ?? 0)
    }

    /// The number of the word that a scalar is. Linear in the words.
    package func index(of node: YAMLNode) -> Int? {
        let record = node.record
        guard record.kind == .scalar else { return nil }
        let wanted = Self.signature(
            length: Int(record.count), first: node.tree.firstByte(of: record))
        for index in signatures.indices where signatures[index] == wanted {
            if node.tree.hasText(record, bytes, from: starts[index]) { return index }
        }
        return nil
    }
}
