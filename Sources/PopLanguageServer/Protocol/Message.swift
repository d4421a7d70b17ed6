package import PopSource

/// A message of the client (JSON-RPC 2.0).
package enum Message: Sendable {
    /// A request, which must be answered.
    case request(id: JSON, method: String, parameters: JSON)
    case notification(method: String, parameters: JSON)
    /// Answers what the server asked.
    case response(id: JSON)
    /// Data that isn't a message, with the ID as far as there is one.
    case malformed(id: JSON, failure: ResponseError)

    package init(_ body: [UInt8], limits: ServerLimits = .standard) {
        var json = JSONLimits.standard
        json.bytes = limits.messageBytes
        do {
            self.init(try JSON.parse(body, limits: json))
        } catch {
            self = .malformed(id: .null, failure: ResponseError(.parseError, error.description))
        }
    }

    package init(_ json: JSON) {
        let id = json["id"] ?? .null
        guard case .object = json else {
            let message = "a message must be a JSON object"
            self = .malformed(id: .null, failure: ResponseError(.invalidRequest, message))
            return
        }
        guard let method = json["method"] else {
            let isResponse = json["result"] != nil || json["error"] != nil
            let message = "the message has no `method`"
            self =
                isResponse
                ? .response(id: id)
                : .malformed(id: id, failure: ResponseError(.invalidRequest, message))
            return
        }
        guard let method = method.text else {
            let message = "`method` must be a string"
            self = .malformed(id: id, failure: ResponseError(.invalidRequest, message))
            return
        }
        let parameters = json["params"] ?? .null
        switch json["id"] {
        case nil: self = .notification(method: method, parameters: parameters)
        case .int, .string: self = .request(id: id, method: method, parameters: parameters)
        case .null, .bool, .uint, .double, .array, .object:
            let message = "`id` must be a string or an integer"
            self = .malformed(id: .null, failure: ResponseError(.invalidRequest, message))
        }
    }
}

/// The reason why a request fails.
package struct ResponseError: Error, Sendable, Hashable {
    /// The codes of JSON-RPC 2.0 and of the Language Server Protocol.
    package enum Code: Int, Sendable {
        case parseError = -32700
        case invalidRequest = -32600
        case methodNotFound = -32601
        case invalidParams = -32602
        case serverNotInitialized = -32002
        case requestFailed = -32803
        case requestCancelled = -32800
        case contentModified = -32801
    }

    package let code: Code
    /// A message that makes sense without context.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension JSON {
    /// The answer to a request.
    static func response(to id: JSON, _ result: JSON) -> JSON {
        .object(["jsonrpc": "2.0", "id": id, "result": result])
    }

    static func response(to id: JSON, failure: ResponseError) -> JSON {
        .object([
            "jsonrpc": "2.0", "id": id,
            "error": .object([
                "code": .int(failure.code.rawValue), "message": .string(failure.message),
            ]),
        ])
    }

    static func notification(_ method: String, parameters: JSON) -> JSON {
        .object(["jsonrpc": "2.0", "method": .string(method), "params": parameters])
    }

    /// Creates a request of the server to the client.
    static func request(_ method: String, parameters: JSON, id: String) -> JSON {
        .object([
            "jsonrpc": "2.0", "id": .string(id), "method": .string(method), "params": parameters,
        ])
    }
}

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

/// Messages that have come and are not answered yet.
package struct Inbox: Sendable {
    private var messages: [Message] = []
    private var position = 0
    /// The ids of requests among them that are not taken out yet.
    private var waiting: Set<JSON> = []
    /// The waiting requests that were cancelled.
    private var cancelled: Set<JSON> = []

    package init() {}

    /// Takes up what was read.
    package mutating func add(_ piece: MessageBuffer.Piece, limits: ServerLimits = .standard) {
        switch piece {
        case .refused(let why):
            messages.append(
                .malformed(id: .null, failure: ResponseError(.parseError, why)))
        case .body(let body): add(Message(body, limits: limits))
        }
    }

    private mutating func add(_ message: Message) {
        // Without `initialize` no other request is answered, and `shutdown` decides the exit code.
        if case .request(let id, let method, _) = message,
            method != "initialize" && method != "shutdown"
        {
            waiting.insert(id)
        }
        // A request that isn't in `waiting` is passed on: the server knows whether it waits.
        if case .notification("$/cancelRequest", let parameters) = message,
            let id = parameters["id"], waiting.contains(id)
        {
            cancelled.insert(id)
        } else {
            messages.append(message)
        }
    }

    /// Indicates whether there is a next message.
    package var hasMore: Bool { position < messages.count }

    /// Returns the next message; a request that was cancelled is marked as such.
    package mutating func next() -> Message? {
        guard position < messages.count else { return nil }
        defer { position += 1 }
        guard case .request(let id, _, _) = messages[position] else { return messages[position] }
        waiting.remove(id)
        if cancelled.remove(id) != nil {
            return .malformed(id: id, failure: ResponseError(.requestCancelled, "cancelled"))
        }
        return messages[position]
    }
}
