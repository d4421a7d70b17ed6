internal import Synchronization

#if THREAD_SANITIZER
    internal import Foundation
#endif

/// State that one thread at a time may touch.
///
/// ThreadSanitizer does not see that a `Mutex` orders threads on Linux, where it is made of system
/// calls. Built with `THREAD_SANITIZER` a lock that it does see is taken as well, so that what it
/// reports are real races.
package struct Guarded<State>: ~Copyable, Sendable {
    private let mutex: Mutex<State>
    #if THREAD_SANITIZER
        private let visible = NSLock()
    #endif

    package init(_ state: sending State) { mutex = Mutex(state) }

    package borrowing func withLock<Result, Failure: Error>(
        _ body: (inout sending State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        #if THREAD_SANITIZER
            visible.lock()
            defer { visible.unlock() }
        #endif
        return try mutex.withLock(body)
    }
}
