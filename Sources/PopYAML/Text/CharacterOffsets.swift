/// Converts libyaml's places, which count characters, to bytes of the file.
///
/// Takes constant time in an ASCII file. In other files it steps from the last requested place, so
/// that requests in the order of the file are linear in total.
struct CharacterOffsets {
    private let isASCII: Bool
    /// The start of libyaml's input, after a byte order mark.
    private let base: Int
    private var character = 0
    private var byte: Int

    init(isASCII: Bool, base: Int) {
        self.isASCII = isASCII
        self.base = base
        byte = base
    }

    /// Returns the offset of a character in valid UTF-8; the end for characters after the last.
    mutating func byte(ofCharacter wanted: Int, in bytes: [UInt8]) -> Int {
        if isASCII { return min(base + wanted, bytes.count) }
        while character < wanted, byte < bytes.count {
            byte += 1
            while byte < bytes.count, bytes[byte] & 0xC0 == 0x80 { byte += 1 }
            character += 1
        }
        while character > wanted, byte > base {
            byte -= 1
            while byte > base, bytes[byte] & 0xC0 == 0x80 { byte -= 1 }
            character -= 1
        }
        return byte
    }
}
