#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The signals that end a program and that others send it, or a timer.
private let endingSignals = [
    SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU,
]

/// The signals that a write sends which fails; without them it only fails.
private let writingSignals = [SIGPIPE, SIGXFSZ]

/// Lets a write that makes a file too large fail, in place of ending the program without a word.
func reportFilesTooLarge() { signal(SIGXFSZ, SIG_IGN) }

/// Performs an operation to its end: a signal that would end the program in the meantime does so
/// afterward.
///
/// While a file is written, a temporary file exists next to it that is to replace it; nobody would
/// remove that file.
func uninterrupted<Result>(_ body: () throws -> Result) rethrows -> Result {
    let before =
        endingSignals.map { number in (number, signal(number) { unsafe arrived = $0 }) }
        + writingSignals.map { ($0, signal($0, SIG_IGN)) }
    defer {
        for (number, handler) in before { signal(number, handler) }
        let number = unsafe arrived
        unsafe arrived = 0
        if number != 0 { raise(number) }
    }
    return try body()
}

/// The signal that arrived while signals couldn't be handled; 0 without such a signal. Its type is
/// the one that C allows a handler to write to.
private nonisolated(unsafe) var arrived: sig_atomic_t = 0
