package import PopCEL
package import PopRuleFiles
internal import PopScenario
package import PopSource
package import PopYAML

/// A test file as it was written: tests that run with a virtual clock.
package struct TestFile: Sendable {
    package var version: Located<Int>?
    /// The paths of the rules, relative to the file.
    package var rules: Located<[Located<String>]>?
    package var start: Located<Timestamp>?
    package var seed: Located<Int>?
    /// The time zone of the device.
    package var zone: Located<String>?
    /// The user who is signed in when the test starts.
    package var user: Located<String>?
    package var personas: Located<YAMLNode>?
    package var tests: Located<[TestCase]>?

    package init() {}
}

/// One test: an initial state, and steps with the expectations after each; or a table of cases.
package struct TestCase: Sendable {
    package var name: Located<String>
    package var persona: Located<PersonaChoice>?
    /// Context keys and their values, read when the rules are known.
    package var context: Located<YAMLNode>?
    /// The history of each popup.
    package var history: Located<YAMLNode>?
    /// Context keys that have no value.
    package var missing: Located<[Located<String>]>?
    /// The time at which its clock starts; nil is the `start` of the file.
    package var start: Located<Timestamp>?
    /// The time zone of the device; nil is the `zone` of the file.
    package var zone: Located<String>?
    /// The faults of the presentations at its start.
    package var atStart: Located<TestStep>?
    package var steps: Located<[Located<TestStep>]>?
    /// Conditions over the state that hold after every step.
    package var always: Located<[Located<YAMLNode>]>?
    package var never: Located<[Located<YAMLNode>]>?
    /// True if the expectations of every step are complete, so that anything else fails the test.
    package var exactly: Located<Bool>?
    /// True if only tests with this mark are to run.
    package var only: Located<Bool>?
    /// The name under which the whole event log is kept.
    package var snapshot: Located<String>?
    /// Lists of values; every combination is tried.
    package var forEach: Located<YAMLNode>?
    /// By popup, the condition under which it may show.
    package var eligible: Located<YAMLNode>?

    package init(name: Located<String>) { self.name = name }
}

/// The persona of a test.
package enum PersonaChoice: Sendable {
    /// One of the file's `personas`.
    case named(String)
    /// A persona that is written in the test itself.
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

/// An action of a step.
package enum TestAction: Sendable {
    /// A user closes the popups.
    case close([Located<String>])
    /// A user uses actions of popups.
    case act([ActStep])
    case dismiss([Located<String>])
    case remove([Located<String>])
    case enqueue([Located<String>])
    /// Shows popups even if their rules suppress them.
    case force([Located<String>])
    /// Events by name, with their payloads.
    case send([(name: YAMLNode, payload: YAMLNode?)])
    case set(YAMLNode)
    /// Removes the values of context keys.
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
    /// The app ends and starts again: the history is kept, the queue isn't.
    case restart
    /// Another user signs in.
    case switchUser(SwitchStep)
    /// All data about a user is erased.
    case forget(String)
    /// All data about popups and the user is erased.
    case reset([Located<String>])
    /// Popups disappeared from the screen without a request to dismiss them.
    case disappear([Located<String>])
    /// The experiment arm that the user is in from then on, by popup.
    case putInArms(YAMLNode)
    /// The device changes to another time zone.
    case setZone(String)
    /// Loads other rules, whose path is relative to the file.
    case reload(Located<String>)
    /// The app cancels the next presentation of the popups.
    case veto([Located<String>])
    /// The next presentation of the popups fails.
    case fail([Located<String>])
    /// The next presentation of the popups never ends.
    case hang([Located<String>])
    /// The next dismissal of the popups never ends.
    case hangDismissal([Located<String>])
    /// The app postpones the next presentation of popups, each by a duration.
    case postpone(YAMLNode)
}

/// The action of a popup that a user uses.
package struct ActStep: Sendable {
    package var popup: Located<String>
    package var action: Located<String>?
    /// True if the popup stays.
    package var stays: Located<Bool>?

    package init(_ popup: Located<String>, action: Located<String>? = nil) {
        self.popup = popup
        self.action = action
    }
}

/// The user who signs in, and the known facts about that user.
package struct SwitchStep: Sendable {
    package var user: Located<String>?
    /// The values of the context from then on; all others are removed.
    package var context: Located<YAMLNode>?
    /// The history of popups and events, if the user is new to the test.
    package var history: Located<YAMLNode>?

    package init() {}
}

/// The scope of a step that suspends or resumes: by default, everything for the owner without a
/// name.
package struct SuspensionStep: Sendable {
    package var owner: Located<String>?
    package var scheduler: Located<String>?

    package init() {}
}

/// The expectations after a step; only the written ones are compared.
package struct Expectation: Sendable {
    /// The popup on the screen or `none`, by scheduler.
    package var showing: Located<YAMLNode>?
    /// The waiting popups in order, by scheduler.
    package var waiting: Located<YAMLNode>?
    /// The reason code, by popup.
    package var reasons: Located<YAMLNode>?
    /// The reason for the last dismissal, by popup.
    package var dismissed: Located<YAMLNode>?
    /// The reason why the last task ended, in whatever way, by popup.
    package var ended: Located<YAMLNode>?
    /// The reason why the popup couldn't show when its last task was dropped for that reason, by
    /// popup.
    package var dropped: Located<YAMLNode>?
    /// The number of times that each popup was shown since the test started.
    package var shown: Located<YAMLNode>?
    /// Content fields of the last presentation, by popup.
    package var content: Located<YAMLNode>?
    /// The experiment arm that the user is in, or `none`, by popup.
    package var variant: Located<YAMLNode>?
    /// The arm that the user was last exposed to, or `none`, by popup.
    package var exposed: Located<YAMLNode>?
    /// The goals under which exposures were converted since the test started, by popup.
    package var converted: Located<YAMLNode>?
    /// True if it contains entries that couldn't be read.
    package var isUnread = false

    package init() {}
}

extension TestFile {
    /// The version of the format that is read.
    package static let currentVersion = TestFileText.version

    /// Returns true if a file has the name of a test file.
    package static func isTestFile(_ name: String) -> Bool {
        name.hasSuffix(".test.yaml") || name.hasSuffix(".test.yml")
    }

    /// Reads one test file. Linear in the file.
    package static func parse(_ source: SourceFile) -> Checked<TestFile> {
        if let unreadable = Diagnostic.unreadable(source) {
            return Checked(nil, diagnostics: Diagnostics([unreadable]))
        }
        return YAMLDocument.parse(source).then { document in
            var decoder = Decoder(source)
            var file = TestFile()
            if !document.root.isBroken { decoder.read(.testFile, at: document.root, into: &file) }
            if let version = file.version, version.value != currentVersion {
                decoder.report(.unknownVersion(version))
            }
            return Checked(file, diagnostics: decoder.diagnostics)
        }
    }
}

extension TestFile {
    /// Returns the permitted content of a test file, for the writer of a schema.
    package static func json(_ writer: inout SchemaWriter) -> JSON {
        // A test may be about rules other than those whose names are known.
        writer.offering { $0.table(Table.testFile.schema) }
    }
}

extension Diagnostic {
    fileprivate static func unknownVersion(_ version: Located<Int>) -> Self {
        Diagnostic(
            .schemaVersion, message: "test files of version \(version.value) are not supported",
            at: version.range, label: "not a supported version",
            help: ["write `poprules_test: \(TestFile.currentVersion)`, the only version"])
    }
}

extension TestFile {
    /// The top-level keys of a test file, and the declarations in their maps.
    package static let topLevel = Table.testFile.schema.keys.map { key in
        TopLevelKey(
            key.name, summary: key.summary, schema: key.schema, kind: kindOfEntries[key.name])
    }

    private static let kindOfEntries = ["personas": "persona", "tests": "test"]
}
