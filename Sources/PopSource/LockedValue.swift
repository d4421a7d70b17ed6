#if hasFeature(Embedded)
    // One thread, and no lock.
#elseif canImport(os)
    public import os
#elseif !canImport(Glibc)
    public import Synchronization
#endif

/// State that only one thread at a time may access: the only lock of this package.
///
/// `Mutex` requires newer Apple systems than apps support, and is slow between many threads on
/// Linux (see `SystemLock`), so both use another lock.
@usableFromInline package struct LockedValue<State: ~Copyable>: ~Copyable, Sendable {
    #if hasFeature(Embedded) || canImport(os) || canImport(Glibc)
        @usableFromInline let kept: Kept
    #else
        @usableFromInline let mutex: Mutex<State>
    #endif
    #if hasFeature(Embedded)
        // No lock.
    #elseif canImport(os)
        @usableFromInline let unfair = OSAllocatedUnfairLock()
    #elseif canImport(Glibc)
        @usableFromInline let system = SystemLock()
    #endif

    @inlinable package init(_ state: consuming sending State) {
        #if hasFeature(Embedded) || canImport(os) || canImport(Glibc)
            kept = Kept(state)
        #else
            mutex = Mutex(state)
        #endif
    }

    @inlinable package borrowing func withLock<Result, Failure: Error>(
        _ body: (inout sending State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        #if hasFeature(Embedded)
            return try unsafe body(&kept.state)
        #elseif canImport(os)
            unfair.lock()
            defer { unfair.unlock() }
            return try unsafe body(&kept.state)
        #elseif canImport(Glibc)
            system.lock()
            defer { system.unlock() }
            return try unsafe body(&kept.state)
        #else
            return try mutex.withLock(body)
        #endif
    }

    #if hasFeature(Embedded) || canImport(os) || canImport(Glibc)
        /// Accessed only by the holder of the lock.
        @usableFromInline final class Kept: Sendable {
            @usableFromInline nonisolated(unsafe) var state: State

            @inlinable init(_ state: consuming sending State) { unsafe self.state = state }
        }
    #endif
}
