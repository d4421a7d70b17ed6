/// Finds a string in others in time linear in their lengths, in all cases (Knuth, Morris, Pratt).
struct SubstringSearch: Sendable {
    private let wanted: [UInt8]
    /// For each number of matching bytes, the number that still match if the next byte doesn't.
    private let fallback: [Int]

    init(_ wanted: String) {
        let bytes = Array(wanted.utf8)
        var fallback = [Int](repeating: 0, count: bytes.count + 1)
        var matched = 0
        for index in bytes.indices.dropFirst() {
            while matched > 0, bytes[index] != bytes[matched] { matched = fallback[matched] }
            if bytes[index] == bytes[matched] { matched += 1 }
            fallback[index + 1] = matched
        }
        self.wanted = bytes
        self.fallback = fallback
    }

    /// Returns true if the string occurs anywhere in the bytes.
    func occurs(in bytes: some Sequence<UInt8>) -> Bool {
        var isFound = false
        forEachMatch(in: bytes) { _ in
            isFound = true
            return false
        }
        return isFound
    }

    /// Calls `body` with the offset of each occurrence, from left to right, until it returns false.
    ///
    /// The empty string occurs before each byte and at the end.
    func forEachMatch(
        in bytes: some Sequence<UInt8>, overlapping: Bool = false, _ body: (Int) -> Bool
    ) {
        guard !wanted.isEmpty || body(0) else { return }
        var matched = 0
        var offset = 0
        for byte in bytes {
            offset += 1
            while matched > 0, byte != wanted[matched] { matched = fallback[matched] }
            if matched < wanted.count, byte == wanted[matched] { matched += 1 }
            guard matched == wanted.count else { continue }
            guard body(offset - wanted.count) else { return }
            matched = overlapping ? fallback[matched] : 0
        }
    }
}
