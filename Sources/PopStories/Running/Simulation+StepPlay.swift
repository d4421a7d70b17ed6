internal import PopCEL
internal import PopScenario
internal import PopScheduler
package import PopSource

extension Simulation {
    /// Lets the time of a step pass, then performs its actions. An action whose popup isn't present
    /// is a failure.
    @discardableResult
    package mutating func play(_ step: RunnableStep) -> [Diagnostic] {
        var failures: [Diagnostic] = []
        if step.after > .zero { advance(by: step.after) }
        for action in step.actions {
            note(action.text)
            if let failure = absence(action, in: step) { failures.append(failure) }
            switch action.action {
            case .event(let event): handle(event)
            case .restart: restart()
            case .switchUser(let user, let context, let history):
                switchUser(to: user, context: context, history: history)
            case .fault(let fault, let popup): inject(fault, into: popup)
            }
        }
        return failures
    }

    /// B7: users can't close a popup that isn't on the screen, or use its actions.
    private func absence(_ action: RunnableAction, in step: RunnableStep) -> Diagnostic? {
        guard case .event(let event) = action.action else { return nil }
        let range = action.range ?? step.range
        switch event {
        case .userClosed(let popup): return offScreen(popup, "the user cannot close it", at: range)
        case .acted(let popup, _, _):
            return offScreen(popup, "the user cannot use its actions", at: range)
        case .didDisappear(let popup): return offScreen(popup, "it cannot disappear", at: range)
        case .dismiss(let popup), .remove(let popup):
            switch scheduler.explain(popup, at: now)?.state {
            case .absent?, nil: return .noTask(popup, at: range, in: self)
            case .waiting?, .chosen?, .presenting?, .showing?, .dismissing?: return nil
            }
        case .started, .update, .send, .enqueue, .force, .enqueueForeign, .setForeign, .removeAll,
            .suspend, .resume, .switchUser, .forget, .forgetPopup, .historyChanged, .reload,
            .zoneChanged, .forceArm, .beginSession, .background, .foreground, .poke, .timePassed,
            .answered, .didPresent, .presentFailed, .didDismiss:
            return nil
        }
    }

    private func offScreen(
        _ popup: String, _ consequence: String, at range: SourceRange
    ) -> Diagnostic? {
        switch scheduler.explain(popup, at: now)?.state {
        case .presenting?, .showing?: nil
        case .dismissing?: .isGoing(popup, at: range, in: self)
        case .absent?, .waiting?, .chosen?, nil:
            .notOnScreen(popup, consequence, at: range, in: self)
        }
    }

    /// Returns failures for faults that didn't happen, because the popup was not presented or
    /// dismissed any more.
    func unusedFaults(of test: RunnableTest) -> [Diagnostic] {
        var left: [Diagnostic] = []
        var reported: Set<String> = []
        let actions = test.atStart + test.steps.flatMap(\.actions)
        for (place, action) in actions.enumerated().reversed() {
            guard case .fault(let fault, let popup) = action.action, let range = action.range
            else { continue }
            let isLeft = fault == .hangDismissal ? stuck.contains(popup) : faults[popup] == fault
            if isLeft, reported.insert(popup).inserted {
                let isLate = place >= test.atStart.count && seenAtStart.contains(popup)
                left.append(.unused(fault, of: popup, at: range, in: self, isLate: isLate))
            }
        }
        return left.reversed()
    }
}

extension Diagnostic {
    fileprivate static func notOnScreen(
        _ popup: String, _ consequence: String, at range: SourceRange, in simulation: Simulation
    ) -> Self {
        Diagnostic(
            .testFailed,
            message: "`\(popup)` is not on the screen at \(simulation.timeText), so \(consequence)",
            at: range, label: "not on the screen", notes: simulation.whyNot(popup))
    }

    fileprivate static func isGoing(
        _ popup: String, at range: SourceRange, in simulation: Simulation
    ) -> Self {
        Diagnostic(
            .testFailed, message: "`\(popup)` is already being dismissed at \(simulation.timeText)",
            at: range,
            label: "cannot be closed again", notes: simulation.whyNot(popup))
    }

    fileprivate static func noTask(
        _ popup: String, at range: SourceRange, in simulation: Simulation
    ) -> Self {
        Diagnostic(
            .testFailed, message: "`\(popup)` neither shows nor waits at \(simulation.timeText)",
            at: range,
            label: "there is nothing to dismiss", notes: simulation.whyNot(popup))
    }

    fileprivate static func unused(
        _ fault: Fault, of popup: String, at range: SourceRange, in simulation: Simulation,
        isLate: Bool
    ) -> Self {
        let verb = fault == .hangDismissal ? "dismissed" : "presented"
        return Diagnostic(
            .testFailed,
            message: "`\(popup)` was not \(verb) afterward, so `\(fault.key)` had no effect on it",
            at: range, label: "had no effect", notes: simulation.whyNot(popup),
            help: isLate ? [fault.helpAtStart(popup)].compactMap(\.self) : [])
    }
}

extension Fault {
    /// The key of a step that causes the fault.
    fileprivate var key: String {
        switch self {
        case .veto: "veto"
        case .fail: "fail"
        case .hang: "hang"
        case .postpone: "postpone"
        case .hangDismissal: "hang_dismissal"
        }
    }

    /// Help on a fault in a step for a popup that was presented before the first step; nil for
    /// faults of dismissals.
    fileprivate func helpAtStart(_ popup: String) -> String? {
        let step: String
        switch self {
        case .veto: step = "veto: \(popup)"
        case .fail: step = "fail: \(popup)"
        case .hang: step = "hang: \(popup)"
        case .postpone: step = "postpone: { \(popup): … }"
        case .hangDismissal: return nil
        }
        return
            "if you mean the presentation at the start of the test, before the first step, move"
            + " `\(key)` next to `steps`, such as `at_start: { \(step) }`"
    }
}
