internal import PopAdvice
package import PopCEL
package import PopRuleFiles
package import PopScenario
package import PopScheduler
package import PopSource

/// The tests of one file, ready to run.
package struct RunnableTests: Sendable {
    package var rules: RuleSet
    package var tests: [RunnableTest]
    package var state: StateSlots
    /// The context values of the personas in the file, by persona name.
    package var personas: [String: [String: Value]] = [:]
}

/// A test whose names and values have been checked against the rules.
package struct RunnableTest: Sendable {
    package var name: Located<String>
    /// The context values that the app has set before it starts.
    package var context: [String: Value]
    /// The assignments that the test fixes instead of leaving them random.
    package var draws: ForcedDraws
    package var history: History
    package var seed: UInt64
    package var start: Timestamp
    /// True if the test or its file sets the start.
    package var hasStart: Bool
    /// The time zone of the device; nil is UTC.
    package var zone: String?
    /// The user who is signed in.
    package var user: String
    /// The faults of the presentations at its start.
    package var atStart: [RunnableAction]
    package var steps: [RunnableStep]
    package var always: [StateCondition]
    package var never: [StateCondition]
    package var isExact: Bool
    /// True if only tests with this mark are to run.
    package var isOnly: Bool
    /// The name of the file that keeps its whole event log.
    package var snapshot: Located<String>?
    /// The combinations that the table tries; one empty combination when there is no table.
    package var combinations: Combinations
    package var eligible: [EligibilityRule]

    /// A context key and the value that a combination gives it.
    package struct Assignment: Sendable {
        package var name: String
        package var values: [String: Value]
        package var draws = ForcedDraws()
        /// The assignment as it is printed.
        package var text: String
    }

    /// The condition under which a popup may show.
    package struct EligibilityRule: Sendable {
        package var popup: PopupIndex
        package var condition: StateCondition
    }
}

/// A condition over the state of a simulation, and where it is written.
package struct StateCondition: Sendable {
    package var program: Program
    package var range: SourceRange
}

package struct RunnableStep: Sendable {
    package var range: SourceRange
    package var after: Duration
    package var actions: [RunnableAction]
    package var expectations: [RunnableExpectation]
}

/// An action of a step, with its text in the test file.
package struct RunnableAction: Sendable {
    package enum Action: Sendable {
        case event(Event)
        case restart
        /// The new context, or nil if the context stays; and the history of the user.
        indirect case switchUser(String, context: [String: Value]?, history: History?)
        case fault(Fault, popup: String)
    }

    package var action: Action
    package var text: String
    /// The place in the file; nil if the action isn't about one popup or event.
    package var range: SourceRange?
}

extension RunnableAction {
    /// The fault that it injects.
    package var fault: (fault: Fault, popup: String)? {
        if case .fault(let fault, let popup) = action { (fault, popup) } else { nil }
    }
}

/// One expectation, and the place where it is written.
package struct RunnableExpectation: Sendable {
    package enum Kind: Sendable, Hashable {
        /// Nil for `none`.
        case showing(scheduler: String, popup: String?)
        case waiting(scheduler: String, popups: [String])
        case reason(popup: String, ReasonCode)
        case dismissed(popup: String, ReasonCode)
        case ended(popup: String, ReasonCode)
        /// The reason why it couldn't show when its last task was dropped for that reason.
        case dropped(popup: String, ReasonCode)
        case shown(popup: String, Int)
        /// The content of the latest presentation.
        case content(popup: String, field: String, Value)
        /// The arm that the user is in; nil for `none`.
        case variant(popup: String, String?)
        /// The arm that the user was last exposed to; nil for `none`.
        case exposed(popup: String, String?)
        /// The goals under which exposures were converted; an empty list for `none`.
        case converted(popup: String, [String])
    }

    package var kind: Kind
    package var range: SourceRange
}

/// The rows of a table: every combination of a value of each key, where the last key changes first.
///
/// Each row is created on demand, so a table takes no more memory than its columns.
package struct Combinations: Sendable, RandomAccessCollection {
    /// The maximum number of rows of a table.
    package static let most = 100_000

    private var columns: [[RunnableTest.Assignment]] = []
    /// The number of rows.
    package private(set) var count = 1

    /// The one empty row of a test without a table.
    package init() {}

    package var startIndex: Int { 0 }
    package var endIndex: Int { count }

    /// Adds the values of another key; returns false and leaves the table unchanged if it would
    /// have too many rows.
    package mutating func add(_ column: [RunnableTest.Assignment]) -> Bool {
        let (product, isOverflow) = count.multipliedReportingOverflow(by: column.count)
        guard !isOverflow, product <= Self.most else { return false }
        columns.append(column)
        count = product
        return true
    }

    /// Returns the row with a number, which is read digit by digit: each key is a digit.
    package subscript(number: Int) -> [RunnableTest.Assignment] {
        var rest = number
        var row: [RunnableTest.Assignment] = []
        for column in columns.reversed() {
            row.append(column[rest % column.count])
            rest /= column.count
        }
        return row.reversed()
    }
}

/// The values that conditions of a test may read: the state of the schedulers and the context.
package struct StateSlots: Sendable {
    private var environment = Environment.ofRules()
    private var table = SlotTable()
    private var sources: [String: Source] = [:]

    private enum Source: Sendable {
        case showing(scheduler: String)
        case waiting(scheduler: String)
        case shown(popup: String)
        case key(String, defaultValue: Value?)
    }

    /// Declares the names: `showing.LANE`, a popup's id or "none"; `waiting.LANE`, a list;
    /// `shown.POPUP`; and the context keys.
    ///
    /// `others` are rules that may replace these rules.
    init(rules: RuleSet, others: [RuleSet] = []) {
        environment.advice = .full
        let popups = ([rules] + others).flatMap { $0.popupsByScheduler }
        for scheduler in rules.schedulers {
            let name = scheduler.name
            let ids = popups.filter { $0.scheduler == name }.map { Value.string($0.popup) }
            declare(
                "showing.\(name)", type: .string, source: .showing(scheduler: name),
                allowed: ids + [.string("none")])
            declare("waiting.\(name)", type: .list(.string), source: .waiting(scheduler: name))
        }
        for popup in rules.popups {
            declare("shown.\(popup.id)", type: .int, source: .shown(popup: popup.id))
        }
        for key in rules.keys {
            // No advice to use `has()`: a test that reads a missing key fails and reports it.
            environment.declare(
                Variable(
                    key.name, type: key.type, allowedValues: key.allowedValues,
                    declaredAt: key.range))
            sources[key.name] = .key(key.name, defaultValue: key.defaultValue)
        }
    }

    /// Returns the names that conditions of a test may use, even if the rules have errors.
    package static func environment(of model: RuleModel) -> Environment {
        var environment = Environment.ofRules()
        let popups = model.popups.entries
        for name in Set(model.schedulers.names + [RuleModel.mainScheduler]).sorted() {
            let own = popups.filter {
                ($0.place.scheduler?.value ?? RuleModel.mainScheduler) == name
            }
            environment.declare(
                Variable(
                    "showing.\(name)", type: .string,
                    allowedValues: own.map { .string($0.name.value) } + [.string("none")]))
            environment.declare(Variable("waiting.\(name)", type: .list(.string)))
        }
        for popup in popups {
            environment.declare(Variable("shown.\(popup.name.value)", type: .int))
        }
        for key in model.context.entries {
            environment.declare(
                Variable(
                    key.name.value, type: key.type?.value ?? .dyn,
                    allowedValues: key.allowedValues?.value.map(\.value)))
        }
        return environment
    }

    private mutating func declare(
        _ name: String, type: CELType, source: Source, allowed: [Value]? = nil
    ) {
        environment.declare(Variable(name, type: type, allowedValues: allowed))
        sources[name] = source
    }

    mutating func compile(_ expression: Expression) -> Checked<Program> {
        environment.compile(expression, expecting: .bool, slots: &table)
    }

    mutating func compile(_ text: String, at map: TextMap) -> Checked<Program> {
        environment.compile(text, map: map, expecting: .bool, slots: &table)
    }

    /// Returns the current values that the conditions read.
    func values(in simulation: Simulation) -> SlotValues {
        let showing = simulation.scheduler.showing
        let waiting = simulation.scheduler.waiting
        var values = SlotValues(count: table.entries.count)
        for (number, entry) in table.entries.enumerated() {
            let slot = SlotIndex(number)
            guard case .variable(let name) = entry else { continue }
            switch sources[name] {
            case .showing(let lane): values[slot] = .value(.string(showing[lane] ?? "none"))
            case .waiting(let lane):
                values[slot] = .value(.list((waiting[lane] ?? []).map { .string($0) }))
            case .shown(let popup): values[slot] = .value(.int(Int64(simulation.shown[popup] ?? 0)))
            case .key(let key, let defaultValue):
                let value = simulation.context[key] ?? defaultValue
                values[slot] = value.map { .value($0) } ?? .missing
            case nil: break
            }
        }
        return values
    }
}

extension RuleSet {
    fileprivate var popupsByScheduler: [(popup: String, scheduler: String)] {
        popups.map { ($0.id, schedulers[$0.scheduler].name) }
    }
}
