/// Writes values of a log one after the other: a byte for the kind, then the value.
///
/// Events of one time are in the order of these bytes: absent values come first, whether they are
/// missing or null.
struct FieldWriter {
    private(set) var bytes: [UInt8] = []

    mutating func add(_ scalar: LogScalar) {
        switch scalar {
        case .missing: bytes.append(0)
        case .null: bytes.append(1)
        case .bool(let flag): bytes.append(flag ? 3 : 2)
        case .int(let number): add(number: UInt64(bitPattern: number), kind: 4)
        case .double(let number): add(number: number.bitPattern, kind: 5)
        case .text(let text): add(text: text, kind: 6)
        case .json(let text): add(text: text, kind: 7)
        }
    }

    private mutating func add(number: UInt64, kind: UInt8) {
        bytes.append(kind)
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    private mutating func add(text: String, kind: UInt8) {
        bytes.append(kind)
        var rest = UInt64(text.utf8.count)
        while rest >= 128 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
        bytes += text.utf8
    }
}

/// Reads what `FieldWriter` has written; what is cut off is missing.
struct FieldReader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> LogScalar {
        switch nextByte() {
        case 1: .null
        case 2: .bool(false)
        case 3: .bool(true)
        case 4: .int(Int64(bitPattern: number()))
        case 5: .double(Double(bitPattern: number()))
        case 6: .text(text())
        case 7: .json(text())
        default: .missing
        }
    }

    private mutating func nextByte() -> UInt8 {
        guard place < bytes.count else { return 0 }
        place += 1
        return bytes[place - 1]
    }

    private mutating func number() -> UInt64 {
        (0..<8).reduce(0) { number, _ in number << 8 | UInt64(nextByte()) }
    }

    private mutating func text() -> String {
        var length = 0
        var shift = 0
        while shift <= 56 {
            let byte = nextByte()
            length |= Int(byte & 127) << shift
            shift += 7
            if byte < 128 { break }
        }
        let start = place
        place = start + min(length, bytes.count - start)
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }
}
