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
