internal import CPoprules
internal import PopReplay
internal import PopSource

/// The object of a handle.
enum Opened: Sendable {
    case rules(LoadedRules)
    case session(OpenSession)
}

/// A session, of which one call after the other has a hold.
final class OpenSession: Sendable {
    private let session: LockedValue<ReplaySession>

    init(_ session: ReplaySession) { self.session = LockedValue(session) }

    func withSession<Result: Sendable, Failure: Error>(
        _ body: (inout ReplaySession) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try session.withLock { session throws(Failure) in try body(&session) }
    }
}

/// All open objects, by numbers that are never reused: the number of a closed object stays invalid.
struct Handles: Sendable {
    private var opened: [pop_handle: Opened] = [:]
    private var last: pop_handle = 0

    mutating func open(_ opening: Opened) throws(ForeignError) -> pop_handle {
        guard opened.count < Int(POP_MOST_HANDLES) else { throw .tooMany }
        last += 1
        opened[last] = opening
        return last
    }

    mutating func close(_ handle: pop_handle) throws(ForeignError) {
        guard opened.removeValue(forKey: handle) != nil else {
            throw .invalidHandle(handle, isNo: "rule set or session")
        }
    }

    func rules(_ handle: pop_handle) throws(ForeignError) -> LoadedRules {
        guard case .rules(let rules)? = opened[handle] else {
            throw .invalidHandle(handle, isNo: "rule set")
        }
        return rules
    }

    func session(_ handle: pop_handle) throws(ForeignError) -> OpenSession {
        guard case .session(let session)? = opened[handle] else {
            throw .invalidHandle(handle, isNo: "session")
        }
        return session
    }
}

/// Locked only while an object is looked up; the object is used without the lock.
let handles = LockedValue(Handles())

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
