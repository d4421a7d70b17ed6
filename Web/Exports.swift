internal import PopReplay
internal import PopSource

// What the WebAssembly module exports. A request is written into memory of `pop_allocate`, which
// the call frees; an answer is its length in four bytes and then its bytes, and is freed by
// `pop_free`.

private let sessions = LockedValue(ReplaySessions())

@_expose(wasm, "pop_allocate") @_cdecl("pop_allocate")
public func popAllocate(count: Int) -> UnsafeMutablePointer<UInt8> {
    .allocate(capacity: max(count, 1))
}

@_expose(wasm, "pop_free") @_cdecl("pop_free")
public func popFree(_ memory: UnsafeMutablePointer<UInt8>) {
    unsafe memory.deallocate()
}

@_expose(wasm, "pop_replay") @_cdecl("pop_replay")
public func popReplay(
    _ request: UnsafeMutablePointer<UInt8>, count: Int
) -> UnsafeMutablePointer<UInt8> {
    unsafe written(replay(taken(request, count: count)))
}

@_expose(wasm, "pop_open") @_cdecl("pop_open")
public func popOpen(
    _ request: UnsafeMutablePointer<UInt8>, count: Int
) -> UnsafeMutablePointer<UInt8> {
    let request = unsafe taken(request, count: count)
    return written(sessions.withLock { $0.open(request) })
}

@_expose(wasm, "pop_handle") @_cdecl("pop_handle")
public func popHandle(
    _ request: UnsafeMutablePointer<UInt8>, count: Int, session: Int
) -> UnsafeMutablePointer<UInt8> {
    let request = unsafe taken(request, count: count)
    return written(sessions.withLock { $0.handle(request, in: session) })
}

@_expose(wasm, "pop_explain") @_cdecl("pop_explain")
public func popExplain(
    _ request: UnsafeMutablePointer<UInt8>, count: Int, session: Int
) -> UnsafeMutablePointer<UInt8> {
    let request = unsafe taken(request, count: count)
    return written(sessions.withLock { $0.explain(request, in: session) })
}

@_expose(wasm, "pop_suppose") @_cdecl("pop_suppose")
public func popSuppose(
    _ request: UnsafeMutablePointer<UInt8>, count: Int, session: Int
) -> UnsafeMutablePointer<UInt8> {
    let request = unsafe taken(request, count: count)
    return written(sessions.withLock { $0.suppose(request, in: session) })
}

@_expose(wasm, "pop_history") @_cdecl("pop_history")
public func popHistory(
    _ request: UnsafeMutablePointer<UInt8>, count: Int, session: Int
) -> UnsafeMutablePointer<UInt8> {
    let request = unsafe taken(request, count: count)
    return written(sessions.withLock { $0.history(request, in: session) })
}

@_expose(wasm, "pop_close") @_cdecl("pop_close")
public func popClose(session: Int) { sessions.withLock { $0.close(session) } }

func taken(_ request: UnsafeMutablePointer<UInt8>, count: Int) -> [UInt8] {
    defer { unsafe request.deallocate() }
    return unsafe Array(UnsafeBufferPointer(start: request, count: count))
}

func written(_ answer: [UInt8]) -> UnsafeMutablePointer<UInt8> {
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: answer.count + 4)
    for place in 0..<4 {
        unsafe memory[place] = UInt8(truncatingIfNeeded: answer.count >> (8 * place))
    }
    unsafe (memory + 4).update(from: answer, count: answer.count)
    return unsafe memory
}
