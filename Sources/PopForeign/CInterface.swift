internal import PopReplay

// The functions of the C interface. Memory that one of them gives out is freed by `pop_free`.

/// Runs a scheduler through inputs: see `replay`.
///
/// Reads `length` bytes of a request in JSON and answers bytes in JSON, ended by a zero byte that
/// `answerLength` does not count.
@c(pop_replay)
public func popReplay(
    _ request: UnsafePointer<UInt8>?, length: Int, answerLength: UnsafeMutablePointer<Int>?
) -> UnsafeMutablePointer<UInt8>? {
    let bytes = unsafe UnsafeBufferPointer(
        start: request, count: request == nil ? 0 : max(length, 0))
    let answer = unsafe replay(Array(bytes))
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: answer.count + 1)
    let end = unsafe memory.update(fromContentsOf: answer)
    unsafe memory[end] = 0
    unsafe answerLength?.pointee = answer.count
    return memory.baseAddress
}

/// Frees what a function of this interface has given out; nothing happens for a null pointer.
@c(pop_free)
public func popFree(_ memory: UnsafeMutablePointer<UInt8>?) {
    unsafe memory?.deallocate()
}
