internal import PopCEL
public import PopEngine
internal import PopExplanations
public import PopScheduler

/// What developers ask of an engine and do to it: for a debug menu, not for an app that ships.
///
/// Its calls are those of the engine, in the same order with them and from any thread.
public struct PopupDebugger: Sendable {
    /// A popup of the rules, and how things stand with it.
    public struct PopupState: Sendable, Identifiable {
        /// The id of the popup.
        public let id: String
        /// The name of its scheduler.
        public let scheduler: String
        /// Higher goes first.
        public let priority: Int
        /// Why it shows, waits or is absent.
        public let explanation: PopupExplanation
        /// The same in words, a line for each thing that there is to say.
        public let text: String

        /// How far its task has come.
        public var state: PopupExplanation.State { explanation.state }
        /// Why it does not show; nil while it is chosen or on the screen.
        public var reason: ReasonCode? { explanation.reason }
    }

    let engine: PopupEngine

    /// All popups of the rules, scheduler by scheduler, those that go first in front: as `poprules
    /// list` has them. Linear in the popups.
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

    /// Why a popup shows or does not, with all that there is to say: what decided, who goes first,
    /// until when. Nil when there is no popup of that id.
    public func why(_ id: String) -> String? {
        let situation = situation
        return situation.scheduler.explain(id, at: situation.now).map {
            text(of: $0, in: situation)
        }
    }

    /// Shows a popup whatever its rule says: condition, schedule, caps, `enabled`, rollout, delay,
    /// grace and gap.
    ///
    /// It goes before all that wait on its scheduler, and takes the place of what shows as an
    /// urgent popup would: where the strategy is `priority`, as soon as the animation of the other
    /// is over. Elsewhere, and while the scheduler is suspended or the app in the background, it
    /// waits, and `why` says for what. On the screen it keeps its place against all others until
    /// the next popup of its scheduler is forced. Its impression counts like any other, and the
    /// app may say no to it.
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
        of rule: PopupRule, _ explanation: PopupExplanation, in situation: Situation
    ) -> PopupState {
        PopupState(
            id: rule.id, scheduler: explanation.scheduler, priority: rule.priority,
            explanation: explanation, text: text(of: explanation, in: situation))
    }

    private func text(of explanation: PopupExplanation, in situation: Situation) -> String {
        var lines = situation.answer(to: explanation)
        if let standstill = engine.standstill { lines.append(standstill) }
        return lines.joined(separator: "\n")
    }

    private var situation: Situation {
        let (scheduler, now) = engine.schedulerNow
        var situation = Situation(
            scheduler, at: now, rules: scheduler.rules, context: scheduler.contextValues,
            speaker: "the app")
        situation.arms = scheduler.armsForced
        return situation
    }
}

extension PopupEngine {
    /// What developers ask of the engine and do to it.
    public var debug: PopupDebugger { PopupDebugger(engine: self) }
}
