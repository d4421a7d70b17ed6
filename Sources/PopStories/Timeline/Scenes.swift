package import PopCEL
package import PopScheduler
package import PopSource

/// What a drawing shows beside the log: who waits and why, and what was compared.
package struct Scenes: Sendable {
    package struct Scene: Sendable {
        package var time: Duration
        /// How many entries the log had.
        package var entries: Int
        package var content: Content
    }

    package enum Content: Sendable {
        /// These popups have begun to wait for this reason, in the order of the queue; without one,
        /// the popup is chosen and its `grace` is not over. The date at which the reason of a
        /// single one ends by itself, when that is known.
        case waits([String], ReasonCode?, until: Timestamp?, scheduler: String)
        /// The popup is to go, and its `min_show` keeps it.
        case stays(String, ReasonCode, scheduler: String)
        /// The popup has no task: at a step that expects a reason of it, or at the end of a test
        /// that names it.
        case absent(String, ReasonCode, isEnd: Bool)
        /// So many expectations of a step were met.
        case held(Int)
        case failed(Diagnostic)
        /// From here on nobody looked who waits.
        case notWatched
        /// The rest was not played.
        case cutShort
    }

    package private(set) var list: [Scene] = []
    /// Why each waiting popup was last seen to wait.
    private var waiting: [String: Wait] = [:]
    /// Popups that were last seen to stay although they are to go.
    private var staying: [String: ReasonCode] = [:]
    private var looks = 0

    /// Why a popup waits; chosen without a reason.
    fileprivate struct Wait: Hashable {
        var reason: ReasonCode?
    }

    package init() {}

    fileprivate mutating func add(_ content: Content, in simulation: borrowing Simulation) {
        let scene = Scene(
            time: simulation.now.instant, entries: simulation.log.count, content: content)
        list.append(scene)
    }

    /// Keeps that a popup has no task.
    fileprivate mutating func look(
        for popup: String, in simulation: borrowing Simulation, isEnd: Bool = false
    ) {
        looks += simulation.rules.popups.count
        let state = simulation.scheduler.explain(popup, at: simulation.now)?.state
        guard case .absent(let reason)? = state else { return }
        add(.absent(popup, reason, isEnd: isEnd), in: simulation)
    }

    /// Looks who waits, and keeps what is otherwise than before.
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

    /// Until when a popup that is alone with its reason waits.
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
    /// Looks who waits, when anybody wants to draw that.
    mutating func watch() {
        guard var scenes else { return }
        self.scenes = nil
        scenes.look(at: self)
        self.scenes = scenes
    }

    /// Keeps what the expectations of a step came to, and where the popups are whose reasons it
    /// names.
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

    /// Keeps that the rest of a test was not played.
    mutating func watchBreakingOff() {
        guard var scenes else { return }
        self.scenes = nil
        scenes.add(.cutShort, in: self)
        self.scenes = scenes
    }

    /// Keeps where the popups are of which the test speaks and that were never seen.
    mutating func watchEnd(of subjects: [String]) {
        guard var scenes else { return }
        self.scenes = nil
        for popup in subjects where shown[popup] == nil {
            scenes.look(for: popup, in: self, isEnd: true)
        }
        self.scenes = scenes
    }

    /// Whether a `min_show` may keep the popup; after a reload any popup may have one.
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
