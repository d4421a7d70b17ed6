#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Returns how long the thread had a processor; the time that other processes take doesn't count.
public func processorTime(_ body: () -> Void) -> Duration {
    let start = time(of: CLOCK_THREAD_CPUTIME_ID)
    body()
    return time(of: CLOCK_THREAD_CPUTIME_ID) - start
}

private func time(of clock: clockid_t) -> Duration {
    var time = timespec()
    clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
