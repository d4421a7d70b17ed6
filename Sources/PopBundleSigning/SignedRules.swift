internal import PopCEL
public import PopEngine
internal import PopWire

/// The rules that an app takes from a network: it accepts only bundles that its key signed, that
/// are newer than those it has seen, and that have not expired. The last good bundle is kept in a
/// file for the next start; the highest issue is kept in a second file whose name ends in `.issue`.
///
/// Several instances may keep their bundles in one file, in one process or several: none writes an
/// older bundle over a newer one.
///
/// Reads and writes its file on the caller's thread. `RemoteRules` does so elsewhere, and fetches
/// too.
public struct SignedRules: Sendable {
    /// The rules of the last good bundle; nil before there was one.
    public var rules: RuleSet? { ledger.rules }
    /// The newest issue that was seen. Older ones are refused.
    public var issue: Int64 { ledger.issue }
    /// The reason why the kept file could not be used.
    public private(set) var faultOfKept: SignedBundleError?
    private var ledger: BundleLedger
    private let kept: KeptFile
    /// Indicates whether the kept bundle was read: no bundle is accepted before.
    private var isRestored = false

    /// Reads the kept bundle, if there is one: an expired one is not used again, but its issue
    /// still counts.
    ///
    /// If it can't be read, `take` tries again before it accepts a bundle. `oldestIssue` is the
    /// issue that the app was built with: nothing older is accepted even if the files are removed.
    public init(
        key: BundlePublicKey, keptAt path: String, oldestIssue: Int64 = 0, at now: Timestamp
    ) {
        kept = KeptFile(path: path)
        ledger = BundleLedger(key: key, oldestIssue: oldestIssue)
        restore(at: now)
    }

    private mutating func restore(at now: Timestamp) {
        let (bundle, issue): ([UInt8]?, Int64?)
        do {
            (bundle, issue) = (try kept.bundle(), try kept.issue())
        } catch {
            faultOfKept = .notRead(path: kept.path)
            return
        }
        (isRestored, faultOfKept) = (true, nil)
        if let issue { ledger.raise(to: issue) }
        guard let bundle else { return }
        do throws(SignedBundleError) {
            try ledger.restore(bundle, at: now)
        } catch {
            faultOfKept = error
        }
    }

    /// Takes a bundle that came from outside. If it is refused, everything stays unchanged.
    ///
    /// The bundle in force may come again; another bundle needs a higher issue. While the kept
    /// bundle can't be read, no bundle is accepted, and nothing is written in its place. If another
    /// instance has kept a newer bundle in the meantime, this bundle is refused, and the newer one
    /// is in force from now on.
    @discardableResult
    public mutating func take(
        _ file: some Collection<UInt8>, at now: Timestamp
    ) throws(SignedBundleError) -> RuleSet {
        if !isRestored { restore(at: now) }
        guard isRestored else { throw .notRead(path: kept.path) }
        let accepted = try ledger.check(Array(file), at: now)
        do {
            if accepted.isCurrent {
                try kept.raise(to: accepted.issue)
            } else {
                try kept.write(accepted.file, issue: accepted.issue) { [ledger] kept in
                    ledger.issue(of: kept, unless: accepted.file)
                }
            }
        } catch let error as SignedBundleError {
            // Another instance has kept a newer one, which is known from now on.
            restore(at: now)
            throw error
        } catch {
            throw .notKept(path: kept.path)
        }
        ledger.accept(accepted)
        return accepted.rules
    }
}

extension SignedBundle {
    /// The rules, unless they have expired.
    public func rules(at now: Timestamp) throws(SignedBundleError) -> RuleSet {
        if let expires, now >= expires { throw .expired(expires) }
        do {
            return try RuleSet(bundle: bundle)
        } catch {
            throw .unusable(error)
        }
    }
}

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
