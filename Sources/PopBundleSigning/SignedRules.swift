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
public struct SignedRules: Sendable {
    /// Of the last good bundle; nil before there was one.
    public private(set) var rules: RuleSet?
    /// The newest issue that was seen. Older ones are refused.
    public private(set) var issue: Int64
    /// Why the file that was kept could not be used at the start.
    public let faultOfKept: SignedBundleError?
    private let key: BundlePublicKey
    private let path: String
    /// The bundle that `issue` is about.
    private var current: [UInt8] = []

    /// Reads the bundle that was kept, if there is one: an expired one is not used again, but its
    /// issue still counts.
    ///
    /// `oldestIssue` is what the app was built with: nothing older comes in even when the file is
    /// gone.
    public init(
        key: BundlePublicKey, keptAt path: String, oldestIssue: Int64 = 0, at now: Timestamp
    ) {
        self.key = key
        self.path = path
        issue = oldestIssue
        guard let kept = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
            faultOfKept = nil
            return
        }
        do throws(SignedBundleError) {
            let bytes = Array(kept)
            let opened = try SignedBundle(bytes, signedFor: key)
            guard opened.issue >= oldestIssue else {
                throw .older(issue: opened.issue, seen: oldestIssue)
            }
            issue = opened.issue
            current = bytes
            rules = try opened.rules(at: now)
            faultOfKept = nil
        } catch {
            faultOfKept = error
        }
    }

    /// Takes a bundle that came from outside. When it is refused, everything stays as it was.
    ///
    /// The one that is in force may come again; another one needs a higher issue.
    @discardableResult
    public mutating func take(
        _ file: some Collection<UInt8>, at now: Timestamp
    ) throws(SignedBundleError) -> RuleSet {
        let opened = try SignedBundle(file, signedFor: key)
        let isCurrent = file.elementsEqual(current)
        // Of the issue that the app was built with no bundle has been seen: it may still come.
        guard opened.issue > issue || isCurrent || current.isEmpty && opened.issue == issue else {
            throw .older(issue: opened.issue, seen: issue)
        }
        let taken = try opened.rules(at: now)
        if !isCurrent {
            do {
                try Data(file).write(to: URL(fileURLWithPath: path), options: .atomic)
            } catch {
                throw .notKept(path: path)
            }
        }
        rules = taken
        issue = opened.issue
        current = Array(file)
        return taken
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
