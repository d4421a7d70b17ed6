public import PopEngine
internal import PopWire

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The rules that an app takes from a network: only what its key signed, what is newer than what it
/// has seen, and what has not expired comes in. The last good bundle is kept in a file for the next
/// start.
///
/// Reads and writes its file on the thread of whoever calls. `RemoteRules` does so elsewhere, and
/// fetches too.
public struct SignedRules: Sendable {
    /// Of the last good bundle; nil before there was one.
    public var rules: RuleSet? { ledger.rules }
    /// The newest issue that was seen. Older ones are refused.
    public var issue: Int64 { ledger.issue }
    /// Why the file that was kept could not be used at the start.
    public let faultOfKept: SignedBundleError?
    private var ledger: BundleLedger
    private let path: String

    /// Reads the bundle that was kept, if there is one: an expired one is not used again, but its
    /// issue still counts.
    ///
    /// `oldestIssue` is what the app was built with: nothing older comes in even when the file is
    /// gone.
    public init(
        key: BundlePublicKey, keptAt path: String, oldestIssue: Int64 = 0, at now: Timestamp
    ) {
        self.path = path
        var ledger = BundleLedger(key: key, oldestIssue: oldestIssue)
        var fault: SignedBundleError?
        if let kept = try? Data(contentsOf: URL(fileURLWithPath: path)) {
            do throws(SignedBundleError) {
                try ledger.restore(Array(kept), at: now)
            } catch {
                fault = error
            }
        }
        self.ledger = ledger
        faultOfKept = fault
    }

    /// Takes a bundle that came from outside. When it is refused, everything stays as it was.
    ///
    /// The one that is in force may come again; another one needs a higher issue.
    @discardableResult
    public mutating func take(
        _ file: some Collection<UInt8>, at now: Timestamp
    ) throws(SignedBundleError) -> RuleSet {
        let accepted = try ledger.check(Array(file), at: now)
        if !accepted.isCurrent {
            do {
                try Data(file).write(to: URL(fileURLWithPath: path), options: .atomic)
            } catch {
                throw .notKept(path: path)
            }
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
