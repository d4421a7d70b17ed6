package import PopSource

/// A document that an editor has open: its content takes precedence over the file on the disk.
package struct OpenDocument: Sendable {
    package let uri: String
    /// The path of the file; what is in no file has one in angle brackets.
    package internal(set) var path: String
    package private(set) var version: Int
    /// Another one whenever the text is another one, also after it was closed and opened again.
    package private(set) var edition: Int
    package private(set) var lines: TextLines
    package private(set) var bytes: [UInt8]
    private let encoding: PositionEncoding

    package init(
        uri: String, path: String, version: Int, text: String, encoding: PositionEncoding,
        edition: Int = 0
    ) {
        self.uri = uri
        self.path = path
        self.version = version
        self.encoding = encoding
        self.edition = edition
        bytes = Array(text.utf8)
        lines = TextLines(bytes, encoding: encoding)
    }

    /// Applies changes in their order, all or none; a change without a range replaces the whole
    /// text.
    ///
    /// Changes of an older version are refused: the client sends versions in order.
    package mutating func apply(
        _ changes: [JSON], version: Int, edition: Int, limits: ServerLimits
    ) throws(ResponseError) {
        guard version >= self.version else {
            throw ResponseError(.invalidParams, "version \(version) is older than \(self.version)")
        }
        var (bytes, lines) = (bytes, lines)
        var work = 0
        for change in changes {
            guard let text = change["text"]?.text else {
                throw ResponseError(.invalidParams, "a change has no `text`")
            }
            var new = Array(text.utf8)
            if let place = change["range"], place != .null {
                guard let range = lines.range(place) else {
                    throw ResponseError(.invalidParams, "a change has an invalid `range`")
                }
                new = bytes[..<range.lowerBound] + new + bytes[range.upperBound...]
            }
            guard new.count <= limits.documentBytes else {
                throw ResponseError(
                    .requestFailed, "`\(path)` is longer than \(limits.documentBytes) bytes")
            }
            work += bytes.count + new.count
            guard work <= limits.changedBytes else {
                throw ResponseError(.requestFailed, "too many changes of `\(path)` in one message")
            }
            bytes = new
            lines = TextLines(bytes, encoding: encoding)
        }
        (self.bytes, self.lines, self.version) = (bytes, lines, version)
        self.edition = edition
    }
}
