// Stands in for Apple's module `os` where there is none: what PopSource/LockedValue.swift uses of it,
// as declared there.

public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {}

extension OSAllocatedUnfairLock where State == () {
    public init() {}

    @available(*, noasync)
    public func lock() {}

    @available(*, noasync)
    public func unlock() {}
}
