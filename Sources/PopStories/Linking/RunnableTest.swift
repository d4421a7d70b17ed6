package import PopCEL
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
