package import PopCEL
package import PopSource
package import PopYAML

/// A test file as it was written: stories that are played with a virtual clock.
package struct TestFile: Sendable {
    package var version: Located<Int>?
    /// Where the rules are, relative to the file.
    package var rules: Located<[Located<String>]>?
    package var start: Located<Timestamp>?
    package var seed: Located<Int>?
    /// The zone of the device.
    package var zone: Located<String>?
    /// Who has signed in when the test begins.
    package var user: Located<String>?
    package var personas: Located<YAMLNode>?
    package var tests: Located<[TestCase]>?

    package init() {}
}

/// One test: a beginning, and steps with what is expected after each; or a table of cases.
package struct TestCase: Sendable {
    package var name: Located<String>
    package var persona: Located<PersonaChoice>?
    /// Context keys and their values, read when the rules are known.
    package var context: Located<YAMLNode>?
    /// What each popup did before.
    package var history: Located<YAMLNode>?
    /// Context keys that have no value.
    package var missing: Located<[Located<String>]>?
    /// When its clock starts; nil is the `start` of the file.
    package var start: Located<Timestamp>?
    /// The zone of the device; nil is the `zone` of the file.
    package var zone: Located<String>?
    /// What goes wrong at the presentations of its start.
    package var atStart: Located<TestStep>?
    package var steps: Located<[Located<TestStep>]>?
    /// Conditions over the state that hold after every step.
    package var always: Located<[Located<YAMLNode>]>?
    package var never: Located<[Located<YAMLNode>]>?
    /// Whether what is expected of every step is everything that there is.
    package var exactly: Located<Bool>?
    /// Whether it is to run alone.
    package var only: Located<Bool>?
    /// The name under which the whole event log is kept.
    package var snapshot: Located<String>?
    /// Lists of values whose every combination is tried.
    package var forEach: Located<YAMLNode>?
    /// By popup, the condition under which it may show.
    package var eligible: Located<YAMLNode>?

    package init(name: Located<String>) { self.name = name }
}

/// Who a test is about.
package enum PersonaChoice: Sendable {
    /// One of the file's `personas`.
    case named(String)
    /// One that stands in the test itself.
    case written(YAMLNode)
}

/// Time passes, things happen in the order in which they are written, and then the expectations are
/// compared.
package struct TestStep: Sendable {
    package var range: SourceRange
    package var after: Located<Duration>?
    package var actions: [Located<TestAction>] = []
    package var expect: Located<Expectation>?

    package init(range: SourceRange) { self.range = range }
}

/// What happens in a step.
package enum TestAction: Sendable {
    /// A person closes the popups.
    case close([Located<String>])
    /// A person uses actions of popups.
    case act([ActStep])
    case dismiss([Located<String>])
    case remove([Located<String>])
    case enqueue([Located<String>])
    /// Shows popups whatever their rules say.
    case force([Located<String>])
    /// Events by name, with their payloads.
    case send([(name: YAMLNode, payload: YAMLNode?)])
    case set(YAMLNode)
    /// Takes the values of context keys away.
    case unset([Located<String>])
    case removeAll
    case suspend(SuspensionStep)
    case resume(SuspensionStep)
    /// The app goes to the background.
    case background
    /// The app comes back.
    case foreground
    case beginSession
    case poke
    /// The app ends and starts again: the history survives, the queue does not.
    case restart
    /// Another user signs in.
    case switchUser(SwitchStep)
    /// What is known of a user is erased.
    case forget(String)
    /// What is known of popups and the user is erased.
    case reset([Located<String>])
    /// Popups are gone from the screen without having been asked to go.
    case disappear([Located<String>])
    /// By popup, the arm of its experiment that the user is in from then on.
    case putInArms(YAMLNode)
    /// The device is in another time zone.
    case setZone(String)
    /// Other rules, relative to the file.
    case reload(Located<String>)
    /// The app cancels the next presentation of the popups.
    case veto([Located<String>])
    /// The next presentation of the popups fails.
    case fail([Located<String>])
    /// The next presentation of the popups is never over.
    case hang([Located<String>])
    /// The next dismissal of the popups is never over.
    case hangDismissal([Located<String>])
    /// The app puts the next presentation of popups off, each by a duration.
    case postpone(YAMLNode)
}

/// The action of a popup that a person uses.
package struct ActStep: Sendable {
    package var popup: Located<String>
    package var action: Located<String>?
    /// Whether the popup stays.
    package var stays: Located<Bool>?

    package init(_ popup: Located<String>, action: Located<String>? = nil) {
        self.popup = popup
        self.action = action
    }
}

/// Who signs in, and what is known of them.
package struct SwitchStep: Sendable {
    package var user: Located<String>?
    /// The values of the context from then on: all others are gone.
    package var context: Located<YAMLNode>?
    /// What popups and events did before, where the test has not had the user yet.
    package var history: Located<YAMLNode>?

    package init() {}
}

/// What a step suspends or resumes: everything for the owner without a name, unless it says
/// otherwise.
package struct SuspensionStep: Sendable {
    package var owner: Located<String>?
    package var scheduler: Located<String>?

    package init() {}
}

/// What is compared after a step; only what is written.
package struct Expectation: Sendable {
    /// By scheduler, the popup on its screen or `none`.
    package var showing: Located<YAMLNode>?
    /// By scheduler, popups that wait there, in order.
    package var waiting: Located<YAMLNode>?
    /// By popup, its reason code.
    package var reasons: Located<YAMLNode>?
    /// By popup, why it was dismissed the last time.
    package var dismissed: Located<YAMLNode>?
    /// By popup, why its last task ended, in whatever way.
    package var ended: Located<YAMLNode>?
    /// By popup, why it could not show when its last task was dropped for that.
    package var dropped: Located<YAMLNode>?
    /// By popup, how often it was shown since the test began.
    package var shown: Located<YAMLNode>?
    /// By popup, fields of what it said when it was presented the last time.
    package var content: Located<YAMLNode>?
    /// By popup, the arm of its experiment that the user is in, or `none`.
    package var variant: Located<YAMLNode>?
    /// By popup, the arm that the user was exposed to the last time, or `none`.
    package var exposed: Located<YAMLNode>?
    /// By popup, the goals under which exposures were converted since the test began.
    package var converted: Located<YAMLNode>?
    /// Whether something is written in it of which nothing could be read.
    package var isUnread = false

    package init() {}
}
