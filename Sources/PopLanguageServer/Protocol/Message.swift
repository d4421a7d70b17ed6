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
