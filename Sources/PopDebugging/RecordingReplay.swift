internal import PopCEL
internal import PopEngine
internal import PopScenario
internal import PopScheduler
internal import PopSource

/// Replays a recording, and writes each input as a step of a test file.
struct RecordingReplay {
    /// The cause of a presentation or a dismissal.
    private enum Cause {
        /// The app started, before any step.
        case start
        case step(Int)
        /// Time passed after a step.
        case time(behind: Int)
    }

    private(set) var scheduler: Scheduler
    let rules: RuleSet
    var steps = RecordedSteps()
    /// The moment when the test begins.
    private(set) var start: Moment
    /// The zone at the beginning of the test.
    private(set) var zone: String
    /// The state at the beginning; nil if the app was never started.
    private(set) var beginning: RecordedBeginning?
    /// Indicates whether the app was already running, which a test can't express.
    private let isMidway: Bool
    private(set) var hasBegun: Bool
    /// Users whose history a test has.
    var knownUsers: Set<String>

    private var cause = Cause.start
    /// The step for the time that passes, once it exists.
    private var timeStep: Int?
    private var asked: [PresentationID: RecordedSteps.Place] = [:]
    private var going: [PresentationID: RecordedSteps.Place] = [:]
    private var shown: [String: Int] = [:]
    /// The popup that the test file last expected on each screen.
    private var said: [String: String?] = [:]
    private(set) var now: Moment

    init(_ recording: Recording) {
        scheduler = recording.scheduler
        rules = recording.scheduler.rules
        start = recording.moment
        now = recording.moment
        zone = recording.scheduler.zone
        isMidway = recording.scheduler.isStarted
        hasBegun = isMidway
        knownUsers = [recording.scheduler.user]
    }

    mutating func play(_ recording: Recording) {
        if isMidway { begin(with: recording.scheduler) }
        for entry in recording.entries {
            switch entry.input {
            case .event(let event):
                if !event.isReply, !event.isStart { compare() }
                now = entry.moment
                take(event)
            case .content(let popup, let fields):
                compare()
                now = entry.moment
                sayContent(of: popup, fields)
            }
        }
        if !hasBegun {
            beginning = RecordedBeginning(scheduler, isMidway: false)
            steps.comment("The app was not started.", at: .zero)
        }
        compare(isLast: true)
    }

    /// The time since the test began.
    var time: Duration { now.instant - start.instant }

    private mutating func take(_ event: Event) {
        // The possible actions of the user and the app depend on the state before the event.
        let before = scheduler
        if case .started = event, !hasBegun {
            start = now
            zone = scheduler.zone
            hasBegun = true
            begin(with: before)
            cause = .start
            return follow(event)
        }
        if !event.isReply, !event.isStart {
            if case .timePassed = event {
                cause = .time(behind: max(steps.last, 0))
                timeStep = nil
            } else {
                let isRefused = isRefused(event)
                cause = .step(say(event, isRefused: isRefused, before: before))
            }
        }
        follow(event)
    }

    private mutating func begin(with scheduler: Scheduler) {
        let told = RecordedBeginning(scheduler, isMidway: isMidway)
        beginning = told
        steps.add(at: .zero)
        for remark in told.remarks { steps.remark(remark, on: 0) }
        for suspension in told.suspensions {
            steps.add(at: .zero, ["suspend: \(suspension.written)"])
        }
    }

    private func isRefused(_ event: Event) -> Bool {
        var copy = scheduler
        return copy.handle(event, at: now).contains { effect in
            if case .emit(.rejected) = effect { true } else { false }
        }
    }
}

// MARK: Effects

extension RecordingReplay {
    private mutating func follow(_ event: Event) {
        note(event)
        for effect in scheduler.handle(event, at: now) {
            switch effect {
            case .askWillShow(let presentation):
                asked[presentation.id] = place(of: presentation.popup.id)
            case .dismiss(let id): going[id] = place(of: id.task.popup)
            case .emit(.shown(let task)): shown[task.popup, default: 0] += 1
            case .emit(.animationTimeout(let task, let animation)):
                tookTooLong(task, animation)
            case .present, .record, .emit: break
            }
        }
    }

    /// Returns the place of a step that makes the next presentation of a popup fail; nil if no step
    /// can.
    private mutating func place(of popup: String) -> RecordedSteps.Place? {
        switch cause {
        case .start: return .start
        case .step(let step): return .before(step)
        case .time(let step):
            // A later fault follows a separate step.
            if timeStep == nil { timeStep = steps.add(at: time) }
            return .behind(step)
        }
    }

    /// Notes the answer of the app, so that the test gives the same one.
    private mutating func note(_ event: Event) {
        if case .answered(let id, .cancel) = event {
            fault("veto", id, in: asked)
        } else if case .answered(let id, .postpone(let time)) = event {
            let text = Value.duration(time).yaml
            fault("postpone", id, in: asked, value: { YAMLText.map([($0, text)]) })
        } else if case .presentFailed(let id, _) = event {
            fault("fail", id, in: asked)
        }
    }

    private mutating func tookTooLong(_ task: TaskID, _ animation: Animation) {
        switch animation {
        case .present:
            let id = asked.keys.filter { $0.task == task }.max { $0.turn < $1.turn }
            if let id { fault("hang", id, in: asked) }
        case .dismiss:
            let id = going.keys.filter { $0.task == task }.max { $0.turn < $1.turn }
            if let id { fault("hang_dismissal", id, in: going) }
        }
    }

    private mutating func fault(
        _ key: String, _ id: PresentationID, in places: [PresentationID: RecordedSteps.Place],
        value: (String) -> String = { $0 }
    ) {
        let popup = id.task.popup
        guard rules.popups.contains(where: { $0.id == popup }) else { return }
        guard let place = places[id] else {
            return steps.comment("the app used `\(key)` for \(popup) at its start", at: time)
        }
        steps.fault(key, of: popup, value: value(YAMLText.name(popup)), at: place)
    }
}

// MARK: Expectations

extension RecordingReplay {
    /// Writes what shows now, if it differs from what was written last.
    private mutating func compare(isLast: Bool = false) {
        guard hasBegun, steps.last >= 0 else { return }
        let settled = scheduler.settledScreens.filter { name, _ in
            rules.schedulers.contains { $0.name == name }
        }
        let changed = settled.filter { name, popup in
            if isLast { return true }
            guard let said = said[name] else { return true }
            return said != popup
        }
        guard !changed.isEmpty || isLast else { return }
        let step = stepOfNow
        for (name, popup) in changed {
            said.updateValue(popup, forKey: name)
            let known = popup.map { id in rules.popups.contains { $0.id == id } } ?? true
            if known { steps.expect(popup ?? "none", on: name, in: step) }
        }
        if isLast, !isMidway { expectCounts(in: step) }
    }

    private mutating func expectCounts(in step: Int) {
        let counts = shown.filter { id, _ in rules.popups.contains { $0.id == id } }
        steps.expect(shown: counts, in: step)
    }

    private var stepOfNow: Int {
        mutating get {
            switch cause {
            case .start: return 0
            case .step(let step): return step
            case .time:
                let step = timeStep ?? steps.add(at: time)
                timeStep = step
                return step
            }
        }
    }
}

// MARK: Steps

extension RecordingReplay {
    /// A step, or a comment where no step can say it.
    mutating func add(_ keys: [String]) -> Int { steps.add(at: time, keys) }

    mutating func remark(_ text: String) -> Int {
        steps.comment(text.split(whereSeparator: \.isNewline).joined(separator: " "), at: time)
        return steps.last
    }
}

extension Event {
    /// Indicates whether it is an answer of the host: in a test, all of these happen immediately.
    var isReply: Bool {
        switch self {
        case .answered, .didPresent, .presentFailed, .didDismiss: true
        case .started, .update, .send, .enqueue, .force, .enqueueForeign, .setForeign, .dismiss,
            .remove, .removeAll, .suspend, .resume, .switchUser, .forget, .forgetPopup,
            .historyChanged, .reload, .zoneChanged, .forceArm, .beginSession, .background,
            .foreground, .poke, .timePassed, .userClosed, .acted, .didDisappear:
            false
        }
    }
}

extension Event {
    /// Indicates whether it is the last part of an engine's start.
    fileprivate var isStart: Bool {
        if case .resume(Suspension.untilStart.owner, nil) = self { true } else { false }
    }
}

extension Suspension {
    /// As a step has it.
    var written: String {
        let keys = [
            owner.map { "owner: \(JSON.string($0).compact)" },
            scheduler.map { "scheduler: \(YAMLText.name($0))" },
        ].compactMap(\.self)
        return keys.isEmpty ? "true" : YAMLText.braced(keys)
    }
}
