/// The work that one command, or one request of the language server, may still do.
///
/// A budget counts steps, never time, so that the same input has the same answer on every machine.
/// It is one object that is passed down: all work for the same command charges the same budget, and
/// nothing renews it. When a kind of work is used up, the caller stops and reports what it didn't
/// decide.
///
/// ```swift
/// guard budget.charge(.simulatedSteps) else { return .undecided }
/// ```
public final class WorkBudget: Sendable {
    /// The kinds of work that are counted separately.
    public enum Kind: Int, Sendable, Hashable, CaseIterable {
        /// Evaluations of a popup: of its trigger filter, its condition and everything else that
        /// decides if it may show.
        case judgedPopups
        /// Steps of the logic of conditions: a node that is joined, a term that is translated, a
        /// byte that one automaton reads.
        case logicSteps
        /// Points in time at which the clock of a simulation stops, and inputs that it handles.
        case simulatedSteps
        /// Rows of tables that tests and scenarios generate.
        case generatedRows
        /// Entries of rules that are compared with each other: one step for each pair, and one for
        /// each entry of a list from which pairs are made.
        case comparedPairs
    }

    fileprivate struct State {
        var rest: [Int]
        var isCancelled = false
        var undecided = 0
        /// Returns true if something else has to be done first; nil if there is nothing to ask.
        var interruption: (@Sendable () -> Bool)?
        var isInterrupted = false
        /// The amount that may be charged until `interruption` is called again.
        var quiet = 0
    }

    /// The work after which `work(until:)` asks again: about a millisecond.
    private static let quietSteps = 20_000

    private let amounts: [Kind: Int]
    private let state: LockedValue<State>

    /// Creates a budget with an amount for each kind of work; a kind that isn't named is unlimited.
    public init(_ amounts: [Kind: Int] = [:]) {
        self.amounts = amounts
        state = LockedValue(State(rest: Kind.allCases.map { amounts[$0] ?? .max }))
    }

    /// The amounts that one command may use up.
    ///
    /// Each is some seconds of work, and far more than the rules of an app need: a table of 108
    /// rows that plays 40 days with a stop every hour takes a fifth of the simulated steps. The
    /// rows are those of ten tables of the largest size.
    public static let amountsOfCommand: [Kind: Int] = [
        .judgedPopups: 2_000_000, .logicSteps: 40_000_000, .simulatedSteps: 500_000,
        .generatedRows: 100_000, .comparedPairs: 15_000_000,
    ]

    /// Creates the budget of one command.
    public static func ofCommand() -> WorkBudget { WorkBudget(amountsOfCommand) }

    /// Takes `amount` units of one kind of work.
    ///
    /// Returns true if the work may be done. A refused charge uses up the kind: all later charges
    /// are refused too. Takes the lock once, so inner loops should charge many steps together.
    public func charge(_ kind: Kind, _ amount: Int = 1) -> Bool {
        let (isAllowed, interruption) = state.withLock { state in
            state.charge(kind, amount, quietSteps: Self.quietSteps)
        }
        guard let interruption, interruption() else { return isAllowed }
        state.withLock { $0.isInterrupted = true }
        return false
    }

    /// Does work until something else has to be done first: calls `isInterrupted` now and then
    /// while the work charges this budget, and refuses all charges once it returns true.
    ///
    /// Returns nil if the work was interrupted; then its result is meaningless, and it can be done
    /// again with the rest of the budget. `isInterrupted` must not use the budget.
    public func work<Result, Failure: Error>(
        until isInterrupted: @escaping @Sendable () -> Bool,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        state.withLock { state in
            state.interruption = isInterrupted
            state.quiet = 0
        }
        defer {
            state.withLock { state in
                state.interruption = nil
                state.isInterrupted = false
            }
        }
        let result = try body()
        return state.withLock { $0.isInterrupted } ? nil : result
    }

    /// True if the work may continue. For work that charges little: checks immediately if something
    /// else has to be done first.
    public var mayGoOn: Bool {
        let (isStopped, interruption) = state.withLock { state in
            (state.isCancelled || state.isInterrupted, state.interruption)
        }
        if isStopped { return false }
        guard let interruption, interruption() else { return true }
        state.withLock { $0.isInterrupted = true }
        return false
    }

    /// Returns how much of one kind of work is left; 0 after `cancel`.
    public func rest(of kind: Kind) -> Int {
        state.withLock { $0.isCancelled ? 0 : $0.rest[kind.rawValue] }
    }

    /// True if some kind of work is used up, the budget was cancelled, or its work is interrupted.
    public var isUsedUp: Bool {
        state.withLock { $0.isCancelled || $0.isInterrupted || $0.rest.contains(0) }
    }

    /// Records that a question stays open because its answer takes too much work: of this budget,
    /// or of a limit of its own.
    public func leaveUndecided() { state.withLock { $0.undecided += 1 } }

    /// True if all questions within this budget were decided.
    public var isAllDecided: Bool { state.withLock { $0.undecided == 0 } && !isUsedUp }

    /// Returns the amount of one kind of work that the budget began with.
    public func amount(of kind: Kind) -> Int { amounts[kind] ?? .max }

    /// The kind of work whose budget is used up; nil if no budget is used up.
    public var usedUpKind: Kind? { Kind.allCases.first { rest(of: $0) == 0 } }

    /// True if the answer is no longer needed.
    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Ends the work: every later charge is refused. Can be called from any thread.
    public func cancel() { state.withLock { $0.isCancelled = true } }
}

extension WorkBudget.State {
    /// Returns if the work may be done, and the function to call to find out if something else has
    /// to be done first.
    fileprivate mutating func charge(
        _ kind: WorkBudget.Kind, _ amount: Int, quietSteps: Int
    ) -> (isAllowed: Bool, interruption: (@Sendable () -> Bool)?) {
        if isInterrupted { return (false, nil) }
        guard !isCancelled, amount <= rest[kind.rawValue] else {
            rest[kind.rawValue] = 0
            return (false, nil)
        }
        // Unlimited work stays unlimited.
        if rest[kind.rawValue] < .max { rest[kind.rawValue] -= amount }
        guard interruption != nil else { return (true, nil) }
        quiet -= min(amount, quietSteps) * kind.weight
        if quiet > 0 { return (true, nil) }
        quiet = quietSteps
        return (true, interruption)
    }
}

extension WorkBudget.Kind {
    /// The approximate number of logic steps that take as long as one step of this kind.
    fileprivate var weight: Int {
        switch self {
        case .logicSteps, .generatedRows, .comparedPairs: 1
        case .judgedPopups: 20
        case .simulatedSteps: 200
        }
    }
}
