/// From libyaml's places, which count characters, to bytes of the file.
///
/// Constant in a file of ASCII alone. In others it steps from the place that was asked for last, so
/// that asking in the order of the file is linear altogether.
struct CharacterOffsets {
    private let isASCII: Bool
    /// Where libyaml's input begins: behind a byte order mark.
    private let base: Int
    private var character = 0
    private var byte: Int

    init(isASCII: Bool, base: Int) {
        self.isASCII = isASCII
        self.base = base
        byte = base
    }

    /// The offset of a character in valid UTF-8; the end for those behind the last.
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
