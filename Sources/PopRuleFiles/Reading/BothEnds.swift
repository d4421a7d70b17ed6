internal import Dispatch
internal import Synchronization

extension DispatchQueue {
    /// Does numbered work on all cores: the first goes forward from the first number, the others backward from the last.
    ///
    /// What is read so and then compiled so is mostly compiled and freed by the core that has read it, whose caches and whose
    /// part of the heap it lies in. `begin` makes what does the work of one core, so that a core can have things of its own.
    static func performFromBothEnds(_ count: Int, _ begin: @Sendable () -> (Int) -> Void) {
        let taken = Mutex((front: 0, back: count))
        concurrentPerform(iterations: count) { strand in
            func next() -> Int? {
                taken.withLock { taken in
                    guard taken.front < taken.back else { return nil }
                    if strand > 0 {
                        taken.back -= 1
                        return taken.back
                    }
                    taken.front += 1
                    return taken.front - 1
                }
            }
            guard var position = next() else { return }
            let work = begin()
            while true {
                work(position)
                guard let following = next() else { return }
                position = following
            }
        }
    }
}
