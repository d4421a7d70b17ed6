import PopSource

/// A key that the user pressed.
enum PlayKey: Sendable, Equatable {
    case character(Character)
    case enter
    case backspace
    case escape
    case tab
    case up, down, pageUp, pageDown, home, end
    /// Control-U: empties the line.
    case clear
    /// Control-C, or Control-D.
    case interrupt
}

/// Makes keys of the bytes that a terminal sends, however they are cut into pieces.
struct PlayKeyReader: Sendable {
    /// The beginning of a character whose other bytes have yet to come.
    private var rest: [UInt8] = []

    /// The maximum number of bytes of pasted text; the rest is dropped.
    private static let longestPiece = 4096

    /// Keys that send sequences and mean nothing here are skipped.
    mutating func keys(in bytes: some Collection<UInt8>) -> [PlayKey] {
        var bytes = rest + bytes.prefix(Self.longestPiece)
        rest = []
        var keys: [PlayKey] = []
        while let first = bytes.first {
            if first == 0x1B {
                let length = Self.sequenceLength(bytes)
                if let key = Self.key(ofSequence: bytes.prefix(length)) { keys.append(key) }
                bytes.removeFirst(length)
            } else if first < 0x80 {
                if let key = Self.key(first) { keys.append(key) }
                bytes.removeFirst()
            } else {
                let length = Self.characterLength(first)
                guard bytes.count >= length else {
                    rest = bytes
                    break
                }
                if let text = String(utf8: bytes.prefix(length)) {
                    keys += text.map { .character($0) }
                }
                bytes.removeFirst(length)
            }
        }
        return keys
    }

    private static func key(_ byte: UInt8) -> PlayKey? {
        switch byte {
        case 0x03, 0x04: .interrupt
        case 0x0A, 0x0D: .enter
        case 0x08, 0x7F: .backspace
        case 0x09: .tab
        case 0x15: .clear
        case 0x00..<0x20: nil
        default: .character(Character(Unicode.Scalar(byte)))
        }
    }

    /// The key that sends a sequence (xterm's, with and without application mode); nil when it
    /// means nothing here.
    private static func key(ofSequence bytes: some Collection<UInt8>) -> PlayKey? {
        switch String(decoding: bytes.dropFirst(), as: UTF8.self) {
        case "": .escape
        case "[A", "OA": .up
        case "[B", "OB": .down
        case "[5~": .pageUp
        case "[6~": .pageDown
        case "[H", "OH", "[1~": .home
        case "[F", "OF", "[4~": .end
        default: nil
        }
    }

    /// Returns the number of bytes of a UTF-8 character, by its first byte.
    private static func characterLength(_ first: UInt8) -> Int {
        switch first {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
    }

    /// Bytes of the control sequence (ECMA-48) at the beginning; 1 for the Escape key.
    private static func sequenceLength(_ bytes: [UInt8]) -> Int {
        guard bytes.count > 1, bytes[1] == UInt8(ascii: "[") || bytes[1] == UInt8(ascii: "O")
        else { return 1 }
        let end = bytes.dropFirst(2).firstIndex { (0x40...0x7E).contains($0) }
        return end.map { $0 + 1 } ?? bytes.count
    }
}
