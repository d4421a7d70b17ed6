/// A case to measure: its name, its unit, and a function that returns the time of a number of runs.
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

    /// A case that counts everything on this thread except the release of the made values.
    public init<Made>(_ name: String, _ unit: Unit, making make: @escaping () -> Made) {
        self.init(name, unit) { count in making(make, count, processorTime) }
    }

    /// A case that counts everything on this thread, and nothing on others.
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

/// The unit of a case's numbers.
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

/// The result of a case.
public struct Figure: Codable, Sendable {
    public var name: String
    public var unit: Unit
    public var median: Double
    public var p90: Double
    public var iterations: Int
    /// The result of each round, and the start of the first round; known only in the process that
    /// measured it.
    private var samples: [Double] = []
    private var begun: ContinuousClock.Instant?

    private enum CodingKeys: String, CodingKey {
        case name, unit, median, p90, iterations
    }

    /// A figure that is the same every time.
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

    /// Returns the ratio of this figure to a reference.
    ///
    /// If both figures were measured in the same rounds, it is the median of the ratios of the
    /// rounds. If the machine becomes slower during some rounds, the two medians may belong to
    /// different states of the machine.
    public func ratio(to reference: Figure) -> Double {
        guard let begun, begun == reference.begun else {
            return median * unit.length / (reference.median * reference.unit.length)
        }
        let ratios = zip(samples, reference.samples).map { $0 / $1 }.sorted()
        return ratios[ratios.count / 2]
    }
}
