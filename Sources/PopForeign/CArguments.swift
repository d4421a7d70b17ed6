internal import CPoprules
internal import PopReplay
internal import PopSource
internal import PopWire

// Checks of the arguments from C, and the answers to C.

/// Answers a call with the bytes or the error of `body`; a `fork` waits until it has ended.
func answering(
    _ answer: UnsafeMutablePointer<pop_answer>?, _ body: () throws(ForeignError) -> [UInt8]
) -> pop_status {
    ForkGate.inside { unsafe answeringOutside(answer, body) }
}

/// Answers a call whose `body` calls functions of the caller, or runs for long: no `fork` waits for
/// it.
func answeringOutside(
    _ answer: UnsafeMutablePointer<pop_answer>?, _ body: () throws(ForeignError) -> [UInt8]
) -> pop_status {
    let (status, bytes): (pop_status, [UInt8])
    do {
        (status, bytes) = (pop_status(POP_OK), try body())
    } catch {
        (status, bytes) = (error.status, error.answer)
    }
    guard let answer = unsafe answer else { return status }
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count + 1)
    let end = unsafe memory.update(fromContentsOf: bytes)
    unsafe memory[end] = 0
    unsafe answer.pointee = pop_answer(bytes: memory.baseAddress, length: bytes.count)
    return status
}

/// Answers a call that opens something, and writes its number, or 0, into `handle`.
func opening(
    _ handle: UnsafeMutablePointer<pop_handle>?, _ answer: UnsafeMutablePointer<pop_answer>?,
    _ body: () throws(ForeignError) -> (opened: Opened, answer: [UInt8])
) -> pop_status {
    unsafe handle?.pointee = 0
    return unsafe answering(answer) { () throws(ForeignError) in
        guard let handle = unsafe handle else {
            throw .invalidArgument("the pointer for the handle is null")
        }
        let (opened, answer) = try body()
        unsafe handle.pointee = try handles.withLock { handles throws(ForeignError) in
            try handles.open(opened)
        }
        return answer
    }
}

/// Answers a request to a session.
func asking(
    _ session: pop_handle, _ request: UnsafePointer<UInt8>?, _ length: Int,
    _ answer: UnsafeMutablePointer<pop_answer>?,
    _ body: (inout ReplaySession, [UInt8]) throws(BundleError) -> [JSON]
) -> pop_status {
    unsafe answering(answer) { () throws(ForeignError) in
        let session = try handles.withLock { handles throws(ForeignError) in
            try handles.session(session)
        }
        let request = unsafe try bytes(request, count: length)
        return lines(
            try readable { () throws(BundleError) in
                try session.withSession { session throws(BundleError) in
                    try body(&session, request)
                }
            })
    }
}

func loaded(_ rules: pop_handle) throws(ForeignError) -> LoadedRules {
    try handles.withLock { handles throws(ForeignError) in try handles.rules(rules) }
}

func readable<Result>(
    _ body: () throws(BundleError) -> Result
) throws(ForeignError) -> Result {
    do {
        return try body()
    } catch {
        throw .unreadable(error.requestText)
    }
}

func lines(_ answers: [JSON]) -> [UInt8] {
    Array(answers.map { $0.compact + "\n" }.joined().utf8)
}

func bytes(
    _ memory: UnsafePointer<UInt8>?, count: Int
) throws(ForeignError) -> [UInt8] {
    guard count >= 0 else { throw .invalidArgument("the length is too large") }
    guard unsafe memory != nil || count == 0 else {
        throw .invalidArgument("the length is \(count), but the pointer is null")
    }
    return unsafe Array(UnsafeBufferPointer(start: memory, count: count))
}

func text(
    _ memory: UnsafePointer<CChar>?, of name: String
) throws(ForeignError) -> String {
    guard let memory = unsafe memory else {
        throw .invalidArgument("the \(name) is a null pointer")
    }
    guard let text = unsafe String(validatingCString: memory) else {
        throw .invalidArgument("the \(name) is not valid UTF-8")
    }
    return text
}

/// Returns the name of a file or a folder.
func name(_ memory: UnsafePointer<CChar>?) throws(ForeignError) -> String {
    let name = unsafe try text(memory, of: "path")
    guard !name.isEmpty else { throw .invalidArgument("the path is empty") }
    return name
}
