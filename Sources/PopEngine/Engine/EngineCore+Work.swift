internal import PopScheduler
internal import PopSource

extension EngineCore {
    /// Adds work for the stage. Returns true if the stage will perform it.
    @discardableResult
    func put(_ work: Work) -> Bool { state.withLock { put(work, state: &$0) } }

    @discardableResult
    func put(_ work: Work, state: inout State) -> Bool {
        guard !state.queue.isClosed else { return false }
        change(&state) { $0.add(work) }
        return true
    }

    func tell(_ kind: EngineEvent.Kind) { put(.tell(kind, clock.now)) }

    /// Wakes the stage when it has nothing else to do.
    func change(_ state: inout State, change: (inout WorkQueue) -> Void) {
        let wasEmpty = state.queue.isEmpty
        change(&state.queue)
        if wasEmpty { signal.yield() }
    }

    /// Nothing is put on the list any more.
    func close(_ state: inout State) {
        state.life = .stopped
        state.queue.close()
        signal.finish()
        state.wake?.task.cancel()
        state.wake = nil
        // The store still gets its time; the main actor's answer isn't needed any more.
        if state.question?.asked == .mainActor {
            state.question?.isAnswered.resume(returning: false)
            state.question = nil
        }
        armWake(&state)
    }

    /// Returns the next work for the stage, which calls `workEnded` when it is done.
    func nextWork() -> WorkQueue.Next? {
        state.withLock { state in
            guard let next = state.queue.next() else { return nil }
            state.underWay += 1
            return next
        }
    }

    func workBegan() { state.withLock { $0.underWay += 1 } }
    func workEnded() { state.withLock { $0.underWay -= 1 } }
    /// The number of items that the stage has yet to do, together with unprocessed inputs.
    var openWork: Int {
        state.withLock { $0.queue.count + $0.underWay + ($0.inputs.map { $0.count + 1 } ?? 0) }
    }
}
