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
