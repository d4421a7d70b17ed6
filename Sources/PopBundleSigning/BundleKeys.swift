internal import Crypto

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The half of a key pair that signs bundles (Ed25519). Whoever has it decides what apps show.
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

    /// Reads what `text` wrote; nil for anything else. White space at the end is passed over.
    public init?(_ text: String) {
        guard let data = keyData(in: text, after: Self.prefix),
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

private func keyData(in text: String, after prefix: String) -> [UInt8]? {
    var line = text[...]
    while line.last?.isWhitespace == true { line.removeLast() }
    guard line.hasPrefix(prefix) else { return nil }
    return bytes(base64: String(line.dropFirst(prefix.count)))
}

/// The bytes that a text stands for. Only one text stands for the same bytes: others are refused.
func bytes(base64 text: String) -> [UInt8]? {
    guard let data = Data(base64Encoded: text), data.base64EncodedString() == text else {
        return nil
    }
    return Array(data)
}

func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
