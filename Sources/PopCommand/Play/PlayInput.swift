import Dispatch
import PopEngine
import PopScheduler
import PopSource

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

/// A key that the user pressed.
enum PlayKey: Sendable, Equatable {
    case character(Character)
    case enter
    case backspace
    case escape
    case tab
    case up, down, pageUp, pageDown, home, end
    /// Control-U: empties the line.
    case clear
    /// Control-C, or Control-D.
    case interrupt
}

/// Makes keys of the bytes that a terminal sends, however they are cut into pieces.
struct PlayKeyReader: Sendable {
    /// The beginning of a character whose other bytes have yet to come.
    private var rest: [UInt8] = []

    /// The maximum number of bytes of pasted text; the rest is dropped.
    private static let longestPiece = 4096

    /// Keys that send sequences and mean nothing here are skipped.
    mutating func keys(in bytes: some Collection<UInt8>) -> [PlayKey] {
        var bytes = rest + bytes.prefix(Self.longestPiece)
        rest = []
        var keys: [PlayKey] = []
        while let first = bytes.first {
            if first == 0x1B {
                let length = Self.sequenceLength(bytes)
                if let key = Self.key(ofSequence: bytes.prefix(length)) { keys.append(key) }
                bytes.removeFirst(length)
            } else if first < 0x80 {
                if let key = Self.key(first) { keys.append(key) }
                bytes.removeFirst()
            } else {
                let length = Self.characterLength(first)
                guard bytes.count >= length else {
                    rest = bytes
                    break
                }
                if let text = String(utf8: bytes.prefix(length)) {
                    keys += text.map { .character($0) }
                }
                bytes.removeFirst(length)
            }
        }
        return keys
    }

    private static func key(_ byte: UInt8) -> PlayKey? {
        switch byte {
        case 0x03, 0x04: .interrupt
        case 0x0A, 0x0D: .enter
        case 0x08, 0x7F: .backspace
        case 0x09: .tab
        case 0x15: .clear
        case 0x00..<0x20: nil
        default: .character(Character(Unicode.Scalar(byte)))
        }
    }

    /// The key that sends a sequence (xterm's, with and without application mode); nil when it
    /// means nothing here.
    private static func key(ofSequence bytes: some Collection<UInt8>) -> PlayKey? {
        switch String(decoding: bytes.dropFirst(), as: UTF8.self) {
        case "": .escape
        case "[A", "OA": .up
        case "[B", "OB": .down
        case "[5~": .pageUp
        case "[6~": .pageDown
        case "[H", "OH", "[1~": .home
        case "[F", "OF", "[4~": .end
        default: nil
        }
    }

    /// Returns the number of bytes of a UTF-8 character, by its first byte.
    private static func characterLength(_ first: UInt8) -> Int {
        switch first {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
    }

    /// Bytes of the control sequence (ECMA-48) at the beginning; 1 for the Escape key.
    private static func sequenceLength(_ bytes: [UInt8]) -> Int {
        guard bytes.count > 1, bytes[1] == UInt8(ascii: "[") || bytes[1] == UInt8(ascii: "O")
        else { return 1 }
        let end = bytes.dropFirst(2).firstIndex { (0x40...0x7E).contains($0) }
        return end.map { $0 + 1 } ?? bytes.count
    }
}
