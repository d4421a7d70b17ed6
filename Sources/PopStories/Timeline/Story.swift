package import PopCEL
internal import PopExplanations
internal import PopReplay
internal import PopReports
package import PopScheduler
package import PopSource

/// A test as it was run, in order: actions, their effects, the waiting popups with their reasons,
/// and the compared expectations.
package struct Story: Sendable {
    package struct TimelineEvent: Sendable {
        package var time: Duration
        /// Index into `lanes`.
        package var lane: Int?
        package var content: Content
        /// The time zone of the device; nil is UTC.
        var zone: String?
    }

    package enum Content: Sendable {
        /// The action of a step, in the words of a test file.
        case input(String)
        case shows(String, isBack: Bool)
        /// `after` is how long it was on the screen since it last appeared, `total` how long in
        /// all.
        case goes(String, ReasonCode, after: Duration, total: Duration)
        /// It was preempted and waits.
        case givesWay(String, after: Duration)
        /// The date at which the reason ends by itself, when that is known.
        case waits([String], ReasonCode?, until: Timestamp?)
        /// The time that has passed, and the date that was reached.
        case later(Duration, Timestamp)
        case stays(String, ReasonCode)
        /// Its task ended without being shown, or none was created.
        case misses(String, ReasonCode, message: String?)
        case absent(String, ReasonCode)
        case putOff(String, by: Duration)
        /// It was requested once more.
        case joins(String, RequestedAgain)
        /// Something unexpected went wrong.
        case trouble(String)
        case held(Int)
        case failed(Diagnostic)
        case remark(String)
    }

    /// The state of a popup when it was requested once more.
    package enum RequestedAgain: Sendable {
        case waiting
        case visible
        /// The request is retried after the popup is dismissed.
        case leaving

        var words: String {
            switch self {
            case .waiting: " and already waits"
            case .visible: " and is already on the screen"
            case .leaving: ", and is retried after its dismissal"
            }
        }
    }

    package let title: String
    /// The date at which it starts.
    package let start: Timestamp
    /// The time zone of the device; nil is UTC.
    let zone: String?
    /// The popups that the test names.
    let subjects: Set<String>
    /// The schedulers on which anything happens.
    package private(set) var lanes: [String]
    package private(set) var happenings: [TimelineEvent] = []
    /// The number of happenings that are left out because there are too many.
    package private(set) var leftOut = 0
    package private(set) var held = 0
    package private(set) var failed = 0
    /// The time at which it ends.
    package private(set) var end = Duration.zero

    /// The last reported reason why each popup doesn't show.
    private var told: [String: ReasonCode] = [:]
    private var visible: [Int: (popup: String, since: Duration)] = [:]
    /// The total time that preempted tasks have been visible.
    private var switchedOut: [TaskID: Duration] = [:]

    /// A longer time between two happenings counts as a happening itself.
    private static let jump = Duration.seconds(60)

    /// `lanes` contains the names of all schedulers.
    package init(of play: TestResult.Play, test: RunnableTest, lanes: [String]) {
        title = play.title.map { "\(test.name.value) (\($0))" } ?? test.name.value
        start = test.start
        zone = test.zone
        subjects = Set(test.subjects)
        self.lanes = play.lanes(among: lanes)
        var scenes = play.scenes[...]
        for (index, entry) in play.log.enumerated() {
            while let scene = scenes.first, scene.entries <= index {
                add(scene)
                scenes.removeFirst()
            }
            add(entry)
        }
        for scene in scenes { add(scene) }
        end = max(end, play.length)
    }

    private mutating func add(_ content: Content, at time: Duration, lane: Int? = nil) {
        if time - end >= Self.jump {
            let (passed, date) = (time - end, start.adding(time) ?? start)
            end = time
            add(.later(passed, date), at: time)
        }
        end = max(end, time)
        guard happenings.count < DrawingLimits.happenings else {
            leftOut += 1
            return
        }
        happenings.append(TimelineEvent(time: time, lane: lane, content: content, zone: zone))
    }

    private mutating func add(_ scene: QueueSnapshots.Scene) {
        let time = scene.time
        switch scene.content {
        case .waits(let popups, let reason, let until, let lane):
            // Popups that the test names come first, so that they aren't lost among many.
            let named = popups.filter(subjects.contains)
            let sorted = named + popups.filter { !subjects.contains($0) }
            let isLong = popups.count > DrawingLimits.names
            add(
                .waits(isLong ? sorted : popups, reason, until: until), at: time,
                lane: lanes.firstIndex(of: lane))
        case .stays(let popup, let reason, let lane):
            add(.stays(popup, reason), at: time, lane: lanes.firstIndex(of: lane))
        case .absent(let popup, let reason, let isEnd):
            // A reported reason isn't repeated.
            if told[popup] == reason || isEnd && told[popup] != nil { return }
            told[popup] = reason
            add(.absent(popup, reason), at: time)
        case .held(let count):
            held += count
            add(.held(count), at: time)
        case .failed(let failure):
            failed += 1
            add(.failed(failure), at: time)
        case .notWatched:
            add(
                .remark("from here, waiting popups are not listed, because there are too many"),
                at: time)
        case .cutShort:
            add(.remark("the rest was not run, because there are too many failures"), at: time)
        }
    }

    private mutating func add(_ entry: Simulation.Entry) {
        switch entry.content {
        case .input(let text): add(.input(text), at: entry.time)
        case .event(let event): add(event, at: entry.time, obstacle: entry.obstacle)
        }
    }

    private mutating func add(_ event: HostEvent, at time: Duration, obstacle: ReasonCode?) {
        let lane = event.task.flatMap { lanes.firstIndex(of: $0.scheduler) }
        switch event {
        case .shown(let task):
            if let lane { visible[lane] = (task.popup, time) }
            add(.shows(task.popup, isBack: switchedOut[task] != nil), at: time, lane: lane)
        case .requeued(let task):
            guard let since = leave(task, lane: lane) else { return }
            switchedOut[task, default: .zero] += time - since
            add(.givesWay(task.popup, after: time - since), at: time, lane: lane)
        case .dismissed(let task, let reason):
            guard let since = leave(task, lane: lane) else {
                return miss(task.popup, for: reason, at: time, lane: lane)
            }
            let before = switchedOut[task] ?? .zero
            add(
                .goes(task.popup, reason, after: time - since, total: before + time - since),
                at: time, lane: lane)
        case .postponed(let task, let duration):
            add(.putOff(task.popup, by: duration), at: time, lane: lane)
        case .coalesced(let task):
            let isVisible = lane.map { visible[$0]?.popup == task.popup } ?? false
            add(.joins(task.popup, isVisible ? .visible : .waiting), at: time, lane: lane)
        case .remembered(let task):
            add(.joins(task.popup, .leaving), at: time, lane: lane)
        case .animationTimeout(let task, let animation):
            let what = animation == .present ? "appear" : "disappear"
            add(
                .trouble("\(shortName(task.popup)) takes too long to \(what)"), at: time, lane: lane
            )
        case .notMade(let popup, let reason): miss(popup, for: reason, at: time, lane: lane)
        case .discarded(let task, let reason):
            miss(task.popup, for: reason, at: time, lane: lane, message: obstacle?.words)
        case .cancelled(let task): miss(task.popup, for: .cancelled, at: time, lane: lane)
        case .failed(let task, let message):
            miss(task.popup, for: .presentationFailed, at: time, lane: lane, message: message)
        case .conditionError, .zoneUnknown, .emptyPlaceholder, .rejected:
            let name = event.popup.map { "\(shortName($0)), " } ?? ""
            add(.trouble(name + bounded(event.message ?? event.name)), at: time)
        // User actions are reported by the step.
        case .queued, .willShow, .exposed, .acted, .converted, .willDismiss: break
        }
    }

    private mutating func miss(
        _ popup: String, for reason: ReasonCode, at time: Duration, lane: Int?,
        message: String? = nil
    ) {
        told[popup] = reason
        add(.misses(popup, reason, message: message), at: time, lane: lane)
    }

    /// Returns the time since which the popup was visible, or nil if it wasn't.
    private mutating func leave(_ task: TaskID, lane: Int?) -> Duration? {
        guard let lane, visible[lane]?.popup == task.popup else { return nil }
        return visible.removeValue(forKey: lane)?.since
    }
}

extension TestResult.Play {
    /// Returns the schedulers on which anything happens, in the order given; all if nothing
    /// happens.
    fileprivate func lanes(among names: [String]) -> [String] {
        var used = Set(
            log.compactMap { entry in
                if case .event(let event) = entry.content { event.task?.scheduler } else { nil }
            })
        for case .waits(_, _, _, let scheduler) in scenes.map(\.content) { used.insert(scheduler) }
        return used.isEmpty ? names : names.filter(used.contains)
    }
}

/// Returns a name for drawings: a long name is shortened in the middle.
package func shortName(_ name: String, columns: Int = DrawingLimits.nameColumns) -> String {
    let shown = TerminalText(name)
    guard shown.width > columns else { return shown.text }
    var head = ""
    var width = 0
    for character in shown.text {
        let more = TerminalText(String(character)).width
        if width + more > columns * 2 / 3 { break }
        head.append(character)
        width += more
    }
    var tail: [Character] = []
    for character in shown.text.reversed() {
        let more = TerminalText(String(character)).width
        if width + more > columns - 1 { break }
        tail.append(character)
        width += more
    }
    return head + "…" + String(tail.reversed())
}

/// A test, or a case of its table, as it was run.
package struct PlayedStory: Sendable {
    package var story: Story
    package var log: [Simulation.Entry]
    /// The expectations of the test that were not met, in any of its cases.
    package var failures: [Diagnostic]
}

extension Workspace {
    /// Runs the tests that can be drawn, in the order of the files; tests that only have tables
    /// can't be drawn.
    package func played(_ options: TestOptions = TestOptions()) -> [PlayedStory] {
        tests.flatMap { file -> [PlayedStory] in
            guard let tests = link(file).value else { return [] }
            return tests.tests.filter { options.wants($0.name.value) }
                .flatMap { Self.play($0, of: tests, within: options.budget) }
        }
    }

    private static func play(
        _ test: RunnableTest, of tests: RunnableTests, within budget: WorkBudget
    ) -> [PlayedStory] {
        let lanes = tests.rules.schedulers.map(\.name)
        let result = TestRunner.run(test, of: tests, isDrawn: true, within: budget)
        return result.plays.compactMap { play in
            if play.log.isEmpty { return nil }
            let story = Story(of: play, test: test, lanes: lanes)
            return PlayedStory(story: story, log: play.log, failures: result.failures)
        }
    }
}
