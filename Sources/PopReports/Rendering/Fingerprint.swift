internal import PopSource

/// The identity of a diagnostic when lines above it are added or removed: the check, the file and
/// the text of its line.
///
/// Diagnostics that agree in all three are numbered in the order of printing.
public struct Fingerprint: Sendable, Hashable {
    /// 16 hexadecimal digits.
    public let hash: String
    /// From 1.
    public let occurrence: Int

    /// Both parts with a colon, as in baselines and code quality reports.
    public var text: String { "\(hash):\(occurrence)" }
}

extension Report {
    /// The fingerprints of the diagnostics, in their order. Linear in the diagnostics.
    public var fingerprints: [Fingerprint] {
        var seen: [String: Int] = [:]
        return findings.map { finding in
            let parts = [finding.check.id, path(of: finding.range), line(of: finding.range)]
            let hash = paddedHexadecimal(fnv1a(parts.joined(separator: "\0")))
            seen[hash, default: 0] += 1
            return Fingerprint(hash: hash, occurrence: seen[hash, default: 1])
        }
    }
}

/// Returns Fowler, Noll and Vo's hash 1a with 64 bits, which is the same in every run and on every
/// machine.
private func fnv1a(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}

private func paddedHexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}
