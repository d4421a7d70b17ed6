import Dispatch
import PopEngine
import PopScheduler

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// An input of a session from outside, in one sequence.
enum PlayInput: Sendable {
    case typed([UInt8])
    /// The terminal was closed.
    case inputEnded
    case resized
    /// A signal asks the process to end.
    case signalled(Int32)
    /// A second has passed.
    case ticked
    /// The screen has changed.
    case presented
    case told(EngineEvent)
    /// Other rules were read from the disk.
    case rules(RuleSet)
    /// The rules on the disk are wrong; in one line, what and where.
    case refused(String)
}

/// The sources of a session's inputs while it runs.
@MainActor
final class PlaySources {
    private let feed: AsyncStream<PlayInput>.Continuation
    private var signals: [any DispatchSourceSignal] = []
    private var tasks: [Task<Void, Never>] = []

    init(_ feed: AsyncStream<PlayInput>.Continuation) { self.feed = feed }

    func listenToKeys() {
        DispatchQueue.global().async { [feed] in
            let input = Descriptor.standardInput
            while let bytes = try? input.nextBytes(atMost: 4_096), !bytes.isEmpty {
                feed.yield(.typed(bytes))
            }
            feed.yield(.inputEnded)
        }
    }

    /// Returns when no signal can be missed any more.
    func listenToSignals() async {
        for number in [SIGTERM, SIGHUP, SIGINT, SIGQUIT] {
            // Otherwise Darwin ends the process before the source receives the signal.
            signal(number, SIG_IGN)
            await listen(to: number, .signalled(number))
        }
        await listen(to: SIGWINCH, .resized)
    }

    private func listen(to number: Int32, _ input: PlayInput) async {
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { @Sendable [feed] in feed.yield(input) }
        signals.append(source)
        await withCheckedContinuation { registered in
            // A source listens only some time after it was resumed.
            source.setRegistrationHandler { @Sendable in registered.resume() }
            source.resume()
        }
    }

    func tick() {
        tasks.append(
            Task { [feed] in
                while (try? await Task.sleep(for: .seconds(1))) != nil { feed.yield(.ticked) }
            })
    }

    func follow(_ events: EngineEvents) {
        tasks.append(Task { [feed] in for await event in events { feed.yield(.told(event)) } })
    }

    /// Follows rules on the disk; `describe` returns their error in one line.
    func follow<Updates: AsyncSequence & Sendable>(
        _ updates: Updates, describe: @escaping @Sendable (any Error) -> String
    ) where Updates.Element == Result<RuleSet, any Error>, Updates.Failure == Never {
        tasks.append(
            Task { [feed] in
                for await update in updates {
                    switch update {
                    case .success(let rules): feed.yield(.rules(rules))
                    case .failure(let error): feed.yield(.refused(describe(error)))
                    }
                }
            })
    }

    func stop() {
        for source in signals { source.cancel() }
        for task in tasks { task.cancel() }
    }
}
