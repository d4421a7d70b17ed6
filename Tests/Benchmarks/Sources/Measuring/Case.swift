/// One thing that is measured: what it is called, and how long a number of runs of it took.
public struct Case {
    public let name: String
    public let unit: Unit
    /// Runs it so many times and gives the time of what counts, which may leave out preparations.
    let time: (Int) -> Duration

    public init(_ name: String, _ unit: Unit, time: @escaping (Int) -> Duration) {
        self.name = name
        self.unit = unit
        self.time = time
    }

    /// Of which everything counts but letting go of what was made, on this thread alone.
    public init<Made>(_ name: String, _ unit: Unit, making make: @escaping () -> Made) {
        self.init(name, unit) { count in making(make, count, processorTime) }
    }

    /// Of which everything counts, on this thread alone.
    public init(_ name: String, _ unit: Unit, run: @escaping () -> Void) {
        self.init(name, unit) { count in
            processorTime { for _ in 0..<count { run() } }
        }
    }
}

private func making<Made>(
    _ make: @escaping () -> Made, _ count: Int, _ time: (() -> Void) -> Duration
) -> Duration {
    var sum = Duration.zero
    for _ in 0..<count {
        var made: Made?
        sum += time { made = make() }
        use(made)
    }
    return sum
}

/// What the numbers of a case are written in.
public enum Unit: String, Codable, Sendable {
    case nanoseconds = "ns"
    case microseconds = "µs"
    case milliseconds = "ms"
    case bytes = "B"
    case times = "×"

    /// One of the unit in nanoseconds.
    public var length: Double {
        switch self {
        case .nanoseconds, .bytes, .times: 1
        case .microseconds: 1e3
        case .milliseconds: 1e6
        }
    }
}

/// What came out of a case.
public struct Figure: Codable, Sendable {
    public var name: String
    public var unit: Unit
    public var median: Double
    public var p90: Double
    public var iterations: Int
    /// What each round gave, and when the first of them began; known in the process that measured
    /// it alone.
    private var samples: [Double] = []
    private var begun: ContinuousClock.Instant?

    private enum CodingKeys: String, CodingKey {
        case name, unit, median, p90, iterations
    }

    /// Something that comes out the same every time.
    public init(_ name: String, _ unit: Unit, exactly value: Double) {
        self.name = name
        self.unit = unit
        (median, p90, iterations) = (value, value, 1)
    }

    init(
        _ measured: Case, samples: [Double], iterations: Int, begun: ContinuousClock.Instant
    ) {
        let sorted = samples.sorted()
        name = measured.name
        unit = measured.unit
        median = sorted[sorted.count / 2] / unit.length
        p90 = sorted[sorted.count * 9 / 10] / unit.length
        self.iterations = iterations
        self.samples = samples
        self.begun = begun
    }

    /// How many times the reference it is.
    ///
    /// Of two that were measured in the same rounds the median of what the rounds say: when the
    /// machine becomes slower on the way, for some rounds, both medians need not be of the same
    /// state.
    public func ratio(to reference: Figure) -> Double {
        guard let begun, begun == reference.begun else {
            return median * unit.length / (reference.median * reference.unit.length)
        }
        let ratios = zip(samples, reference.samples).map { $0 / $1 }.sorted()
        return ratios[ratios.count / 2]
    }
}
