internal import PopCEL
internal import PopEngine

/// Which bundles come in: what the key signed, what is newer than what was seen, and what has not
/// expired.
struct BundleLedger: Sendable {
    /// A bundle that may come in, once it is kept.
    struct Accepted: Sendable {
        let file: [UInt8]
        let rules: RuleSet
        let issue: Int64
        /// Indicates whether the bundle is already in force.
        let isCurrent: Bool
    }

    let key: BundlePublicKey
    /// The rules of the last good bundle; nil before there was one.
    private(set) var rules: RuleSet?
    /// The newest issue that was seen.
    private(set) var issue: Int64
    /// The bundle that `issue` is about.
    private var current: [UInt8] = []

    init(key: BundlePublicKey, oldestIssue: Int64) {
        self.key = key
        issue = oldestIssue
    }

    /// Nothing older than an issue that was kept comes in.
    mutating func raise(to issue: Int64) { self.issue = max(self.issue, issue) }

    /// Begins with the bundle that was kept. An expired bundle isn't used again, but its issue
    /// still counts.
    mutating func restore(_ file: [UInt8], at now: Timestamp) throws(SignedBundleError) {
        let opened = try SignedBundle(file, signedFor: key)
        guard opened.issue >= issue else { throw .older(issue: opened.issue, seen: issue) }
        issue = opened.issue
        current = file
        rules = try opened.rules(at: now)
    }

    /// Checks a bundle from outside. The current bundle may come again; another bundle needs a
    /// higher issue.
    func check(_ file: [UInt8], at now: Timestamp) throws(SignedBundleError) -> Accepted {
        let opened = try SignedBundle(file, signedFor: key)
        let isCurrent = file == current
        // No bundle has been seen with the issue that the app was built with: a bundle with this
        // issue is still accepted.
        guard opened.issue > issue || isCurrent || current.isEmpty && opened.issue == issue else {
            throw .older(issue: opened.issue, seen: issue)
        }
        return Accepted(
            file: file, rules: try opened.rules(at: now), issue: opened.issue,
            isCurrent: isCurrent)
    }

    /// Returns the issue of a bundle that another instance may have kept; nil if the key didn't
    /// sign the bundle, or if it is the same bundle.
    func issue(of kept: [UInt8], unless file: [UInt8]) -> Int64? {
        kept == file ? nil : (try? SignedBundle(kept, signedFor: key))?.issue
    }

    mutating func accept(_ accepted: Accepted) {
        rules = accepted.rules
        issue = accepted.issue
        current = accepted.file
    }
}
