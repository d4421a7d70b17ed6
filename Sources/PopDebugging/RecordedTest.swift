internal import PopCEL
internal import PopEngine
internal import PopScenario
internal import PopScheduler
internal import PopSource

/// A recording as a test file.
struct RecordedTest {
    let text: String

    init(_ recording: Recording, name: String) {
        var replay = RecordingReplay(recording)
        replay.play(recording)
        var file = TestFileText(start: "\(replay.start.date)")
        file.comments = ["The recorded session of an app. Animations take no time here."]
        file.seed = recording.scheduler.seed
        if replay.zone != "UTC" { file.zone = replay.zone }
        let user = recording.scheduler.user
        if !user.isEmpty { file.user = user }
        var test = TestText(named: JSON.string(name).compact)
        if let beginning = replay.beginning {
            test.arms = beginning.arms
            test.context = beginning.context
            test.history = beginning.history
        }
        test.atStart = replay.steps.atStart
        test.steps = replay.steps.texts
        if recording.leftOut > 0 {
            test.closing = ["\(recording.leftOut) more inputs were not recorded."]
        }
        text = file.text(with: [test.text])
    }
}

/// The beginning of a recorded test: context, arms, and the user's history.
struct RecordedBeginning {
    let arms: [String: String]
    let context: [String: Value]
    /// The entries of `history`.
    let history: [String]
    /// Facts that a test file can't express.
    let remarks: [String]
    /// The suspensions at the beginning.
    let suspensions: [Suspension]

    init(_ scheduler: Scheduler, isMidway: Bool) {
        let known = Set(scheduler.rules.keys.map(\.name))
        context = scheduler.contextValues.filter { known.contains($0.key) }
        arms = scheduler.armsForced
        let past = RecordedHistory(
            scheduler.history, of: scheduler.rules, isMidway: isMidway)
        history = past.entries
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
