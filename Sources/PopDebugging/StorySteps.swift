internal import PopCEL
internal import PopExplanations
internal import PopScheduler

/// The steps of a story as they come together.
struct StorySteps {
    /// What a step is beside.
    enum Place: Hashable {
        case before(Int)
        case behind(Int)
    }

    private struct Step {
        /// Since the story began; whole milliseconds.
        var time: Duration
        var comments: [String] = []
        var keys: [String] = []
        var expectations: [String] = []

        var isEmpty: Bool { comments.isEmpty && keys.isEmpty && expectations.isEmpty }
    }

    private var steps: [Step] = []
    /// What goes wrong at the next presentations and dismissals.
    private var faults: [Place: [String]] = [:]

    /// The last step.
    var last: Int { steps.count - 1 }

    /// A step that does nothing yet.
    @discardableResult
    mutating func add(at time: Duration, _ keys: [String] = []) -> Int {
        steps.append(Step(time: max(Self.rounded(time), steps.last?.time ?? .zero), keys: keys))
        return last
    }

    /// What no step can say, before what comes next.
    mutating func comment(_ text: String, at time: Duration) {
        let place = add(at: time)
        steps[place].comments.append("# \(text)")
    }

    mutating func remark(_ text: String, on step: Int) {
        steps[step].comments.append("# \(text)")
    }

    mutating func expect(_ expectation: String, in step: Int) {
        steps[step].expectations.append(expectation)
    }

    /// Something goes wrong; of the same popup at the same place only the first thing can be said.
    mutating func fault(_ key: String, of popup: String, value: String, at place: Place) {
        let text = "\(key): \(value)"
        let isSaid = faults[place, default: []].contains { $0.contains(popup) }
        if !isSaid { faults[place, default: []].append(text) }
    }

    /// Deadlines are reached in a step, never missed.
    private static func rounded(_ time: Duration) -> Duration {
        let (seconds, attoseconds) = time.components
        let whole = 1_000_000_000_000_000 as Int64
        let milliseconds = attoseconds / whole + (attoseconds % whole > 0 ? 1 : 0)
        return .milliseconds(seconds * 1_000 + milliseconds)
    }

    var lines: [String] {
        var lines: [String] = []
        var told = Duration.zero
        func add(_ step: Step) {
            if step.isEmpty { return }
            lines += step.comments
            var keys = step.keys
            if !step.expectations.isEmpty {
                keys.append("expect: \(YAMLText.braced(step.expectations))")
            }
            if keys.isEmpty { return }
            if step.time > told {
                keys.insert("after: \(Value.duration(step.time - told).yaml)", at: 0)
                told = step.time
            }
            lines += keys.enumerated().map { ($0.offset == 0 ? "- " : "  ") + $0.element }
        }
        for (index, step) in steps.enumerated() {
            for fault in faults[.before(index)] ?? [] {
                add(Step(time: step.time, keys: [fault]))
            }
            add(step)
            for fault in faults[.behind(index)] ?? [] {
                add(Step(time: step.time, keys: [fault]))
            }
        }
        return lines
    }
}
