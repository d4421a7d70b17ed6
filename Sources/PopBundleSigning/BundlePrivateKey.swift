internal import Crypto

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The half of a key pair that signs bundles (Ed25519). Its owner decides what apps show.
public struct BundlePrivateKey: Sendable {
    private static let prefix = "poprules-private-key:"
    private let key: Curve25519.Signing.PrivateKey

    /// A new key, from the random source of the system.
    public init() { key = Curve25519.Signing.PrivateKey() }

    /// Reads what `text` wrote; nil for anything else. White space at the end is passed over.
    public init?(_ text: String) {
        guard let data = keyData(in: text, after: Self.prefix),
            let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: data)
        else { return nil }
        self.key = key
    }

    /// The key as one line, to be kept secret.
    public var text: String { Self.prefix + key.rawRepresentation.base64EncodedString() }

    /// The half that checks.
    public var publicKey: BundlePublicKey { BundlePublicKey(key: key.publicKey) }

    func signature(of bytes: [UInt8]) throws -> [UInt8] { Array(try key.signature(for: bytes)) }
}

/// The half of a key pair that checks signatures: apps carry it in their code.
public struct BundlePublicKey: Sendable {
    private static let prefix = "poprules-public-key:"
    fileprivate let key: Curve25519.Signing.PublicKey

    fileprivate init(key: Curve25519.Signing.PublicKey) { self.key = key }

    /// Reads what `text` wrote; nil for anything else, and for a key that signatures without a
    /// private key can fit. White space at the end is passed over.
    public init?(_ text: String) {
        guard let data = keyData(in: text, after: Self.prefix), !SmallOrderPoint.isEncoded(data),
            let key = try? Curve25519.Signing.PublicKey(rawRepresentation: data)
        else { return nil }
        self.key = key
    }

    /// The key as one line.
    public var text: String { Self.prefix + key.rawRepresentation.base64EncodedString() }

    func isSignature(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
        key.isValidSignature(signature, for: bytes)
    }
}

extension BundlePublicKey: Equatable {
    public static func == (left: Self, right: Self) -> Bool { left.text == right.text }
}

/// The points of edwards25519 whose order is 8 or less: as public keys they fit signatures that no
/// private key made.
private enum SmallOrderPoint {
    /// Every encoding, without the bit of the sign.
    private static let encodings: [[UInt8]] = [
        [UInt8](repeating: 0, count: 32), [1] + [UInt8](repeating: 0, count: 31),
        [0xec] + nearPrime, [0xed] + nearPrime, [0xee] + nearPrime,
        [
            0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef,
            0x98, 0xf0, 0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88,
            0x6d, 0x53, 0xfc, 0x05,
        ],
        [
            0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10,
            0x67, 0x0f, 0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77,
            0x92, 0xac, 0x03, 0x7a,
        ],
    ]

    private static let nearPrime = [UInt8](repeating: 0xff, count: 30) + [0x7f]

    static func isEncoded(_ key: [UInt8]) -> Bool {
        guard key.count == 32 else { return false }
        var key = key
        key[31] &= 0x7f
        return encodings.contains(key)
    }
}

private func keyData(in text: String, after prefix: String) -> [UInt8]? {
    var line = text[...]
    while line.last?.isWhitespace == true { line.removeLast() }
    guard line.hasPrefix(prefix) else { return nil }
    return bytes(base64: String(line.dropFirst(prefix.count)))
}

/// Decodes base64. Each byte sequence has only one valid string: others are refused.
func bytes(base64 text: String) -> [UInt8]? {
    guard let data = Data(base64Encoded: text), data.base64EncodedString() == text else {
        return nil
    }
    return Array(data)
}

func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
