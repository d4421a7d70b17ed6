/// Words that a text is looked for among, as bytes side by side: no string is made of the text.
package struct WordList: Sendable {
    private var bytes: [UInt8] = []
    /// Where each word ends among the bytes.
    private var ends: [Int] = []

    package init(_ words: [String]) {
        for word in words {
            bytes += word.utf8
            ends.append(bytes.count)
        }
    }

    /// The number of the word that a scalar is. Linear, but most words differ in length or in their first byte.
    package func index(of node: YAMLNode) -> Int? {
        let record = node.record
        guard record.kind == .scalar else { return nil }
        let length = Int(record.count)
        var start = 0
        for index in ends.indices {
            let end = ends[index]
            if end - start == length, node.tree.hasText(record, bytes, from: start) { return index }
            start = end
        }
        return nil
    }
}
