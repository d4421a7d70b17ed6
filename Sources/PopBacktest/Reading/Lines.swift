/// The place of the next end of a line, a line feed or a carriage return, or `end`.
func lineEnd(from start: Int, to end: Int, in block: [UInt8]) -> Int {
    let feed = place(of: UInt8(ascii: "\n"), from: start, to: end, in: block)
    return place(of: UInt8(ascii: "\r"), from: start, to: feed, in: block)
}

/// The place behind the end of a line, of one or of two bytes.
func behindLineEnd(_ place: Int, in block: [UInt8]) -> Int {
    let isPair =
        place + 1 < block.count && block[place] == UInt8(ascii: "\r")
        && block[place + 1] == UInt8(ascii: "\n")
    return place + (isPair ? 2 : 1)
}

func isLineEnd(_ byte: UInt8) -> Bool {
    byte <= UInt8(ascii: "\r") && (byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r"))
}
