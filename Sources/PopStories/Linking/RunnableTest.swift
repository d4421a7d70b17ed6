package import PopCEL
package import PopScheduler
package import PopSource

/// The tests of one file, ready to run.
package struct RunnableTests: Sendable {
    package var rules: RuleSet
    package var tests: [RunnableTest]
    package var state: StateSlots
    /// What the app has set for the personas of the file, by their names.
    package var personas: [String: [String: Value]] = [:]
}

/// A test whose names and values have been checked against the rules.
package struct RunnableTest: Sendable {
    package var name: Located<String>
    /// What the app has set before it starts.
    package var context: [String: Value]
    /// What is not drawn.
    package var draws: ForcedDraws
    package var history: History
    package var seed: UInt64
    package var start: Timestamp
    /// The zone of the device; nil is UTC.
    package var zone: String?
    /// Who has signed in.
    package var user: String
    /// What goes wrong at the presentations of its start.
    package var atStart: [RunnableAction]
    package var steps: [RunnableStep]
    package var always: [StateCondition]
    package var never: [StateCondition]
    package var isExact: Bool
    /// Whether it is to run alone.
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
        /// As it is printed.
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

/// Something that happens, and how a test file says it.
package struct RunnableAction: Sendable {
    package enum Action: Sendable {
        case event(Event)
        case restart
        /// The values that the context has from then on, or nil where it stays, and what was seen
        /// before.
        indirect case switchUser(String, context: [String: Value]?, history: History?)
        case fault(Fault, popup: String)
    }

    package var action: Action
    package var text: String
    /// Where it is written; nil when it is not about one popup or event.
    package var range: SourceRange?
}

extension RunnableAction {
    /// What it lets go wrong.
    package var fault: (fault: Fault, popup: String)? {
        if case .fault(let fault, let popup) = action { (fault, popup) } else { nil }
    }
}

/// One thing that is expected, and where that is written.
package struct RunnableExpectation: Sendable {
    package enum Kind: Sendable, Hashable {
        /// Nil for `none`.
        case showing(scheduler: String, popup: String?)
        case waiting(scheduler: String, popups: [String])
        case reason(popup: String, ReasonCode)
        case dismissed(popup: String, ReasonCode)
        case ended(popup: String, ReasonCode)
        /// Why it could not show when its last task was dropped for that.
        case dropped(popup: String, ReasonCode)
        case shown(popup: String, Int)
        /// Of the latest presentation.
        case content(popup: String, field: String, Value)
        /// The arm that the user is in; nil for `none`.
        case variant(popup: String, String?)
        /// The arm that the user was exposed to the last time; nil for `none`.
        case exposed(popup: String, String?)
        /// Goals under which exposures were converted; an empty list for none.
        case converted(popup: String, [String])
    }

    package var kind: Kind
    package var range: SourceRange
}
