public import PopCEL
internal import PopSource
public import PopWire

/// A bundle with a number, a date until which it is valid, and a signature over all of it.
///
/// Two lines of text, then the unchanged bundle: `popbundle-signed 1 SIGNATURE`, and an object with
/// `issue` and `expires`. The signature covers everything after the first line, so that nothing is
/// read before it is verified.
public struct SignedBundle: Sendable {
    /// The version of the form that is written, and the newest one that is read.
    public static let version = 1

    /// The largest issue: with a larger one hardly any could follow. Microseconds since 1970 fit.
    public static let largestIssue: Int64 = 10_000_000_000_000_000

    /// Grows with every bundle that is signed for the same apps.
    public let issue: Int64
    /// The moment from which it is refused; nil for never.
    public let expires: Timestamp?
    /// The bundle that was signed.
    public let bundle: [UInt8]

    /// Precondition: the issue is from 0 to `largestIssue`.
    public init(_ bundle: [UInt8], issue: Int64, expires: Timestamp? = nil) {
        precondition(
            (0...Self.largestIssue).contains(issue), "the issue must be 0...\(Self.largestIssue)")
        self.bundle = bundle
        self.issue = issue
        self.expires = expires
    }

    /// Returns the signed file to distribute to apps. Throws what the signing itself throws.
    public func signed(with key: BundlePrivateKey) throws -> [UInt8] {
        let head = JSON.object([
            "issue": .int(issue), "expires": expires.map { .string($0.description) },
        ])
        let content = Array("\(head.compact)\n".utf8) + bundle
        let signature = try key.signature(of: Self.signedBytes(content))
        return Array("\(Self.mark)\(Self.version) \(base64(signature))\n".utf8) + content
    }

    /// Reads a file that this key signed. Linear in the file; nothing of it is used before the
    /// signature is verified.
    public init(
        _ file: some Collection<UInt8>, signedFor key: BundlePublicKey,
        limits: BundleLimits = .standard
    ) throws(SignedBundleError) {
        let limit = limits.json.bytes + Self.mostHeadBytes
        guard file.count <= limit else { throw .tooLarge(limit: limit) }
        let bytes = Array(file)
        let (version, signature, rest) = try Self.split(bytes)
        guard version <= Self.version else {
            throw .newer(version: version, known: Self.version)
        }
        let content = Array(bytes[rest...])
        guard let signature, key.isSignature(signature, of: Self.signedBytes(content)) else {
            throw .notGenuine
        }
        try self.init(content: content)
    }

    private init(content: [UInt8]) throws(SignedBundleError) {
        guard let end = content.prefix(Self.mostHeadBytes).firstIndex(of: Self.lineBreak),
            case .object(let members)? = try? JSON.parse(
                content[..<end], limits: BundleLimits.standard.json)
        else { throw .malformed("its header is missing") }
        let head = Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
        guard case .int(let issue)? = head["issue"], issue >= 0 else {
            throw .malformed("its issue number is missing")
        }
        guard issue <= Self.largestIssue else { throw .malformed("its issue number is too large") }
        self.issue = issue
        switch head["expires"] {
        case nil: expires = nil
        case .string(let text)?:
            guard let date = Timestamp(parsing: text) else {
                throw .malformed("its expiry date is not a date")
            }
            expires = date
        case .null, .bool, .int, .uint, .double, .array, .object:
            throw .malformed("its expiry date is not a date")
        }
        bundle = Array(content[(end + 1)...])
    }
}

extension SignedBundle {
    private static let mark = "popbundle-signed "
    private static let lineBreak = UInt8(ascii: "\n")
    /// The maximum size of the two lines before the bundle.
    private static let mostHeadBytes = 1_024

    /// Returns the bytes that the signature covers: they include its purpose, so that no signature
    /// for another purpose is valid.
    private static func signedBytes(_ content: [UInt8]) -> [UInt8] {
        Array("\(mark)\(version)\n".utf8) + content
    }

    /// Returns the version, the signature if there is one, and the offset of the rest.
    private static func split(
        _ bytes: [UInt8]
    ) throws(SignedBundleError) -> (version: Int, signature: [UInt8]?, rest: Int) {
        guard bytes.starts(with: mark.utf8),
            let end = bytes.prefix(mostHeadBytes).firstIndex(of: lineBreak)
        else { throw .notSigned }
        let words = String(decoding: bytes[mark.utf8.count..<end], as: UTF8.self)
            .split(separator: " ", omittingEmptySubsequences: false)
        guard let version = words.first.flatMap({ Int($0) }), version > 0,
            String(version) == words[0]
        else { throw .notSigned }
        let signature = words.count == 2 ? PopBundleSigning.bytes(base64: String(words[1])) : nil
        return (version, signature, end + 1)
    }
}

/// The reason why a signed bundle was refused.
public enum SignedBundleError: Error, Sendable, Hashable {
    /// The bytes aren't a signed bundle: perhaps a bundle that wasn't signed.
    case notSigned
    /// It was signed by a newer `poprules`, in a form that this one does not know.
    case newer(version: Int, known: Int)
    /// Another key signed it, or it was changed since.
    case notGenuine
    /// The key signed data that isn't a signed bundle.
    case malformed(String)
    /// It was good until then.
    case expired(Timestamp)
    /// A newer one, or another one with the same number, was taken before.
    case older(issue: Int64, seen: Int64)
    /// The rules that were signed cannot be used.
    case unusable(BundleError)
    /// The kept bundle could not be read, so it isn't known whether the new one is newer.
    case notRead(path: String)
    /// It could not be written to the file that keeps the last good bundle.
    case notKept(path: String)
    /// It is larger than any bundle may be.
    case tooLarge(limit: Int)
}

extension SignedBundleError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notSigned: "this is not a signed bundle; sign the bundle with `poprules bundle sign`"
        case .newer(let version, let known):
            "the signed bundle has version \(version), only versions up to \(known) are supported"
        case .notGenuine:
            "the signature is not from this key, or the bundle was changed after it was signed"
        case .malformed(let what): "the signed content is not a bundle: \(what)"
        case .expired(let date): "the bundle expired on \(date)"
        case .older(let issue, let seen):
            "the bundle has the issue number \(issue), but a bundle with the issue number"
                + " \(seen) was already accepted"
        case .unusable(let error): error.description
        case .notRead(let path): "the stored bundle in `\(path)` cannot be read"
        case .notKept(let path): "the bundle could not be written to `\(path)`"
        case .tooLarge(let limit): "the signed bundle is larger than \(limit) bytes"
        }
    }
}
