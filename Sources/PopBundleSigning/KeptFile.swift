#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The file of the last good bundle, and a second file with the highest issue that was kept.
///
/// The issue has a file of its own, so that it still counts if the bundle is damaged or removed.
struct KeptFile: Sendable {
    /// The digits of an issue and a line break.
    private static let mostIssueBytes = 32
    /// The time that another process may hold the lock.
    private static let patience = Duration.seconds(10)
    /// In microseconds, between two attempts.
    private static let pause: UInt32 = 1_000

    let path: String

    private var issuePath: String { path + ".issue" }
    private var lockPath: String { path + ".lock" }

    /// Returns the bundle; nil only if no bundle exists. Throws if a bundle exists that can't be
    /// read.
    func bundle() throws -> [UInt8]? { try Self.content(of: path) }

    /// Returns the highest issue; nil if no issue was kept, or if the file doesn't contain a valid
    /// issue.
    func issue() throws -> Int64? {
        guard let bytes = try Self.content(of: issuePath), bytes.count <= Self.mostIssueBytes else {
            return nil
        }
        let issue = Int64(
            String(decoding: bytes.filter { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
        return issue.flatMap { $0 >= 0 ? $0 : nil }
    }

    func write(_ bundle: [UInt8]) throws { try locked { try Self.write(bundle, to: path) } }

    /// Keeps the issue, unless a higher one is kept.
    func raise(to issue: Int64) throws { try locked { try raiseLocked(to: issue) } }

    /// Keeps a bundle and its issue, unless a newer bundle is kept: then it throws
    /// `SignedBundleError.older`.
    ///
    /// `issueOf` returns the issue of a kept bundle; nil if it does not count, or is the same one.
    func write(
        _ bundle: [UInt8], issue: Int64, issueOf: ([UInt8]) -> Int64?
    ) throws {
        try locked {
            if let seen = try self.issue(), seen > issue {
                throw SignedBundleError.older(issue: issue, seen: seen)
            }
            if let seen = try self.bundle().flatMap(issueOf), seen >= issue {
                throw SignedBundleError.older(issue: issue, seen: seen)
            }
            try Self.write(bundle, to: path)
            try raiseLocked(to: issue)
        }
    }

    private func raiseLocked(to issue: Int64) throws {
        if let kept = try self.issue(), kept >= issue { return }
        try Self.write(Array("\(issue)\n".utf8), to: issuePath)
    }

    /// Does something while no other instance, of this process or another, does so with this file.
    private func locked<Result>(_ work: () throws -> Result) throws -> Result {
        let lock = unsafe open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw CocoaError(.fileWriteUnknown) }
        // That ends the lock too.
        defer { close(lock) }
        let end = ContinuousClock.now + Self.patience
        while flock(lock, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR, ContinuousClock.now < end else {
                throw CocoaError(.fileLocking)
            }
            usleep(Self.pause)
        }
        return try work()
    }

    private static func content(of path: String) throws -> [UInt8]? {
        do {
            return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return nil
        }
    }

    private static func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}
