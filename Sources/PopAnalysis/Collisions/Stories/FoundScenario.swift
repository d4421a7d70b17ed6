internal import PopCEL
internal import PopExplanations
package import PopScenario
internal import PopScheduler

/// A sequence of steps for a user, as observed on the real scheduler.
package struct FoundScenario: Sendable {
    /// A step, and the state after it.
    struct Step: Sendable {
        /// The act; nil for the beginning itself.
        var act: ScenarioAct?
        /// The popup that shows, by scheduler, and the reason for popups that don't show.
        var showing: [(scheduler: String, popup: String?)]
        var reasons: [(popup: String, reason: ReasonCode)]
    }

    /// A short description of the outcome.
    package let title: String
    package let beginning: ScenarioStart
    let steps: [Step]

    /// The acts after the beginning.
    package var acts: [ScenarioAct] { steps.compactMap(\.act) }

    /// Returns the number of times that a user closes a popup in the scenario.
    func closings(of popup: String) -> Int { acts.count { $0 == .close(popup) } }
}

extension FoundScenario {
    /// A test file that passes with the rules with which the scenario was run.
    package var testFile: String { Self.testFile([self]) }

    /// Returns a test file with several scenarios.
    package static func testFile(_ stories: [FoundScenario]) -> String {
        // A file has one start. Scenarios with different starts are written as separate files.
        var files: [String] = []
        for start in Set(stories.map(\.beginning.start)).sorted() {
            let tests = stories.filter { $0.beginning.start == start }.map(\.test)
            files.append(TestFileText(start: "\(start)").text(with: tests))
        }
        return files.joined(separator: "---\n")
    }

    /// The test without a file around it, as an entry of `tests`.
    package var test: String {
        var test = TestText(named: YAMLText.name(title))
        test.context = beginning.context
        test.history = beginning.past
        test.steps = steps.map { step in
            TestText.Step(step.act.map { [$0.yaml] } ?? [], expecting: step.expectations)
        }
        return test.text
    }
}

extension FoundScenario.Step {
    fileprivate var expectations: [String] {
        let showing = showing.map { scheduler, popup in
            (YAMLText.name(scheduler), popup.map { YAMLText.name($0) } ?? "none")
        }
        let reasons = reasons.map { (YAMLText.name($0.popup), $0.reason.rawValue) }
        return ["showing: \(YAMLText.map(showing))"]
            + (reasons.isEmpty ? [] : ["reasons: \(YAMLText.map(reasons))"])
    }
}

extension ScenarioStart {
    /// The history as a test file writes it.
    var past: [String] {
        var entries: [(String, String)] = []
        func list(_ times: [Duration]) -> String {
            "[\(times.map { "-\(YAMLText.duration($0))" }.joined(separator: ", "))]"
        }
        for popup in popupsSeen {
            var past: [(String, String)] = []
            if impressions[popup] != nil || actions[popup] == nil {
                past.append(("shown", list(timesSeen(popup))))
            }
            if let acts = actions[popup] {
                let map = acts.sorted { $0.key < $1.key }.map {
                    (YAMLText.name($0.key), list([$0.value]))
                }
                past.append(("actions", YAMLText.map(map)))
            }
            if let variant = variants[popup] { past.append(("variant", YAMLText.name(variant))) }
            if let reason = reasons[popup], actions[popup] == nil {
                past.append(("reason", reason.rawValue))
            }
            entries.append((YAMLText.name(popup), YAMLText.map(past)))
        }
        for (event, times) in events {
            var sent = times.map { "-\(YAMLText.duration($0))" }
            if let carried = amounts[event], let last = sent.popLast() {
                sent.append("{ at: \(last), payload: \(YAMLText.map(carried)) }")
            }
            entries.append((YAMLText.name(event), "{ sent: [\(sent.joined(separator: ", "))] }"))
        }
        return entries.sorted { $0.0 < $1.0 }.map { "\($0.0): \($0.1)" }
    }
}
