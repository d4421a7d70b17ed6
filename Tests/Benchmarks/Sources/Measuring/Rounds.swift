/// Measures cases that are compared with each other, one run of each after the other in every
/// round.
///
/// So a busy moment of the machine strikes all of them alike: the ratios stay right where the times
/// do not.
public func measure(
    _ cases: [Case], rounds: Int = 31, sample: Duration = .milliseconds(2)
) -> [Figure] {
    let counts = cases.map { runs(of: $0, filling: sample) }
    let begun = ContinuousClock.now
    var samples = Array(repeating: [Double](), count: cases.count)
    for _ in 0..<rounds {
        for (position, measured) in cases.enumerated() {
            let time = measured.time(counts[position])
            samples[position].append(time.nanoseconds / Double(counts[position]))
        }
    }
    return cases.indices.map {
        Figure(
            cases[$0], samples: samples[$0], iterations: counts[$0] * rounds, begun: begun)
    }
}

/// Returns how many runs take about that long; also warms up. It measures each count twice, and the
/// shorter time counts: if another process interrupts the first few runs, those few would already
/// seem to take that long.
private func runs(of measured: Case, filling sample: Duration) -> Int {
    var count = 1
    while count < 10_000_000 {
        if measured.time(count) >= sample, measured.time(count) >= sample { break }
        count *= 2
    }
    return count
}

extension Duration {
    public var nanoseconds: Double {
        Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
    }
}

/// Prevents the optimizer from removing the computation of a result.
@inline(never)
public func use<Result>(_ result: Result) {}
