#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Makes `fork` wait until no thread is inside a call.
///
/// The child of `fork` has only the thread that called it. A lock that another thread holds at that
/// moment stays locked in the child forever, and the data it protects may be half changed. Calls
/// enter the gate as readers, and `fork` as a writer; a waiting `fork` has precedence over new
/// calls.
@safe enum ForkGate {
    /// Runs `body`, which must not call functions of the caller, and must not run for long.
    static func inside<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe pthread_rwlock_rdlock(lock)
        defer { unsafe pthread_rwlock_unlock(lock) }
        return try body()
    }

    private nonisolated(unsafe) static let lock: UnsafeMutablePointer<pthread_rwlock_t> = {
        let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
        unsafe open(lock)
        pthread_atfork(
            { unsafe pthread_rwlock_wrlock(ForkGate.lock) },
            { unsafe pthread_rwlock_unlock(ForkGate.lock) },
            // The child's thread has another number than the one that locked: it can't unlock.
            { unsafe ForkGate.open(ForkGate.lock) })
        return unsafe lock
    }()

    private static func open(_ lock: UnsafeMutablePointer<pthread_rwlock_t>) {
        var attributes = pthread_rwlockattr_t()
        unsafe pthread_rwlockattr_init(&attributes)
        #if canImport(Glibc)
            // By default a `fork` would wait for as long as any two calls overlap.
            unsafe pthread_rwlockattr_setkind_np(
                &attributes, CInt(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP))
        #endif
        unsafe pthread_rwlock_init(lock, &attributes)
        unsafe pthread_rwlockattr_destroy(&attributes)
    }
}
