/// The place of a value in a row of a log: names of nested members.
///
/// Written with dots between them, such as `properties.plan`. A name that ends in `[]` is a list of
/// members, each with its `key` and its `value`, as Google Analytics exports them:
/// `event_params[].plan`. A string that contains JSON is entered as though it were the JSON itself.
public struct LogPath: Sendable, Hashable {
    /// The members to go through, from the row on.
    public var names: [String]
    /// By name, whether it is a list of keys with values.
    public var isKeyed: [Bool]

    /// The row itself.
    public static let row = LogPath("")

    /// Parses the written form.
    public init(_ text: String) {
        let parts = text.isEmpty ? [] : text.split(separator: ".", omittingEmptySubsequences: false)
        isKeyed = parts.map { $0.utf8.count > 2 && $0.hasSuffix("[]") }
        names = zip(parts, isKeyed).map { part, isKeyed in
            String(isKeyed ? part.dropLast(2) : part)
        }
    }

    /// The path of something below.
    public func appending(_ other: LogPath) -> LogPath {
        var path = self
        path.names += other.names
        path.isKeyed += other.isKeyed
        return path
    }
}

extension LogPath: CustomStringConvertible {
    /// The written form.
    public var description: String {
        zip(names, isKeyed).map { $0 + ($1 ? "[]" : "") }.joined(separator: ".")
    }
}
