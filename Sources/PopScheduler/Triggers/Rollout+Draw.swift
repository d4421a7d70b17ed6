package import PopCEL

extension Rollout {
    /// Whether the user with this value of the key is among those who see the popup.
    ///
    /// The salt and the value are hashed to one of a million places: the same on every device and
    /// in every version.
    package func includes(_ value: Value?) -> Bool {
        if percent >= 100 { return true }
        guard percent > 0, let bytes = value.flatMap(Self.bytes) else { return false }
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in Array(salt.utf8) + [0] + bytes {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        let place = SplitMix64.mix(hash) % 1_000_000
        return Double(place) < percent * 10_000
    }

    /// Nil for values that tell nobody apart.
    private static func bytes(of value: Value) -> [UInt8]? {
        switch value {
        case .string(let text): Array(text.utf8)
        case .int(let number): Array("\(number)".utf8)
        case .uint(let number): Array("\(number)".utf8)
        case .bool(let flag): Array("\(flag)".utf8)
        case .bytes(let bytes): bytes
        case .null, .double, .timestamp, .duration, .list, .map, .type, .optional: nil
        }
    }
}
