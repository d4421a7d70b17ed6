/// Returns a part of a file as a message quotes it: on one line, and not longer than a line.
func shownText(_ bytes: [UInt8], at range: Range<Int>) -> String {
    let longest = 60
    var end = range.upperBound
    if range.count > longest {
        end = range.lowerBound + longest
        while end > range.lowerBound, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    }
    let line = bytes[range.lowerBound..<end].map { byte in
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") ? UInt8(ascii: " ") : byte
    }
    return String(decoding: line, as: UTF8.self) + (end < range.upperBound ? "…" : "")
}
