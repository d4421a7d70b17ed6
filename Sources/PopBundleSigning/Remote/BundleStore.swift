/// Where the last good bundle is kept for the next start, with what its server calls it.
///
/// What it holds is checked when it is read, as though it came from outside.
public protocol BundleStore: Sendable {
    /// What was kept last; nil only when there is nothing. Throws when something is there that
    /// can't be read, such as before the first unlock of a device: nothing comes in until then.
    func load() async throws -> [UInt8]?
    /// Keeps this in place of what was kept: all of it, or nothing has changed when it throws.
    func save(_ bytes: [UInt8]) async throws
    /// Keeps this and its issue together, unless another instance has kept something newer since it
    /// was loaded: then throws `SignedBundleError.older`. `issueOf` says which issue something is
    /// that was kept; nil if it doesn't count.
    func save(
        _ bytes: [UInt8], issue: Int64, issueOf: @Sendable ([UInt8]) -> Int64?
    ) async throws
    /// The highest issue that was kept, apart from the bundle; nil when there is none.
    func loadIssue() async throws -> Int64?
    /// Keeps an issue, unless a higher one is kept.
    func raiseIssue(to issue: Int64) async throws
}

extension BundleStore {
    /// Keeps one after the other: a store without this belongs to one instance alone.
    public func save(
        _ bytes: [UInt8], issue: Int64, issueOf: @Sendable ([UInt8]) -> Int64?
    ) async throws {
        try await save(bytes)
        try await raiseIssue(to: issue)
    }
    /// Returns nil: a store without this relies on the bundle alone.
    public func loadIssue() async throws -> Int64? { nil }
    /// Does nothing: a store without this relies on the bundle alone.
    public func raiseIssue(to issue: Int64) async throws {}
}

/// Keeps it in a file, which is read and written off the actor of whoever asks. The highest issue
/// stands beside it, in a file whose name ends in `.issue`, and a lock in one that ends in `.lock`.
///
/// Several instances may use one file, in one process or several: none writes an older bundle over
/// a newer one. A file that `SignedRules` kept is read too.
public struct BundleFile: BundleStore {
    private let file: KeptFile

    /// The file need not be there yet; its folder has to be.
    public init(path: String) { file = KeptFile(path: path) }

    @concurrent public func load() async throws -> [UInt8]? { try file.bundle() }
    @concurrent public func save(_ bytes: [UInt8]) async throws { try file.write(bytes) }
    @concurrent public func save(
        _ bytes: [UInt8], issue: Int64, issueOf: @Sendable ([UInt8]) -> Int64?
    ) async throws {
        try file.write(bytes, issue: issue, issueOf: issueOf)
    }
    @concurrent public func loadIssue() async throws -> Int64? { try file.issue() }
    @concurrent public func raiseIssue(to issue: Int64) async throws { try file.raise(to: issue) }
}

/// What a store is given: a line with the name that the server has for the bundle, and the bundle,
/// together, so that none is kept without the other.
struct KeptBundle {
    private static let mark = Array("popbundle-kept 1 ".utf8)
    private static let lineBreak = UInt8(ascii: "\n")
    /// A longer name is not kept.
    private static let mostETagBytes = 1_024

    var etag: String?
    var file: [UInt8]

    init(_ file: [UInt8], etag: String?) {
        self.file = file
        self.etag = etag.flatMap { $0.utf8.count <= Self.mostETagBytes ? $0 : nil }
    }

    /// Without the line it is a bundle alone.
    init(_ bytes: [UInt8]) {
        let head = bytes.prefix(Self.mark.count + 2 * Self.mostETagBytes)
        guard bytes.starts(with: Self.mark), let end = head.firstIndex(of: Self.lineBreak) else {
            self.init(bytes, etag: nil)
            return
        }
        let text = String(decoding: bytes[Self.mark.count..<end], as: UTF8.self)
        let name = PopBundleSigning.bytes(base64: text).map { String(decoding: $0, as: UTF8.self) }
        self.init(Array(bytes[(end + 1)...]), etag: name)
    }

    var bytes: [UInt8] {
        guard let etag else { return file }
        return Self.mark + Array("\(base64(Array(etag.utf8)))\n".utf8) + file
    }
}
