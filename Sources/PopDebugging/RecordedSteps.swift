internal import PopScenario
internal import PopScheduler

/// The steps of a recorded test while they are collected.
struct RecordedSteps {
    /// The position of a fault relative to a step.
    enum Place: Hashable {
        /// Before the steps begin.
        case start
        case before(Int)
        case behind(Int)
    }

    private struct Step {
        /// The time since the test began; whole milliseconds.
        var time: Duration
        var comments: [String] = []
        var keys: [String] = []
        /// The popup that each scheduler shows at the end of the step.
        var showing: [String: String] = [:]
        /// The number of impressions of each popup so far.
        var shown: [String: Int] = [:]

        var isEmpty: Bool {
            comments.isEmpty && keys.isEmpty && showing.isEmpty && shown.isEmpty
        }

        var expectations: [String] {
            let showing = showing.sorted { $0.key < $1.key }
                .map { (YAMLText.name($0.key), YAMLText.name($0.value)) }
            let shown = shown.sorted { $0.key < $1.key }
                .map { (YAMLText.name($0.key), "\($0.value)") }
            return [("showing", showing), ("shown", shown)].filter { !$0.1.isEmpty }
                .map { "\($0.0): \(YAMLText.map($0.1))" }
        }
    }

    private var steps: [Step] = []
    /// The faults of the next presentations and dismissals.
    private var faults: [Place: [String]] = [:]

    /// The last step.
    var last: Int { steps.count - 1 }

    /// A step that does nothing yet.
    @discardableResult
    mutating func add(at time: Duration, _ keys: [String] = []) -> Int {
        steps.append(Step(time: max(Self.rounded(time), steps.last?.time ?? .zero), keys: keys))
        return last
    }

    /// Adds a comment for facts that no step can express, before the next step.
    mutating func comment(_ text: String, at time: Duration) {
        let place = add(at: time)
        steps[place].comments.append(text)
    }

    mutating func remark(_ text: String, on step: Int) {
        steps[step].comments.append(text)
    }

    /// A popup, or `none`, is on the screen of a scheduler once a step is over.
    mutating func expect(_ popup: String, on scheduler: String, in step: Int) {
        steps[step].showing[scheduler] = popup
    }

    mutating func expect(shown: [String: Int], in step: Int) { steps[step].shown = shown }

    /// Adds a fault; a test can only express the first fault of a popup at a place.
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

    /// The faults at the start, as the value of a key; nil without faults.
    var atStart: String? {
        var said: [String: [String]] = [:]
        for fault in faults[.start] ?? [] {
            let parts = fault.split(separator: ":", maxSplits: 1)
            said[String(parts[0]), default: []].append(String(parts[1].dropFirst()))
        }
        if said.isEmpty { return nil }
        let entries = said.sorted { $0.key < $1.key }.map { key, values in
            // Of `postpone` each is a map by itself.
            let times = values.map { String($0.dropFirst(2).dropLast(2)) }
            let list = "[\(values.joined(separator: ", "))]"
            return (key, key == "postpone" ? YAMLText.braced(times) : list)
        }
        return YAMLText.map(entries)
    }

    /// The steps as a test contains them.
    var texts: [TestText.Step] {
        var texts: [TestText.Step] = []
        var told = Duration.zero
        func add(_ step: Step) {
            if step.isEmpty { return }
            var text = TestText.Step(step.keys, expecting: step.expectations)
            text.comments = step.comments
            if !text.keys.isEmpty || !text.expectations.isEmpty, step.time > told {
                text.keys.insert("after: \(YAMLText.duration(step.time - told))", at: 0)
                told = step.time
            }
            texts.append(text)
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
        return texts
    }
}
