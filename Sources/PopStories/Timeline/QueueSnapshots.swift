package import PopCEL
package import PopScheduler
package import PopSource

/// The scenes that a drawing shows together with the log: the waiting popups with their reasons,
/// and the expectations that were compared.
package struct QueueSnapshots: Sendable {
    package struct Scene: Sendable {
        package var time: Duration
        /// The number of entries in the log at that time.
        package var entries: Int
        package var content: Content
    }

    package enum Content: Sendable {
        /// These popups have begun to wait for this reason, in the order of the queue; without a
        /// reason, the popup is chosen and its `grace` isn't over. For a single popup, `until` is
        /// the date at which the reason ends by itself, if it is known.
        case waits([String], ReasonCode?, until: Timestamp?, scheduler: String)
        /// The popup is to be dismissed, and its `min_show` keeps it.
        case stays(String, ReasonCode, scheduler: String)
        /// The popup has no task: at a step that expects a reason of it, or at the end of a test
        /// that names it.
        case absent(String, ReasonCode, isEnd: Bool)
        /// The number of expectations of a step that were met.
        case held(Int)
        case failed(Diagnostic)
        /// From here on the waiting popups weren't examined.
        case notWatched
        /// The rest was not played.
        case cutShort
    }

    package private(set) var list: [Scene] = []
    /// The last seen reason of each waiting popup.
    private var waiting: [String: Wait] = [:]
    /// Popups that were last seen to stay although they are to be dismissed.
    private var staying: [String: ReasonCode] = [:]
    private var looks = 0

    /// The reason why a popup waits; nil if it is chosen.
    fileprivate struct Wait: Hashable {
        var reason: ReasonCode?
    }

    package init() {}

    fileprivate mutating func add(_ content: Content, in simulation: borrowing Simulation) {
        let scene = Scene(
            time: simulation.now.instant, entries: simulation.log.count, content: content)
        list.append(scene)
    }

    /// Records that a popup has no task.
    fileprivate mutating func look(
        for popup: String, in simulation: borrowing Simulation, isEnd: Bool = false
    ) {
        looks += simulation.rules.popups.count
        let state = simulation.scheduler.explain(popup, at: simulation.now)?.state
        guard case .absent(let reason)? = state else { return }
        add(.absent(popup, reason, isEnd: isEnd), in: simulation)
    }

    /// Examines the waiting popups, and records changes.
    fileprivate mutating func look(at simulation: borrowing Simulation) {
        guard looks < DrawingLimits.looks, list.count < DrawingLimits.happenings else { return }
        let reasons = simulation.scheduler.waitingReasons(at: simulation.now)
        looks += simulation.rules.popups.count + 1
        let queues = simulation.scheduler.waiting
        var now: [String: Wait] = [:]
        for scheduler in simulation.rules.schedulers.map(\.name) {
            var begun: [Wait: [String]] = [:]
            var order: [Wait] = []
            for popup in queues[scheduler] ?? [] {
                let wait = Wait(reason: reasons[popup])
                now[popup] = wait
                guard waiting[popup] != wait else { continue }
                if begun[wait] == nil { order.append(wait) }
                begun[wait, default: []].append(popup)
            }
            for wait in order {
                let popups = begun[wait] ?? []
                let until = self.until(popups, wait: wait, in: simulation)
                add(.waits(popups, wait.reason, until: until, scheduler: scheduler), in: simulation)
            }
        }
        waiting = now
        lookAtScreens(simulation)
        if looks >= DrawingLimits.looks { add(.notWatched, in: simulation) }
    }

    /// Returns the date until which a popup waits that is the only one with its reason.
    private mutating func until(
        _ popups: [String], wait: Wait, in simulation: borrowing Simulation
    ) -> Timestamp? {
        guard popups.count == 1, wait.reason != nil else { return nil }
        looks += simulation.rules.popups.count
        return simulation.scheduler.explain(popups[0], at: simulation.now)?.until
    }

    private mutating func lookAtScreens(_ simulation: borrowing Simulation) {
        var now: [String: ReasonCode] = [:]
        for (scheduler, popup) in simulation.scheduler.showing.sorted(by: { $0.key < $1.key }) {
            guard simulation.mayKeep(popup) else { continue }
            looks += simulation.rules.popups.count
            let explanation = simulation.scheduler.explain(popup, at: simulation.now)
            guard let reason = explanation?.leaving else { continue }
            now[popup] = reason
            guard staying[popup] != reason else { continue }
            add(.stays(popup, reason, scheduler: scheduler), in: simulation)
        }
        staying = now
    }
}

extension Simulation {
    /// Examines the waiting popups if a drawing was requested.
    mutating func watch() {
        guard var scenes else { return }
        self.scenes = nil
        scenes.look(at: self)
        self.scenes = scenes
    }

    /// Records the results of the expectations of a step, and the absence of popups whose reasons
    /// it expects.
    mutating func watch(_ step: RunnableStep, failures: ArraySlice<Diagnostic>) {
        guard var scenes else { return }
        self.scenes = nil
        for case .reason(let popup, _) in step.expectations.map(\.kind) {
            scenes.look(for: popup, in: self)
        }
        let held = step.expectations.count { expectation in
            !failures.contains { $0.range == expectation.range }
        }
        if held > 0 { scenes.add(.held(held), in: self) }
        for failure in failures { scenes.add(.failed(failure), in: self) }
        self.scenes = scenes
    }

    /// Records that the rest of a test wasn't played.
    mutating func watchBreakingOff() {
        guard var scenes else { return }
        self.scenes = nil
        scenes.add(.cutShort, in: self)
        self.scenes = scenes
    }

    /// Records the absence of popups that the test names and that were never shown.
    mutating func watchEnd(of subjects: [String]) {
        guard var scenes else { return }
        self.scenes = nil
        for popup in subjects where shown[popup] == nil {
            scenes.look(for: popup, in: self, isEnd: true)
        }
        self.scenes = scenes
    }

    /// Returns true if a `min_show` may keep the popup; after a reload any popup may have one.
    fileprivate func mayKeep(_ popup: String) -> Bool {
        guard hasFirstRules, let index = place(of: popup) else { return true }
        return rules.popups[index].timing.minShow > .zero
    }
}

extension RunnableTest {
    /// The popups that the steps name, each once, in their order.
    package var subjects: [String] {
        var seen: Set<String> = []
        let named = steps.flatMap { step in
            step.actions.compactMap(\.popup) + step.expectations.flatMap(\.kind.popups)
        }
        return Array(named.filter { seen.insert($0).inserted }.prefix(DrawingLimits.rows))
    }
}

extension RunnableAction {
    fileprivate var popup: String? {
        switch action {
        case .event(.userClosed(let popup)), .event(.dismiss(let popup)),
            .event(.remove(let popup)), .event(.enqueue(let popup)), .event(.force(let popup)),
            .event(.acted(let popup, _, _)), .event(.didDisappear(let popup)),
            .event(.forgetPopup(let popup)), .fault(_, let popup):
            popup
        case .event, .restart, .switchUser: nil
        }
    }
}
