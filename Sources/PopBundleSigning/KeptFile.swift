#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The file of the last good bundle, and beside it one with the highest issue that was kept.
///
/// The issue stands by itself, so that it still counts when the bundle is damaged or gone.
struct KeptFile: Sendable {
    /// The digits of an issue and a line break.
    private static let mostIssueBytes = 32

    let path: String

    private var issuePath: String { path + ".issue" }

    /// The bundle; nil only if there is none. Throws when one is there that can't be read.
    func bundle() throws -> [UInt8]? { try Self.content(of: path) }

    /// The highest issue; nil if there is none, or if what stands there is no issue.
    func issue() throws -> Int64? {
        guard let bytes = try Self.content(of: issuePath), bytes.count <= Self.mostIssueBytes else {
            return nil
        }
        let issue = Int64(
            String(decoding: bytes.filter { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
        return issue.flatMap { $0 >= 0 ? $0 : nil }
    }

    func write(_ bundle: [UInt8]) throws { try Self.write(bundle, to: path) }

    /// Keeps the issue, unless a higher one is kept.
    func raise(to issue: Int64) throws {
        if let kept = try self.issue(), kept >= issue { return }
        try Self.write(Array("\(issue)\n".utf8), to: issuePath)
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
