internal import PopCEL
internal import PopEngine
internal import PopExplanations
internal import PopScheduler
internal import PopSource

/// A recording as a test file.
struct RecordedStory {
    let text: String

    init(_ recording: Recording, name: String) {
        var teller = StoryTeller(recording)
        teller.tell(recording)
        var lines = [
            "# The recorded session of an app. Animations take no time here.",
            "poprules_test: 1", "start: \(teller.start.date)",
            "seed: \(recording.scheduler.seed)",
        ]
        if teller.zone != "UTC" { lines.append("zone: \(JSON.string(teller.zone).compact)") }
        let user = recording.scheduler.user
        if !user.isEmpty { lines.append("user: \(JSON.string(user).compact)") }
        lines += ["", "tests:", "  \(JSON.string(name).compact):"]
        lines += teller.beginning.map { "    \($0)" }
        if let faults = teller.steps.atStart { lines.append("    at_start: \(faults)") }
        lines.append("    steps:")
        lines += teller.steps.lines.map { "      \($0)" }
        if recording.leftOut > 0 {
            lines.append("      # \(recording.leftOut) more inputs were not recorded.")
        }
        text = lines.joined(separator: "\n") + "\n"
    }
}

/// The beginning of a recorded test: context, arms, and the user's history.
struct RecordedBeginning {
    let lines: [String]
    /// Facts that a test file can't express.
    let remarks: [String]
    /// The suspensions at the beginning.
    let suspensions: [Suspension]

    init(_ scheduler: Scheduler, isMidway: Bool) {
        let known = scheduler.rules.keys.map(\.name)
        let context = scheduler.contextValues.filter { known.contains($0.key) }
            .sorted { $0.key < $1.key }
        let arms = scheduler.armsForced.sorted { $0.key < $1.key }
        var lines: [String] = []
        if !arms.isEmpty {
            let map = YAMLText.map(arms.map { (YAMLText.name($0.key), $0.value) })
            lines.append("persona: { variant: \(map) }")
        }
        if !context.isEmpty {
            let map = YAMLText.map(context.map { (YAMLText.name($0.key), $0.value.yaml) })
            lines.append("context: \(map)")
        }
        let past = StoryHistory(
            scheduler.history, of: scheduler.rules, isMidway: isMidway)
        if !past.entries.isEmpty {
            lines.append("history:")
            lines += past.entries.map { "  \($0)" }
        }
        self.lines = lines
        suspensions = scheduler.suspensions.subtracting([.untilStart])
            .sorted { $0.written < $1.written }
        remarks = past.remarks + (isMidway ? Self.midway(scheduler) : [])
    }

    private static func midway(_ scheduler: Scheduler) -> [String] {
        let showing = scheduler.showing.sorted { $0.key < $1.key }.map { "\($0.value) showed" }
        let waiting = scheduler.waiting.sorted { $0.key < $1.key }
            .flatMap { $0.value.map { "\($0) waited" } }
        let there = showing + waiting
        return [
            "The app was already running when the recording started; a test starts with the start"
                + " of the app."
        ]
            + (there.isEmpty ? [] : ["At that time: \(there.joined(separator: ", "))."])
    }
}
