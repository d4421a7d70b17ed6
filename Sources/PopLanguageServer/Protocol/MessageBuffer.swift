package import PopSource

/// Cuts the bytes of a client into messages (Language Server Protocol, "Base Protocol").
package struct MessageBuffer: Sendable {
    /// A piece that was cut from the buffer.
    package enum Piece: Sendable, Hashable {
        /// The body of a message.
        case body([UInt8])
        /// A header or a message that cannot be used, with a reason that makes sense without
        /// context.
        case refused(String)
    }

    private let limits: ServerLimits
    private var bytes: [UInt8] = []
    private var start = 0
    /// Bytes of a message that is too large, which are passed over.
    private var skipping = 0

    package init(limits: ServerLimits = .standard) { self.limits = limits }

    /// Takes up what was read.
    package mutating func append(_ new: [UInt8]) {
        if start > 0, start == bytes.count || start > 1 << 20 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes += new
    }

    /// Returns the next message; nil while there is no complete message.
    package mutating func next() -> Piece? {
        if skipping > 0 {
            let passed = min(skipping, bytes.count - start)
            skipping -= passed
            start += passed
            if skipping > 0 { return nil }
        }
        guard let end = endOfHeader else {
            guard bytes.count - start > limits.headerBytes else { return nil }
            start = bytes.count
            return .refused("a header is longer than \(limits.headerBytes) bytes")
        }
        let header = String(decoding: bytes[start..<end.header], as: UTF8.self)
        guard let length = Self.length(in: header) else {
            start = end.body
            return .refused("a header has no `Content-Length`")
        }
        guard length <= limits.messageBytes else {
            start = end.body
            skipping = length <= limits.skippedBytes ? length : 0
            return .refused("a message is longer than \(limits.messageBytes) bytes")
        }
        guard bytes.count - end.body >= length else { return nil }
        start = end.body + length
        return .body(Array(bytes[end.body..<start]))
    }

    /// Where the header ends and the body begins.
    private var endOfHeader: (header: Int, body: Int)? {
        let limit = min(bytes.count, start + limits.headerBytes)
        var index = start
        while index + 3 < limit {
            if bytes[index] == 13, bytes[index + 1] == 10, bytes[index + 2] == 13,
                bytes[index + 3] == 10
            {
                return (index, index + 4)
            }
            index += 1
        }
        return nil
    }

    private static func length(in header: String) -> Int? {
        for line in header.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "content-length" else { continue }
            let digits = parts[1].filter { $0 != " " }
            guard let length = Int(digits), length >= 0 else { return nil }
            return length
        }
        return nil
    }

    /// A message with its header.
    package static func framed(_ message: JSON) -> [UInt8] {
        let body = Array(message.compact.utf8)
        return Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body
    }
}
