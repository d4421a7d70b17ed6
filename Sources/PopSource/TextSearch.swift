// As the standard library's functions of these names, which Embedded Swift has not got, and which
// take no quote for one when an accent follows it: here a text stands where its bytes do.

extension StringProtocol {
    /// Whether another text stands anywhere in this one; one that is empty always does.
    package func contains(_ part: String) -> Bool {
        var rest = Array(utf8)[...]
        let part = Array(part.utf8)
        guard let first = part.first else { return true }
        while let found = rest.firstIndex(of: first) {
            if rest[found...].starts(with: part) { return true }
            rest = rest[(found + 1)...]
        }
        return false
    }

    /// This text with each place of another one replaced; an empty one stands nowhere.
    package func replacing(_ part: String, with replacement: String) -> String {
        var rest = Array(utf8)[...]
        let part = Array(part.utf8)
        guard let first = part.first else { return String(self) }
        var new: [UInt8] = []
        while let found = rest.firstIndex(of: first) {
            let isWhole = rest[found...].starts(with: part)
            new += rest[..<found]
            new += isWhole ? Array(replacement.utf8) : [first]
            rest = rest[(found + (isWhole ? part.count : 1))...]
        }
        return String(decoding: new + rest, as: UTF8.self)
    }
}
