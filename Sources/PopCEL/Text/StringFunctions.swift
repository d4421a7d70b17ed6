/// The functions of the strings extension. Positions count Unicode scalars from 0.
///
/// Rules: `strings` in the documentation of cel-go's extensions, version 4, and the conformance
/// suite `string_ext`, in which a start after the end of the string is an error.
enum StringFunctions {
    /// Returns the character at a position; the empty string at the end.
    static func charAt(_ text: String, at position: Int64) throws(EvaluationError) -> String {
        let start = try index(position, in: text)
        return start == text.unicodeScalars.endIndex ? "" : String(text.unicodeScalars[start])
    }

    /// Returns the characters from a position to the end.
    static func substring(_ text: String, from start: Int64) throws(EvaluationError) -> String {
        String(text.unicodeScalars[try index(start, in: text)...])
    }

    /// Returns the characters from a position up to, but not including, another one.
    static func substring(
        _ text: String, from start: Int64, to end: Int64
    ) throws(EvaluationError) -> String {
        let lower = try index(start, in: text)
        let upper = try index(end, in: text)
        guard lower <= upper else { throw .reversedRange(start, to: end) }
        return String(text.unicodeScalars[lower..<upper])
    }

    /// Returns the first position from `start` on at which another string occurs; -1 if it doesn't
    /// occur.
    static func indexOf(
        _ text: String, wanted: String, from start: Int64 = 0
    ) throws(EvaluationError) -> Int64 {
        let first = try index(start, in: text)
        guard !wanted.isEmpty else { return start }
        var found: Int?
        SubstringSearch(wanted).forEachMatch(in: text.utf8[first...]) { offset in
            found = offset
            return false
        }
        return found.map { start + scalarCount(text.utf8[first...].prefix($0)) } ?? -1
    }

    /// Returns the last position, up to `end` if it is given, at which another string begins; -1 if
    /// it doesn't occur.
    static func lastIndexOf(
        _ text: String, wanted: String, upTo end: Int64? = nil
    ) throws(EvaluationError) -> Int64 {
        let last = try end.map { end throws(EvaluationError) in try index(end, in: text) }
        guard !wanted.isEmpty else { return end ?? scalarCount(text.utf8[...]) }
        let limit = last.map { text.utf8.distance(from: text.startIndex, to: $0) } ?? .max
        var found: Int?
        SubstringSearch(wanted).forEachMatch(in: text.utf8, overlapping: true) { offset in
            if offset <= limit { found = offset }
            return offset <= limit
        }
        return found.map { scalarCount(text.utf8.prefix($0)) } ?? -1
    }

    /// Returns the string with ASCII capitals in lower case.
    static func lowerAscii(_ text: String) -> String {
        mapBytes(text) { (65...90).contains($0) ? $0 + 32 : $0 }
    }

    /// Returns the string with lower-case ASCII letters in upper case.
    static func upperAscii(_ text: String) -> String {
        mapBytes(text) { (97...122).contains($0) ? $0 - 32 : $0 }
    }

    /// Returns the string without the Unicode white space at its ends.
    static func trim(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[first...last])
    }

    /// Returns the Unicode scalars in reverse order.
    static func reverse(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var reversed = [UInt8](repeating: 0, count: bytes.count)
        var next = 0
        var end = bytes.count
        for start in bytes.indices.reversed() where bytes[start] & 0xC0 != 0x80 {
            for index in start..<end {
                reversed[next] = bytes[index]
                next += 1
            }
            end = start
        }
        return String(decoding: reversed, as: UTF8.self)
    }

    /// Returns the string in double quotes, with CEL's escapes where they are needed.
    static func quote(_ text: String) -> String {
        var quoted: [UInt8] = [UInt8(ascii: "\"")]
        quoted.reserveCapacity(text.utf8.count + 2)
        for byte in text.utf8 {
            let escaped: Unicode.Scalar? =
                switch Unicode.Scalar(byte) {
                case "\u{07}": "a"
                case "\u{08}": "b"
                case "\u{0C}": "f"
                case "\n": "n"
                case "\r": "r"
                case "\t": "t"
                case "\u{0B}": "v"
                case "\\": "\\"
                case "\"": "\""
                default: nil
                }
            if let escaped {
                quoted += [UInt8(ascii: "\\"), UInt8(ascii: escaped)]
            } else {
                quoted.append(byte)
            }
        }
        quoted.append(UInt8(ascii: "\""))
        return String(decoding: quoted, as: UTF8.self)
    }
}

extension StringFunctions {
    private static func mapBytes(_ text: String, transform: (UInt8) -> UInt8) -> String {
        String(decoding: text.utf8.map(transform), as: UTF8.self)
    }

    private static func index(
        _ position: Int64, in text: String
    ) throws(EvaluationError) -> String.Index {
        let scalars = text.unicodeScalars
        guard position >= 0, position <= text.utf8.count,
            let index = scalars.index(
                scalars.startIndex, offsetBy: Int(position), limitedBy: scalars.endIndex)
        else { throw .positionOutside(position, count: scalars.count) }
        return index
    }
}

/// Returns the number of Unicode scalars in UTF-8 bytes that begin and end between scalars.
func scalarCount(_ bytes: some Sequence<UInt8>) -> Int64 {
    bytes.reduce(0) { count, byte in byte & 0xC0 == 0x80 ? count : count + 1 }
}

extension EvaluationError {
    fileprivate static func positionOutside(_ position: Int64, count: Int) -> Self {
        EvaluationError(
            "the position \(position) is outside the string, which has \(count) "
                + (count == 1 ? "character" : "characters"))
    }

    fileprivate static func reversedRange(_ start: Int64, to end: Int64) -> Self {
        EvaluationError("the substring starts at \(start), after its end at \(end)")
    }
}

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
        let new = Array(new.utf8)
        var start = 0
        for place in places {
            result += bytes[start..<place]
            result += new
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
