/// Ranges of scalars as sequences of ranges of UTF-8 bytes.
enum UTF8Ranges {
    /// Returns sequences, in ascending order, that together match exactly the encodings of a set's
    /// scalars.
    static func sequences(of set: ScalarSet) -> [[ClosedRange<UInt8>]] {
        set.ranges.flatMap { range in
            ScalarRange.encodable.flatMap { split(range.clamped($0, $1)) }
        }
    }

    /// The ranges of scalars whose encodings have the same length; surrogates have none.
    private enum ScalarRange {
        static let encodable: [(UInt32, UInt32)] = [
            (0, 0x7F), (0x80, 0x7FF), (0x800, 0xD7FF), (0xE000, 0xFFFF), (0x10000, 0x10FFFF),
        ]
    }

    /// Splits until all bytes after the first that differs between the ends range over all values.
    private static func split(_ range: ClosedRange<UInt32>?) -> [[ClosedRange<UInt8>]] {
        guard let range else { return [] }
        let (low, high) = (range.lowerBound, range.upperBound)
        for bits in [6, 12, 18] as [UInt32] {
            let mask = (UInt32(1) << bits) - 1
            guard high > 0x7F, low & ~mask != high & ~mask else { continue }
            if low & mask != 0 {
                return split(low...(low | mask)) + split(((low | mask) + 1)...high)
            }
            if high & mask != mask {
                return split(low...((high & ~mask) - 1)) + split((high & ~mask)...high)
            }
        }
        return [zip(encode(low), encode(high)).map { $0...$1 }]
    }

    private static func encode(_ value: UInt32) -> [UInt8] {
        Unicode.Scalar(value).map { Array($0.utf8) } ?? []
    }
}

extension ClosedRange where Bound == UInt32 {
    /// Returns the part between two bounds; nil if no part of the range is between them.
    fileprivate func clamped(_ low: UInt32, _ high: UInt32) -> ClosedRange? {
        overlaps(low...high) ? clamped(to: low...high) : nil
    }
}
