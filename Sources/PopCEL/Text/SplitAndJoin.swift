/// The functions of the strings extension that split and join strings.
///
/// The size of a result is computed before the result is created, and an error is thrown if it is
/// larger than `most` elements of a list or bytes of a string.
///
/// Rules: `strings` in the documentation of cel-go's extensions.
enum SplitAndJoin {
    /// Returns the parts between the occurrences of a separator, at most `limit` parts if that
    /// isn't negative.
    ///
    /// An empty separator splits into Unicode scalars.
    static func split(
        _ text: String, by separator: String, limit: Int64 = -1, most: Int
    ) throws(EvaluationError) -> [String] {
        guard limit != 0 else { return [] }
        if text.isEmpty, separator.isEmpty { return [] }
        let bytes = Array(text.utf8)
        var cuts = offsets(of: separator, in: bytes, limit: limit < 0 ? limit : limit - 1) {
            separator.isEmpty ? $0 > 0 && $0 < bytes.count : true
        }
        guard cuts.count < most else { throw .tooLarge("list") }
        cuts.append(bytes.count)
        var start = 0
        return cuts.map { cut in
            defer { start = cut + separator.utf8.count }
            return String(decoding: bytes[start..<cut], as: UTF8.self)
        }
    }

    /// Returns the string with the first `limit` occurrences of `old` replaced, or all of them if
    /// `limit` is negative.
    ///
    /// An empty `old` occurs before each Unicode scalar and at the end.
    static func replace(
        _ text: String, old: String, with new: String, limit: Int64 = -1, most: Int
    ) throws(EvaluationError) -> String {
        let bytes = Array(text.utf8)
        let places = offsets(of: old, in: bytes, limit: limit) { _ in true }
        let growth = places.count.multipliedReportingOverflow(by: new.utf8.count)
        guard !growth.overflow, growth.partialValue <= most,
            bytes.count - places.count * old.utf8.count + growth.partialValue <= most
        else { throw .tooLarge("string") }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + growth.partialValue)
        var start = 0
        for place in places {
            result += bytes[start..<place]
            result += new.utf8
            start = place + old.utf8.count
        }
        return String(decoding: result + bytes[start...], as: UTF8.self)
    }

    /// Returns the strings one after the other, with a separator between them.
    static func join(
        _ texts: [String], separator: String = "", most: Int
    ) throws(EvaluationError) -> String {
        let separators = separator.utf8.count.multipliedReportingOverflow(by: texts.count)
        let size = texts.reduce(separators.partialValue) { size, text in
            min(size, most + 1) + text.utf8.count
        }
        guard !separators.overflow, size <= most + separator.utf8.count else {
            throw .tooLarge("string")
        }
        return texts.joined(separator: separator)
    }

    /// Returns the offsets of the wanted occurrences, at most `limit` if that isn't negative.
    private static func offsets(
        of part: String, in bytes: [UInt8], limit: Int64, where isWanted: (Int) -> Bool
    ) -> [Int] {
        var offsets: [Int] = []
        guard limit != 0 else { return offsets }
        SubstringSearch(part).forEachMatch(in: bytes) { offset in
            let isInsideScalar = offset < bytes.count && bytes[offset] & 0xC0 == 0x80
            if !isInsideScalar, isWanted(offset) { offsets.append(offset) }
            return offsets.count != limit
        }
        return offsets
    }
}

extension EvaluationError {
    /// Returns the error for a result that exceeds the limit on its size.
    static func tooLarge(_ kind: String) -> Self {
        EvaluationError("the resulting \(kind) is too large")
    }
}
