internal import PopSource

/// Messages that have come and are not answered yet.
package struct Inbox: Sendable {
    private var messages: [Message] = []
    private var cancelled: Set<JSON> = []
    private var position = 0

    package init() {}

    /// Takes up what was read.
    package mutating func add(_ piece: MessageBuffer.Piece, limits: ServerLimits = .standard) {
        switch piece {
        case .refused(let why):
            messages.append(
                .malformed(id: .null, failure: Failure(.parseError, why)))
        case .body(let body):
            let message = Message(body, limits: limits)
            if case .notification("$/cancelRequest", let parameters) = message {
                if let id = parameters["id"] { cancelled.insert(id) }
            } else {
                messages.append(message)
            }
        }
    }

    /// The next message; a request that was cancelled is one that says so.
    package mutating func next() -> Message? {
        guard position < messages.count else { return nil }
        defer { position += 1 }
        if case .request(let id, _, _) = messages[position], cancelled.contains(id) {
            return .malformed(id: id, failure: Failure(.requestCancelled, "cancelled"))
        }
        return messages[position]
    }
}
