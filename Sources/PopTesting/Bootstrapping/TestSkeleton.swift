internal import PopCEL
package import PopScheduler
internal import PopSource

/// A test file to begin with: for each popup a test that passes, and that shows the popup where that can be done.
package struct TestSkeleton {
    package let text: String

    /// The date at which the tests start when a schedule does not ask for another.
    private static let start = Timestamp(seconds: 1_767_258_000)  // 2026-01-01T09:00:00Z

    package init(_ rules: RuleSet) {
        let tests = rules.popups.map { SkeletonTest($0, rules, start: Self.start).text }
        text = """
            # One test for each popup, to begin with. Each passes as the rules are now: change it into
            # what should happen.
            poprules_test: 1
            start: \(Self.start)

            tests:

            """ + tests.joined(separator: "\n")
    }
}

/// The test of one popup.
private struct SkeletonTest {
    private let popup: PopupRule
    private let rules: RuleSet
    private let question: Question

    init(_ popup: PopupRule, _ rules: RuleSet, start: Timestamp) {
        self.popup = popup
        self.rules = rules
        var question = Question(rules: rules, start: start)
        question.after = popup.delay + popup.grace
        for id in popup.after.map({ rules.popups[$0].id }) {
            let date = Timestamp(seconds: start.seconds - 86_400)
            question.history.apply(.impression(popup: id, date: date))
            question.history.apply(.dismissal(popup: id, reason: .userClosed, date: date))
        }
        switch popup.triggers.first {
        case .start?, nil: break
        case .event(let trigger)?: question.event = rules.events[trigger.event].name
        case .manual?, .changed?: question.enqueued = popup.id
        }
        let change = SmallestChanges.find(question, question.played(), popup).first
        self.question = change.map { question.changed(by: $0) } ?? question
    }

    var text: String {
        var lines = ["  \(popup.id):"]
        let context = question.context.sorted { $0.key < $1.key }
        if !context.isEmpty {
            lines.append("    context: \(map(context.map { ($0.key, $0.value.yaml) }))")
        }
        let past = popup.after.map { (rules.popups[$0].id, "{ shown: 1, last: -1d }") }
        if !past.isEmpty { lines.append("    history: \(map(past))") }
        lines.append("    steps:")
        lines += steps
        return lines.joined(separator: "\n") + "\n"
    }

    private var steps: [String] {
        var lines: [String] = []
        if let event = question.event {
            let payload = question.payload.sorted { $0.key < $1.key }
            let fields = payload.isEmpty ? "{}" : map(payload.map { ($0.key, $0.value.yaml) })
            lines.append("      - send: { \(event): \(fields) }")
        }
        if let enqueued = question.enqueued { lines.append("      - enqueue: \(enqueued)") }
        if question.after > .zero {
            lines.append("      - after: \(Value.duration(question.after).yaml)")
        }
        let start = lines.isEmpty ? "      - " : "        "
        return lines + ["\(start)expect: { \(expectation) }"]
    }

    private var expectation: String {
        let simulation = question.played()
        let lane = rules.schedulers[popup.scheduler].name
        if simulation.scheduler.showing[lane] == popup.id {
            return "showing: { \(lane): \(popup.id) }"
        }
        if let reason = simulation.scheduler.reason(popup.id, at: simulation.now) {
            return "reasons: { \(popup.id): \(reason.rawValue) }"
        }
        return "waiting: { \(lane): [\(popup.id)] }"
    }

    private func map(_ entries: [(String, String)]) -> String {
        "{ " + entries.map { "\($0): \($1)" }.joined(separator: ", ") + " }"
    }
}

extension Value {
    /// The value as a test file writes it, on one line.
    fileprivate var yaml: String {
        switch self {
        case .uint(let value): "\(value)"
        case .timestamp(let date): "\(date)"
        case .duration(let duration):
            PopTesting.timeText(duration).contains(".")
                ? "\(duration / .milliseconds(1))ms".replacing(".0ms", with: "ms")
                : PopTesting.timeText(duration).replacing(" ", with: "")
        // A JSON string is a quoted YAML scalar.
        case .string(let text): JSON.string(text).compact
        case .bytes(let bytes): JSON.string(String(decoding: bytes, as: UTF8.self)).compact
        case .list(let values): "[\(values.map(\.yaml).joined(separator: ", "))]"
        case .map(let map):
            "{ \(map.map { "\($0.key.yaml): \($0.value.yaml)" }.joined(separator: ", ")) }"
        default: description
        }
    }
}
