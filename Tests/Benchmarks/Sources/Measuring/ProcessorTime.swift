#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// How long the thread had a processor: what other processes take away does not count.
public func processorTime(_ body: () -> Void) -> Duration {
    let start = threadTime()
    body()
    return threadTime() - start
}

private func threadTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
