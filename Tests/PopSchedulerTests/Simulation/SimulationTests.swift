import PopScheduler
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// SEMANTICS "What holds for every sequence of inputs": random rules and inputs, played by the
/// scheduler and by the model, with a check of the properties after each step.
struct SimulationTests {
    /// Steps of one run; each run has other rules.
    private static let length = 250

    private static let runsOfAMillionSteps = UInt64(1_000_000 / length)

    static var runs: Int {
        number("POPRULES_SIMULATION_STEPS").map { max(1, $0 / length) } ?? 200
    }

    /// The seed of the first run; the others follow it.
    static var firstSeed: Int { max(0, number("POPRULES_SIMULATION_SEED") ?? 0) }

    /// A number that the environment asks for.
    static func number(_ variable: String) -> Int? {
        unsafe getenv(variable).flatMap { Int(unsafe String(cString: $0)) }
    }

    static func inputs(_ seed: UInt64) -> [Input] {
        var dice = Dice(seed &+ 1_000_003)
        var inputs = [Input.started]
        while inputs.count < length {
            inputs += dice.isLucky(12) ? Input.collision(&dice) : [.random(&dice)]
        }
        return Array(inputs.prefix(length))
    }

    @Test(arguments: 0..<8)
    func `the scheduler and the model agree event for event and no property breaks`(part: Int) {
        for run in stride(from: part, to: Self.runs, by: 8) {
            let seed = UInt64(Self.firstSeed + run)
            let inputs = Self.inputs(seed)
            guard Play.failure(seed: seed, inputs) != nil else { continue }
            let shortest = Self.shortest(seed, inputs)
            let failure = Play.failure(seed: seed, shortest) ?? ""
            Issue.record(
                "seed \(seed): \(failure)\n\(shortest.map { "\($0)" }.joined(separator: "\n"))")
            return
        }
    }

    @Test func `the simulation meets every kind of event and every reason to end`() {
        var words: Set<Substring> = []
        for seed in UInt64(0)..<200 {
            for line in Play.log(seed: seed, Self.inputs(seed)) {
                words.formUnion(line.split(separator: " "))
            }
        }
        // Reasons for waiting don't appear in events; other reasons have an event of their own.
        let unsaid: Set<ReasonCode> = [
            .notInRollout, .notTriggered, .cancelled, .presentationFailed,
        ]
        let waiting = ReasonCode.allCases.prefix { $0 != .disabled }
        for reason in ReasonCode.allCases where !unsaid.contains(reason) {
            #expect(
                words.contains(Substring(reason.rawValue)) != waiting.contains(reason),
                "\(reason.rawValue)")
        }
        let kinds: [Substring] = [
            "queued", "coalesced", "remembered", "notMade", "willShow", "postponed", "shown",
            "willDismiss",
            "requeued", "dismissed", "discarded", "cancelled", "failed", "conditionError",
            "timeout", "zoneUnknown", "exposed", "acted", "converted",
        ]
        #expect(kinds.filter { !words.contains($0) } == [])
    }

    @Test func `the simulation often meets the cases in which schedulers are most easily wrong`() {
        // New keys of rules make the others rarer. The number of runs until all sights are met
        // isn't fixed, but it must not exceed the runs of a million steps.
        var sights: [Sight: Int] = [:]
        var seed: UInt64 = 0
        func seldom() -> [Sight] { Sight.allCases.filter { sights[$0] ?? 0 < 2 } }
        while seed < Self.runsOfAMillionSteps, !seldom().isEmpty {
            sights.merge(Play.sights(seed: seed, Self.inputs(seed))) { $0 + $1 }
            seed += 1
        }
        #expect(seldom() == [], "in \(seed) runs")
    }

    /// Leaves out ever smaller parts as long as it still fails.
    private static func shortest(_ seed: UInt64, _ inputs: [Input]) -> [Input] {
        var current = inputs
        var size = current.count / 2
        while size > 0 {
            var start = 0
            while start < current.count {
                var shorter = current
                shorter.removeSubrange(start..<min(start + size, current.count))
                if Play.failure(seed: seed, shorter) != nil {
                    current = shorter
                } else {
                    start += size
                }
            }
            size /= 2
        }
        return current
    }
}
