public import PopEngine
public import PopWire

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
        case .notSigned: "not a signed bundle: sign it with `poprules bundle sign`"
        case .newer(let version, let known):
            "the signed bundle has version \(version), only versions up to \(known) are supported"
        case .notGenuine: "the signature is not from this key, or the bundle was changed later"
        case .malformed(let what): "the signed content is not a bundle: \(what)"
        case .expired(let date): "the bundle expired on \(date)"
        case .older(let issue, let seen):
            "the bundle is issue \(issue), but issue \(seen) was already accepted"
        case .unusable(let error): error.description
        case .notRead(let path): "the stored bundle in `\(path)` cannot be read"
        case .notKept(let path): "the bundle could not be written to `\(path)`"
        case .tooLarge(let limit): "the signed bundle is larger than \(limit) bytes"
        }
    }
}
