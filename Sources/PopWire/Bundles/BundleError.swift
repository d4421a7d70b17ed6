/// The reason why a bundle was rejected.
public enum BundleError: Error, Sendable, Hashable {
    /// The bytes aren't a bundle of rules.
    case notABundle
    /// It was created by a newer `poprules`, in a version of the format that this program doesn't
    /// know.
    case newer(version: Int, known: Int)
    /// It was changed or truncated after it was created.
    case damaged(String)
    /// It is larger than a limit allows.
    case tooLarge(String)
}

extension BundleError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notABundle: "not a bundle of rules: create one with `poprules compile`"
        case .newer(let version, let known):
            "the bundle has format \(version), but this app supports formats up to \(known): "
                + "create it with an older `poprules`, or update PopEngine"
        case .damaged(let what): "the bundle is damaged: \(what)"
        case .tooLarge(let what): "the bundle is too large: \(what)"
        }
    }
}
