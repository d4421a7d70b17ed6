internal import PopCEL
public import PopEngine
internal import PopExplanations
public import PopScheduler

/// The questions that developers ask an engine and the changes that they make to it: for a debug
/// menu, not for an app that ships.
///
/// Its calls are those of the engine, in the same order with them and from any thread.
public struct PopupDebugger: Sendable {
    /// A popup of the rules, and its current state.
    public struct PopupState: Sendable, Identifiable {
        /// The id of the popup.
        public let id: String
        /// The name of its scheduler.
        public let scheduler: String
        /// Popups with a higher priority show first.
        public let priority: Int
        /// The reason why it shows, waits or is absent.
        public let explanation: PopupExplanation
        /// The explanation in words, one line per fact.
        public let text: String

        /// The state of its task.
        public var state: PopupExplanation.State { explanation.state }
        /// The reason why it does not show; nil while it is chosen or on the screen.
        public var reason: ReasonCode? { explanation.reason }
    }

    let engine: PopupEngine

    /// All popups of the rules, scheduler by scheduler, those with precedence first: in the order
    /// of `poprules list`. Linear in the popups.
    public var popups: [PopupState] {
        let situation = situation
        let rules = situation.rules
        let ordered = rules.schedulers.places.flatMap { rules.queueOrder(of: $0) }
        let rulesByID = Dictionary(ordered.map { ($0.id, $0) }) { first, _ in first }
        return situation.scheduler.explanations(of: ordered.map(\.id), at: situation.now)
            .compactMap { explanation in
                rulesByID[explanation.popup].map {
                    state(of: $0, explanation, in: situation)
                }
            }
    }

    /// Explains why a popup shows or does not, in full: the deciding reason, the popups with
    /// precedence, and the time when it ends. Nil if there is no popup with that ID.
    public func why(_ id: String) -> String? {
        let situation = situation
        return situation.scheduler.explain(id, at: situation.now).map {
            text(of: $0, in: situation)
        }
    }

    /// Shows a popup regardless of its rule: condition, schedule, caps, `enabled`, rollout, delay,
    /// grace and gap.
    ///
    /// It precedes all popups that wait on its scheduler, and replaces the popup on screen as an
    /// urgent popup would: if the strategy is `priority`, as soon as the animation of the other is
    /// over. With other strategies, and while the scheduler is suspended or the app in the
    /// background, it waits, and `why` reports the reason. On the screen it keeps its place against
    /// all others until the next popup of its scheduler is forced. Its impression counts like any
    /// other, and the app may refuse it.
    @discardableResult
    public func force(_ id: String) -> CallOutcome { engine.force(id) }

    /// Erases what the history knows of a popup and the current user: impressions, ends, actions,
    /// exposures and conversions, in memory, in this session and in the store, which has done so
    /// when this returns. A task of it stays, and its end will be kept.
    ///
    /// Throws what keeps the store from it, such as `PopupStays` of one that does not know how: in
    /// memory the popup is erased all the same, until the user is read again.
    public func reset(_ popup: String) async throws { try await engine.forgetPopup(popup) }

    private func state(
        of rule: PopupRule, _ explanation: PopupExplanation, in situation: ExplainContext
    ) -> PopupState {
        PopupState(
            id: rule.id, scheduler: explanation.scheduler, priority: rule.priority,
            explanation: explanation, text: text(of: explanation, in: situation))
    }

    private func text(of explanation: PopupExplanation, in situation: ExplainContext) -> String {
        var lines = situation.answer(to: explanation)
        if let standstill = engine.standstill { lines.append(standstill) }
        return lines.joined(separator: "\n")
    }

    private var situation: ExplainContext {
        let (scheduler, now) = engine.schedulerNow
        var situation = ExplainContext(
            scheduler, at: now, rules: scheduler.rules, context: scheduler.contextValues,
            speaker: "the app")
        situation.arms = scheduler.armsForced
        return situation
    }
}

extension PopupEngine {
    /// The debugger of the engine.
    public var debug: PopupDebugger { PopupDebugger(engine: self) }
}

extension PopupDebugger {
    /// Starts to record the inputs of the engine, in place of an earlier recording.
    ///
    /// If it begins before `start`, the recording has everything that a test needs. If it begins
    /// later, it lacks the popups that already wait or show, and the recorded test notes that. It
    /// keeps at most `EngineLimits.recordedInputs` inputs.
    public func record() { engine.beginRecording() }

    /// Returns the recording so far as the content of a test file; nil if nothing is recorded.
    ///
    /// Save it next to the rules as `NAME.test.yaml`: `poprules simulate` shows it as a timeline,
    /// and `poprules test` plays it again and compares what shows. Parts that a test file can't
    /// express are comments, and animations take no time in it. It contains the data of the context
    /// and the events: treat it as you treat these.
    public func story(named name: String = "recorded session") -> String? {
        engine.recording(ends: false).map { RecordedTest($0, name: name).text }
    }

    /// Ends the recording and returns it, as `story` does.
    public func stop(named name: String = "recorded session") -> String? {
        engine.recording(ends: true).map { RecordedTest($0, name: name).text }
    }
}

extension PopupExplanation {
    /// The explanation in words: whether the popup shows, or the reason why not; then all other
    /// known facts, one per line.
    public var text: String { lines.joined(separator: "\n") }
}
