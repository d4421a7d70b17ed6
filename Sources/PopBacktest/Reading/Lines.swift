/// The place of the next end of a line, a line feed or a carriage return, or `end`.
///
/// Looks at a few bytes first, then at twice as many, so that files whose lines all end by the same
/// of both are not searched to their end for the other one.
func lineEnd(from start: Int, to end: Int, in block: [UInt8]) -> Int {
    var start = start
    var count = 256
    while start < end {
        let stop = min(start + count, end)
        let feed = place(of: UInt8(ascii: "\n"), from: start, to: stop, in: block)
        let found = place(of: UInt8(ascii: "\r"), from: start, to: feed, in: block)
        if found < stop { return found }
        start = stop
        count *= 2
    }
    return end
}

/// Returns the place after the end of a line, of one or of two bytes.
func behindLineEnd(_ place: Int, in block: [UInt8]) -> Int {
    let isPair =
        place + 1 < block.count && block[place] == UInt8(ascii: "\r")
        && block[place + 1] == UInt8(ascii: "\n")
    return place + (isPair ? 2 : 1)
}

func isLineEnd(_ byte: UInt8) -> Bool {
    byte <= UInt8(ascii: "\r") && (byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r"))
}
