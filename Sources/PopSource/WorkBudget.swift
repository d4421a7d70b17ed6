/// The work that one command, or one request of the language server, may still do.
///
/// A budget counts steps, never time, so that the same input has the same answer on every machine.
/// It is one object that is passed down: whoever works for the same command charges the same
/// budget, and nothing renews it. When a kind of work is used up, the caller stops and reports what
/// it did not decide.
///
/// ```swift
/// guard budget.charge(.simulatedSteps) else { return .undecided }
/// ```
public final class WorkBudget: Sendable {
    /// The kinds of work that are counted separately.
    public enum Kind: Int, Sendable, Hashable, CaseIterable {
        /// Evaluations of a popup: of its trigger filter, its condition and what else decides
        /// whether it may show.
        case judgedPopups
        /// Steps of the logic of conditions: a node that is joined, a term that is translated, a
        /// byte that one automaton reads.
        case logicSteps
        /// Points in time at which the clock of a simulation stops, and inputs that it handles.
        case simulatedSteps
        /// Rows of tables that tests and scenarios generate.
        case generatedRows
        /// Entries of rules that are compared with each other: one for each pair, and one for each
        /// entry of a list of which pairs are made.
        case comparedPairs
    }

    private struct State {
        var rest: [Int]
        var isCancelled = false
    }

    private let state: Guarded<State>

    /// Creates a budget with an amount for each kind of work; a kind that isn't named is unlimited.
    public init(_ amounts: [Kind: Int] = [:]) {
        state = Guarded(State(rest: Kind.allCases.map { amounts[$0] ?? .max }))
    }

    /// Takes `amount` units of one kind of work.
    ///
    /// Returns whether the work may be done. A refused charge uses up the kind: the answer is the
    /// same for all that is asked afterwards. Takes the lock once, so that inner loops charge many
    /// steps together.
    public func charge(_ kind: Kind, _ amount: Int = 1) -> Bool {
        state.withLock { state in
            guard !state.isCancelled, amount <= state.rest[kind.rawValue] else {
                state.rest[kind.rawValue] = 0
                return false
            }
            // Unlimited work stays unlimited.
            if state.rest[kind.rawValue] < .max { state.rest[kind.rawValue] -= amount }
            return true
        }
    }

    /// Returns how much of one kind of work is left; 0 after `cancel`.
    public func rest(of kind: Kind) -> Int {
        state.withLock { $0.isCancelled ? 0 : $0.rest[kind.rawValue] }
    }

    /// Whether some kind of work is used up, or the budget was cancelled.
    public var isUsedUp: Bool { state.withLock { $0.isCancelled || $0.rest.contains(0) } }

    /// Whether nobody waits for the answer anymore.
    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Ends the work: every later charge is refused. Can be called from any thread.
    public func cancel() { state.withLock { $0.isCancelled = true } }
}
