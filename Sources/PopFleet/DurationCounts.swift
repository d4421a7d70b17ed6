/// Durations, counted by their length: eight steps from one power of two seconds to the next, so
/// that counts can be added up.
public struct DurationCounts: Sendable, Hashable {
    /// By step; the first is for less than a second.
    public var steps: [Int: Int] = [:]

    private static let stepsPerDoubling: Int64 = 8
    /// The steps of durations below 1,000 years.
    static let possibleSteps = 0...step(of: 1_000 * 366 * 86_400)

    /// Nothing was counted.
    public init() {}

    /// Counts a duration.
    public mutating func add(_ duration: Duration) {
        steps[Self.step(of: duration.components.seconds), default: 0] += 1
    }

    /// Adds what was counted elsewhere.
    public mutating func add(_ other: DurationCounts) { steps.merge(other.steps) { $0 + $1 } }

    /// The number of counted durations.
    public var count: Int { steps.values.reduce(0, +) }

    /// Returns a duration that a share of the counted durations doesn't exceed: in whole seconds
    /// below eight seconds, above that the upper bound of a step, which is at most an eighth too
    /// long. Nil if nothing was counted.
    public func quantile(_ share: Double) -> Duration? {
        let wanted = Double(count) * share
        var sum = 0
        for (step, count) in steps.sorted(by: { $0.key < $1.key }) {
            sum += count
            if Double(sum) >= wanted {
                let bound = Self.bound(of: step + 1)
                return .seconds(bound <= Self.stepsPerDoubling ? bound - 1 : bound)
            }
        }
        return nil
    }

    /// Without logarithms, which need not be the same on every machine.
    private static func step(of seconds: Int64) -> Int {
        if seconds < 1 { return 0 }
        let power = Int64(63 - seconds.leadingZeroBitCount)
        let below = ((seconds - (1 << power)) * stepsPerDoubling) >> power
        return Int(power * stepsPerDoubling + below) + 1
    }

    /// The smallest length of a step.
    private static func bound(of step: Int) -> Int64 {
        if step < 1 { return 0 }
        let (power, below) = Int64(step - 1).quotientAndRemainder(dividingBy: stepsPerDoubling)
        let start = Int64(1) << power
        return start + (start * below + stepsPerDoubling - 1) / stepsPerDoubling
    }
}
