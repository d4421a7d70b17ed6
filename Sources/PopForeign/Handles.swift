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
    private let session: Guarded<ReplaySession>

    init(_ session: ReplaySession) { self.session = Guarded(session) }

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
let handles = Guarded(Handles())
