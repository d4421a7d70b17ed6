/// JSON strings, without the quotes around them.
enum JSONText {
    /// Writes the content of a string after the end of the block that contains it. Half a surrogate
    /// pair is written as the replacement character.
    static func unescape(_ range: Range<Int>, of block: inout [UInt8]) {
        var place = range.lowerBound
        while place < range.upperBound {
            let byte = block[place]
            place += 1
            guard byte == UInt8(ascii: "\\"), place < range.upperBound else {
                block.append(byte)
                continue
            }
            let mark = block[place]
            place += 1
            switch mark {
            case UInt8(ascii: "n"): block.append(10)
            case UInt8(ascii: "t"): block.append(9)
            case UInt8(ascii: "r"): block.append(13)
            case UInt8(ascii: "b"): block.append(8)
            case UInt8(ascii: "f"): block.append(12)
            case UInt8(ascii: "u"): unescapeUnit(&place, end: range.upperBound, in: &block)
            default: block.append(mark)
            }
        }
    }

    private static func unescapeUnit(_ place: inout Int, end: Int, in block: inout [UInt8]) {
        guard let first = unit(at: place, end: end, in: block) else { return }
        place += 4
        var code = UInt32(first)
        if first & 0xFC00 == 0xD800, place + 1 < end, block[place] == UInt8(ascii: "\\"),
            block[place + 1] == UInt8(ascii: "u"),
            let second = unit(at: place + 2, end: end, in: block), second & 0xFC00 == 0xDC00
        {
            place += 6
            code = 0x10000 + (UInt32(first) & 0x3FF) << 10 + UInt32(second) & 0x3FF
        }
        let scalar = Unicode.Scalar(code) ?? "\u{FFFD}"
        block += Array(String(Character(scalar)).utf8)
    }

    private static func unit(at place: Int, end: Int, in block: [UInt8]) -> UInt16? {
        guard place + 4 <= end else { return nil }
        return UInt16(String(decoding: block[place..<place + 4], as: UTF8.self), radix: 16)
    }
}
