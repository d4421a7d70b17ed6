internal import CPoprules

/// The reason why a call failed: its status, and a message.
struct ForeignError: Error {
    var status: pop_status
    /// A sentence, or findings as JSON.
    var answer: [UInt8]

    private init(_ status: Int, _ answer: String) {
        self.status = pop_status(status)
        self.answer = Array(answer.utf8)
    }

    static func invalidArgument(_ words: String) -> Self { Self(POP_INVALID_ARGUMENT, words) }
    static func unreadable(_ words: String) -> Self { Self(POP_UNREADABLE, words) }
    static func findings(_ report: String) -> Self { Self(POP_FINDINGS, report) }
    static func noValue(_ words: String) -> Self { Self(POP_NO_VALUE, words) }

    static func invalidHandle(_ handle: pop_handle, isNo kind: String) -> Self {
        Self(POP_INVALID_HANDLE, "\(handle) is not an open \(kind)")
    }

    static let tooMany = Self(
        POP_TOO_MANY, "more than \(POP_MOST_HANDLES) rule sets and sessions are open: close some")
}
