import Testing

/// Bytes that are packed as a file of gzip, stored as they are.
func gzip(_ bytes: [UInt8], pieces: Int = 65_535) -> [UInt8] {
    var packed: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    var start = 0
    repeat {
        let end = min(start + pieces, bytes.count)
        let count = UInt16(end - start)
        packed.append(end == bytes.count ? 1 : 0)
        for number in [count, ~count] {
            packed += [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
        }
        packed += bytes[start..<end]
        start = end
    } while start < bytes.count
    return packed + littleEndian(checksum(bytes, count: 1)) + littleEndian(UInt32(bytes.count))
}

/// Returns a gzip file that repeats a byte very often: 13 bits for 258 copies.
func gzipBomb(_ byte: UInt8, count: Int) -> [UInt8] {
    var writer = BitWriter()
    writer.add(1, count: 1)
    writer.add(1, count: 2)
    writer.addReversed(0x30 + UInt32(byte), count: 8)
    let copies = (count - 1) / 258
    for _ in 0..<copies {
        writer.addReversed(0b1100_0101, count: 8)
        writer.addReversed(0, count: 5)
    }
    writer.addReversed(0, count: 7)
    let all = copies * 258 + 1
    return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + writer.bytes
        + littleEndian(checksum([byte], count: all)) + littleEndian(UInt32(all))
}

/// Bytes that are packed as a frame of zstd, stored as they are.
func zstd(_ bytes: [UInt8], pieces: Int = 131_072) -> [UInt8] {
    var packed = zstdHead(bits: 17)
    var start = 0
    repeat {
        let end = min(start + pieces, bytes.count)
        packed += zstdBlock(kind: 0, count: end - start, isLast: end == bytes.count)
        packed += bytes[start..<end]
        start = end
    } while start < bytes.count
    return packed
}

/// Returns a zstd frame that repeats a byte very often: four bytes for 131,072 copies.
func zstdBomb(_ byte: UInt8, blocks: Int) -> [UInt8] {
    zstdHead(bits: 17)
        + (1...blocks).flatMap { zstdBlock(kind: 1, count: 131_072, isLast: $0 == blocks) + [byte] }
}

/// The start of a frame whose window has 2 to the power of some bits.
func zstdHead(bits: UInt8) -> [UInt8] { [0x28, 0xB5, 0x2F, 0xFD, 0, (bits - 10) << 3] }

private func zstdBlock(kind: Int, count: Int, isLast: Bool) -> [UInt8] {
    let head = (isLast ? 1 : 0) | kind << 1 | count << 3
    return [0, 8, 16].map { UInt8(truncatingIfNeeded: head >> $0) }
}

private func littleEndian(_ number: UInt32) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
}

/// CRC-32 of bytes that come again and again.
private func checksum(_ bytes: [UInt8], count: Int) -> UInt32 {
    var crc = UInt32.max
    for _ in 0..<count {
        for byte in bytes {
            crc = checksums[Int((crc ^ UInt32(byte)) & 255)] ^ crc >> 8
        }
    }
    return ~crc
}

private let checksums: [UInt32] = (0..<256).map { number in
    (0..<8).reduce(UInt32(number)) { crc, _ in crc & 1 == 1 ? 0xEDB8_8320 ^ crc >> 1 : crc >> 1 }
}

private struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var bits = 0

    mutating func add(_ number: UInt32, count: Int) {
        for bit in 0..<count {
            if bits & 7 == 0 { bytes.append(0) }
            bytes[bytes.count - 1] |= UInt8(number >> UInt32(bit) & 1) << UInt8(bits & 7)
            bits += 1
        }
    }

    /// Codes begin with their highest bit.
    mutating func addReversed(_ number: UInt32, count: Int) {
        for bit in (0..<count).reversed() { add(number >> UInt32(bit) & 1, count: 1) }
    }
}
