public import PopEngine

/// The options of how often an app asks its server, and how long it waits.
public struct RemoteRulesOptions: Sendable {
    /// From an answer to the next question.
    public var interval = Duration.seconds(6 * 3600)
    /// After a failure; twice as long after the second in succession, and so on.
    public var firstPause = Duration.seconds(10)
    /// The longest that it gets.
    public var longestPause = Duration.seconds(3600)
    /// The longest pause that a server can ask for by `Retry-After`: one forged answer must not
    /// keep the app from asking.
    public var longestRetryAfter = Duration.seconds(24 * 3600)
    /// The random share of each time: with 0.5, between half of the time and all of it, so that the
    /// apps of a server that was down do not come back at the same moment.
    public var jitter = 0.5
    /// The time that the server has to answer a request.
    public var patience = Duration.seconds(60)
    /// The oldest issue that may come in, even when nothing is kept: that of the rules which the
    /// app was built with.
    public var oldestIssue: Int64 = 0
    /// The clock of the fetches.
    public var clock: any MomentClock = SystemClock()
    /// The seed of the random times: the same seed gives the same times.
    public var seed = UInt64.random(in: .min ... .max)

    /// The standard times, to change one by one.
    public init() {}
}

/// When to ask next.
struct RetrySchedule: Sendable {
    private let options: RemoteRulesOptions
    private var generator: SplitMix64
    /// In succession.
    private(set) var failures = 0

    init(_ options: RemoteRulesOptions) {
        self.options = options
        generator = SplitMix64(state: options.seed)
    }

    mutating func succeeded() -> Duration {
        failures = 0
        return drawn(options.interval)
    }

    mutating func failed(retryAfter: Duration?) -> Duration {
        failures += 1
        var pause = options.firstPause
        for _ in 1..<max(failures, 2) where failures > 1 && pause < options.longestPause {
            pause *= 2
        }
        let asked = min(retryAfter ?? .zero, options.longestRetryAfter)
        return max(drawn(min(pause, options.longestPause)), asked)
    }

    private mutating func drawn(_ duration: Duration) -> Duration {
        let jitter = min(max(options.jitter, 0), 1)
        return duration * Double.random(in: (1 - jitter)...1, using: &generator)
    }
}

/// A small generator whose numbers are the same everywhere.
private struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
