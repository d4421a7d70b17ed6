internal import PopSource

/// Two escapes such as `\ud83d\ude00`, with which JSON writes one character beyond U+FFFF. YAML has
/// `\U0001F600` instead.
///
/// Source: RFC 8259, section 7.
package struct SurrogatePair {
    /// The range of the bytes of both escapes.
    let place: Range<Int>
    let scalar: Unicode.Scalar

    /// Creates the pair that begins at an offset; nil if no pair begins there.
    init?(_ bytes: [UInt8], at start: Int) {
        let units = [start, start + 6].map { offset -> UInt32 in
            guard offset + 6 <= bytes.count, bytes[offset] == UInt8(ascii: "\\"),
                bytes[offset + 1] == UInt8(ascii: "u")
            else { return 0 }
            return UInt32(
                String(decoding: bytes[offset + 2..<offset + 6], as: UTF8.self), radix: 16) ?? 0
        }
        guard (0xD800...0xDBFF).contains(units[0]), (0xDC00...0xDFFF).contains(units[1]),
            let scalar = Unicode.Scalar(
                0x10000 + (units[0] - 0xD800) << 10 + (units[1] - 0xDC00))
        else { return nil }
        place = start..<start + 12
        self.scalar = scalar
    }

    /// The escape of YAML.
    var escape: String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// Returns the bytes of a JSON file with all pairs replaced by YAML escapes. Linear.
    package static func replaced(in bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var offset = 0
        while offset < bytes.count {
            let isEscape = bytes[offset] == UInt8(ascii: "\\")
            if isEscape, let pair = SurrogatePair(bytes, at: offset) {
                result += Array(pair.escape.utf8)
                offset = pair.place.upperBound
                continue
            }
            // The character after a backslash doesn't begin an escape.
            let length = isEscape ? min(2, bytes.count - offset) : 1
            result += bytes[offset..<offset + length]
            offset += length
        }
        return result
    }
}
