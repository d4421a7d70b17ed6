package import PopCEL
internal import PopSource

/// A test as text: an entry of `tests` in a test file.
///
///     welcome:
///       context: { plan: "pro" }
///       steps:
///         - send: opened
///           expect: { showing: { main: welcome } }
package struct TestText: Sendable {
    /// A step: its actions, then the expectations after them.
    package struct Step: Sendable {
        /// Facts that no key can express, without `#`.
        package var comments: [String] = []
        /// The keys with their values, such as `send: opened`.
        package var keys: [String] = []
        /// The keys of `expect` with their values, such as `showing: { main: welcome }`.
        package var expectations: [String] = []

        package init(_ keys: [String] = [], expecting expectations: [String] = []) {
            self.keys = keys
            self.expectations = expectations
        }
    }

    /// The name as a YAML key.
    package var name: String
    /// Comments about the test, without `#`.
    package var comments: [String] = []
    /// The date at which the test starts; nil is the `start` of the file.
    package var start: String?
    /// By popup, the arm of its experiment that the user is in.
    package var arms: [String: String] = [:]
    package var context: [String: Value] = [:]
    /// The popups and events of `history` with their values.
    package var history: [String] = []
    /// The faults of the presentations at the start of the app, as the value of `at_start`.
    package var atStart: String?
    package var steps: [Step] = []
    /// Comments after the last step, without `#`.
    package var closing: [String] = []

    package init(named name: String) { self.name = name }

    /// Adds expectations to the last step; to a step of their own if there is no step.
    package mutating func expect(_ expectations: [String]) {
        if steps.isEmpty { steps.append(Step()) }
        steps[steps.count - 1].expectations += expectations
    }

    /// The lines of the test, each with a line break.
    package var text: String { lines.map { "\($0)\n" }.joined() }

    private var lines: [String] {
        var lines = comments.map { "  # \($0)" } + ["  \(name):"]
        if let start { lines.append("    start: \(start)") }
        if !arms.isEmpty {
            let map = arms.sorted { $0.key < $1.key }
                .map { (YAMLText.name($0.key), YAMLText.name($0.value)) }
            lines.append("    persona: { variant: \(YAMLText.map(map)) }")
        }
        if !context.isEmpty { lines.append("    context: \(YAMLText.map(context))") }
        lines += historyLines
        if let atStart { lines.append("    at_start: \(atStart)") }
        lines.append("    steps:")
        for step in steps { lines += step.lines.map { "      \($0)" } }
        return lines + closing.map { "      # \($0)" }
    }

    /// The history: on one line if that isn't too long.
    private var historyLines: [String] {
        if history.isEmpty { return [] }
        let line = "    history: \(YAMLText.braced(history))"
        if history.count == 1 || line.utf8.count <= Self.lineWidth { return [line] }
        return ["    history:"] + history.map { "      \($0)" }
    }

    /// The longest line that still contains several entries, in bytes.
    private static let lineWidth = 100
}

extension TestText.Step {
    /// The lines of the step; none if it has nothing.
    fileprivate var lines: [String] {
        let all = keys + (expectations.isEmpty ? [] : ["expect: \(YAMLText.braced(expectations))"])
        return comments.map { "# \($0)" }
            + all.enumerated().map { ($0.offset == 0 ? "- " : "  ") + $0.element }
    }
}

/// The text of a test file around its tests.
package struct TestFileText: Sendable {
    /// The version of the format.
    package static let version = 1

    /// Comments about the file, without `#`.
    package var comments: [String] = []
    package var start: String
    package var seed: UInt64?
    package var zone: String?
    package var user: String?

    /// Creates a file whose tests start at a date.
    package init(start: String) { self.start = start }

    /// Returns the text with tests, which are separated by empty lines.
    package func text(with tests: [String]) -> String {
        var lines = comments.map { "# \($0)" }
        lines += ["poprules_test: \(Self.version)", "start: \(start)"]
        if let seed { lines.append("seed: \(seed)") }
        if let zone { lines.append("zone: \(JSON.string(zone).compact)") }
        if let user { lines.append("user: \(JSON.string(user).compact)") }
        lines += ["", "tests:"]
        return lines.map { "\($0)\n" }.joined() + tests.joined(separator: "\n")
    }
}
