/// A store that keeps the last good bundle for the next start, with the server's name for it.
///
/// Its content is verified when it is read, as though it came from outside.
public protocol BundleStore: Sendable {
    /// Returns the data that was kept last; nil only if no data was kept. Throws if data exists
    /// that can't be read, such as before the first unlock of a device: no bundle is accepted until
    /// then.
    func load() async throws -> [UInt8]?
    /// Keeps data instead of the data that was kept before. If it throws, nothing has changed.
    func save(_ bytes: [UInt8]) async throws
    /// Keeps the data and its issue together, unless another instance has kept newer data since it
    /// was loaded: then throws `SignedBundleError.older`. `issueOf` returns the issue of kept data;
    /// nil if it doesn't count.
    func save(
        _ bytes: [UInt8], issue: Int64, issueOf: @Sendable ([UInt8]) -> Int64?
    ) async throws
    /// Returns the highest issue that was kept, separately from the bundle; nil if no issue was
    /// kept.
    func loadIssue() async throws -> Int64?
    /// Keeps an issue, unless a higher one is kept.
    func raiseIssue(to issue: Int64) async throws
}

extension BundleStore {
    /// Keeps the data, then the issue: a store without its own implementation belongs to only one
    /// instance.
    public func save(
        _ bytes: [UInt8], issue: Int64, issueOf: @Sendable ([UInt8]) -> Int64?
    ) async throws {
        try await save(bytes)
        try await raiseIssue(to: issue)
    }
    /// Returns nil: a store without its own implementation relies only on the bundle.
    public func loadIssue() async throws -> Int64? { nil }
    /// Does nothing: a store without its own implementation relies only on the bundle.
    public func raiseIssue(to issue: Int64) async throws {}
}

/// A store in a file, which is read and written off the caller's actor. The highest issue is in a
/// second file whose name ends in `.issue`, and a lock in one that ends in `.lock`.
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

/// The content of a store: a line with the server's name for the bundle, and the bundle, together,
/// so that neither is kept without the other.
struct CachedBundle {
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

    /// Without the line, the bytes are only a bundle.
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

/// An app's request to its server: the newest bundle, unless the app already has it.
public struct BundleRequest: Sendable, Hashable {
    /// By what name the server knows the bundle that the app has; nil while it has none.
    public let etag: String?

    /// The header fields to send.
    public var headers: [String: String] { etag.map { ["If-None-Match": $0] } ?? [:] }
}

/// A server's response.
public struct BundleResponse: Sendable, Hashable {
    /// The status of HTTP: 200 with a bundle, 304 when nothing is newer, anything else is a
    /// failure.
    public var status: Int
    /// The field `ETag`, unchanged; nil if the response has no such field.
    public var etag: String?
    /// The field `Retry-After`, if it gives a duration: no request is made earlier, for at most
    /// `RemoteRulesOptions.longestRetryAfter`.
    public var retryAfter: Duration?
    /// The body.
    public var data: [UInt8]

    /// An answer with a body, such as the `Data` of a `URLSession`.
    public init(
        status: Int, etag: String? = nil, retryAfter: Duration? = nil,
        data: some Collection<UInt8> = []
    ) {
        self.status = status
        self.etag = etag
        self.retryAfter = retryAfter
        self.data = Array(data)
    }
}

/// The reason why a fetch failed, apart from errors of the app's own closure and a
/// `SignedBundleError`.
public enum RemoteRulesError: Error, Sendable, Hashable {
    /// The server answered with this status.
    case status(Int)
    /// The server has not answered for so long.
    case silent(Duration)
}

extension RemoteRulesError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .status(let status): "the server answered with status \(status)"
        case .silent(let duration): "the server has not responded for \(duration)"
        }
    }
}
