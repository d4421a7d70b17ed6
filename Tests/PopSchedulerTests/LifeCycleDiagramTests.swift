import Foundation
import PopReplay
import PopScheduler
import Testing

/// The transitions that `docs/explain/scheduling.md` draws.
private struct DecisionDiagram {
    private(set) var edges: Set<[String]> = []
    var states: Set<String> { Set(edges.joined()).subtracting(["[*]"]) }

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appending(path: "docs/explain/scheduling.md"), encoding: .utf8)
        for match in page.matches(of: /\n +(\S+) --> (\w+)/) {
            edges.insert([String(match.1), String(match.2)])
        }
    }

    /// Returns the states that a popup can be in after one input: several transitions may follow
    /// each other at once.
    func reachable(from state: String) -> Set<String> {
        var found: Set = [state]
        while true {
            let more = edges.filter { found.contains($0[0]) }.map { $0[1] }
            guard !Set(more).isSubset(of: found) else { return found }
            found.formUnion(more)
        }
    }
}

extension PopupExplanation.State {
    /// The name of the case.
    fileprivate var name: String {
        switch self {
        case .absent: "absent"
        case .waiting: "waiting"
        case .chosen: "chosen"
        case .presenting: "presenting"
        case .showing: "showing"
        case .dismissing: "dismissing"
        }
    }
}

@Suite struct `The diagram of a popup's life` {
    @Test func `has the transitions that the scheduler makes, and no others`() throws {
        let diagram = try DecisionDiagram()
        var seen: Set<[String]> = []
        for seed in UInt64(0)..<150 {
            for run in Play.runs(seed: seed, SimulationTests.inputs(seed)) {
                var scheduler = Scheduler(
                    rules: run.rules, seed: 1, user: run.user, history: run.history, at: run.start)
                var states: [String: String] = [:]
                for step in run.steps {
                    _ = scheduler.handle(step.event, at: step.moment)
                    for popup in run.rules.popups.map(\.id) {
                        let state =
                            scheduler.explain(popup, at: step.moment)?.state.name ?? "absent"
                        let before = states.updateValue(state, forKey: popup) ?? "absent"
                        if before != state { seen.insert([before, state]) }
                    }
                }
            }
        }
        for transition in seen {
            let isPossible = diagram.reachable(from: transition[0]).contains(transition[1])
            #expect(isPossible, "no path of the diagram is \(transition)")
        }
        let neverSeen = diagram.edges.filter { $0[0] != "[*]" && !seen.contains($0) }
        #expect(neverSeen == [], "the scheduler never makes these transitions")
        #expect(diagram.states == Set(seen.joined()))
    }
}
