internal import PopSource

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
