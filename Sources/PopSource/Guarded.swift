#if hasFeature(Embedded)
    // One thread, and no lock.
#elseif canImport(os)
    public import os
#else
    public import Synchronization
#endif

#if THREAD_SANITIZER
    public import Foundation
#endif

/// State that one thread at a time may touch: the one lock of this package.
///
/// `Mutex` asks for newer systems of Apple than apps support, which is why theirs is another one.
/// ThreadSanitizer does not see that a `Mutex` orders threads on Linux, where it is made of system
/// calls. Built with `THREAD_SANITIZER` a lock that it does see is taken as well, so that what it
/// reports are real races.
@usableFromInline package struct Guarded<State: ~Copyable>: ~Copyable, Sendable {
    #if hasFeature(Embedded) || canImport(os)
        @usableFromInline let kept: Kept
    #else
        @usableFromInline let mutex: Mutex<State>
    #endif
    #if canImport(os) && !hasFeature(Embedded)
        @usableFromInline let unfair = OSAllocatedUnfairLock()
    #endif
    #if THREAD_SANITIZER
        @usableFromInline let visible = NSLock()
    #endif

    @inlinable package init(_ state: consuming sending State) {
        #if hasFeature(Embedded) || canImport(os)
            kept = Kept(state)
        #else
            mutex = Mutex(state)
        #endif
    }

    @inlinable package borrowing func withLock<Result, Failure: Error>(
        _ body: (inout sending State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        #if THREAD_SANITIZER
            visible.lock()
            defer { visible.unlock() }
        #endif
        #if hasFeature(Embedded)
            return try unsafe body(&kept.state)
        #elseif canImport(os)
            unfair.lock()
            defer { unfair.unlock() }
            return try unsafe body(&kept.state)
        #else
            return try mutex.withLock(body)
        #endif
    }

    #if hasFeature(Embedded) || canImport(os)
        /// Touched by nobody but the holder of the lock.
        @usableFromInline final class Kept: Sendable {
            @usableFromInline nonisolated(unsafe) var state: State

            @inlinable init(_ state: consuming sending State) { unsafe self.state = state }
        }
    #endif
}
