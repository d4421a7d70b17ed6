internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
internal import PopSource
internal import PopYAML

extension Key<TestStep> {
    /// Returns a key that performs an action; the order of such keys is kept.
    static func action<Value>(
        _ name: String, format: Format<Value>, alsoCalled: [String] = [], summary: String,
        make: @escaping @Sendable (Value) -> TestAction
    ) -> Self {
        locatedAction(name, format: format, alsoCalled: alsoCalled, summary: summary) {
            make($0.value)
        }
    }

    static func locatedAction<Value>(
        _ name: String, format: Format<Value>, alsoCalled: [String] = [], summary: String,
        make: @escaping @Sendable (Located<Value>) -> TestAction
    ) -> Self {
        Key(
            name, format: format,
            store: { step, value in step.actions.append(Located(make(value), at: value.range)) },
            alsoCalled: alsoCalled, summary: summary)
    }
}

extension Format<[Located<String>]> {
    /// A popup, or a list of them.
    static var popups: Self { .oneOrMore(.reference(to: "popup")) }
}

extension Format<Bool> {
    /// `true`: the key itself is the action.
    static var yes: Self {
        Format(Format<Bool>.bool.schema) { node, decoder in
            if let text = node.scalar?.text, decoder.isYes(text) {
                return decoder.mismatch(.bool, at: node, readings: [Reading("true")])
            }
            if let time = decoder.timeOfAction(node) {
                let _: Bool? = decoder.mismatch(.bool, at: node, help: [time])
                // The action is meant, so that later ones aren't reported because of it.
                return true
            }
            guard let isTrue = decoder.read(.bool, at: node) else { return nil }
            if !isTrue.value { decoder.report(.notDone(decoder.subjectOfValue, at: node.range)) }
            return true
        }
    }
}

extension Decoder {
    /// Returns help on the time in `background: 30m`, which is a matter of the steps; nil for other
    /// values.
    fileprivate func timeOfAction(_ node: YAMLNode) -> String? {
        let key = subjectOfValue.filter { $0 != "`" }
        guard let text = node.scalar?.text, key != "suspend", key != "resume",
            let time = DurationText.parse(text, knowsDays: true), time > .zero
        else { return nil }
        return key == "background"
            ? "write `background: true`, and `after: \(text)` at the top of the next step, such as"
                + " `- after: \(text)` above `foreground: true`"
            : "write `\(key): true`, and above it in the step `after: \(text)` for the time that"
                + " passes first"
    }

    /// Returns true if a string, which isn't a bool, means yes or now.
    fileprivate func isYes(_ text: String) -> Bool {
        ["now", "yes", "on", "y", "immediately", "at once", "always"].contains(text.lowercased())
    }
}

extension Table<SuspensionStep> {
    fileprivate static let suspension = Table(
        "a suspension",
        keys: [
            Key(
                "owner", format: .text, store: { $0.owner = $1 },
                summary: "the owner of the suspension; only the same owner can resume"),
            Key(
                "scheduler", format: .reference(to: "scheduler"), store: { $0.scheduler = $1 },
                summary: "the scheduler, by default all"),
        ])
}

extension Format<SuspensionStep> {
    /// `true`, or the owner and the scheduler of the suspension.
    static var suspension: Self {
        let table = Format.table(.suspension, startingWith: SuspensionStep())
        return Format(.either([.bool, table.schema])) { node, decoder in
            if node.kind == .mapping { return decoder.read(table, at: node)?.value }
            return decoder.read(.yes, at: node).map { _ in SuspensionStep() }
        }
    }
}

extension Table<SwitchStep> {
    fileprivate static let signIn = Table(
        "`switch_user`",
        keys: [
            Key(
                "user", format: .text, store: { $0.user = $1 }, summary: "the name of the user"
            ).required,
            Key(
                "context", format: .map(of: .any, keys: .references("context key")),
                store: { $0.context = $1 },
                summary: "the new values of the context; all other values are removed"
            ).such(as: "{ user.plan: free }"),
            Key(
                "history",
                format: .map(of: HistoryReading.schema, keys: .references("popup or event")),
                store: { $0.history = $1 },
                summary: "the history of popups, for a user who is new in the test"
            ).such(as: "{ welcome: { shown: 2, last: -3d } }"),
        ])
}

extension Format<SwitchStep> {
    /// A name, or a map with more details.
    static var signIn: Self {
        let table = Format.table(.signIn, startingWith: SwitchStep())
        return Format(.either([Format<String>.text.schema, table.schema])) { node, decoder in
            if node.kind == .mapping {
                let step = decoder.read(table, at: node)?.value
                return step?.user == nil ? nil : step
            }
            return decoder.read(.text, at: node).map { user in
                var step = SwitchStep()
                step.user = user
                return step
            }
        }
    }
}

extension Table<ActStep> {
    fileprivate static let act = Table(
        "an action of the user",
        keys: [
            Key(
                "action", format: .text, store: { $0.action = $1 },
                summary: "the action that the app reports"
            ).required,
            Key(
                "stay", format: .bool, store: { $0.stays = $1 }, alsoCalled: ["stays", "remains"],
                summary: "whether the popup stays on the screen"),
        ])
}

extension Format<[ActStep]> {
    /// The action that a user uses, by popup, or a map of the action and whether the popup stays.
    static var acts: Self {
        let value = Schema.either([Format<String>.text.schema, .table(Table.act.schema)])
        let schema = Schema.map(value, keys: .references("popup"))
        return Format(schema) { node, decoder in
            guard node.kind == .mapping else { return decoder.mismatch(schema, at: node) }
            let acts = node.entries.compactMap { entry -> ActStep? in
                guard let id = decoder.read(.text, at: entry.key) else { return nil }
                return decoder.inside(key: entry.key) { decoder in
                    guard entry.value.kind == .mapping else {
                        return decoder.read(.text, at: entry.value).map { ActStep(id, action: $0) }
                    }
                    var act = ActStep(id)
                    decoder.read(.act, at: entry.value, into: &act)
                    return act.action == nil ? nil : act
                }
            }
            // Mistakes in the written actions have been reported.
            return acts.isEmpty && !node.entries.isEmpty ? nil : acts
        }
    }
}

extension Format<YAMLNode> {
    /// A reason code, by popup.
    static var reasons: Self {
        .map(of: Format<ReasonCode>.reasonCode.schema, keys: .references("popup"))
    }
}

extension Format<[(name: YAMLNode, payload: YAMLNode?)]> {
    /// An event by name, or a map of events to their payloads.
    static var events: Self {
        Format(.either([.reference("event"), .map(.any, keys: .references("event"))])) {
            node, decoder in
            switch node.kind {
            case .scalar where decoder.isCall(node):
                decoder.mismatch(
                    .reference("event"), at: node, readings: decoder.callReadings(node))
            case .scalar: [(node, nil)]
            case .mapping where decoder.payloadReading(node) != nil:
                decoder.reportPayloadBesideEvent(node)
            case .mapping: node.entries.map { ($0.key, $0.value) }
            case .sequence:
                decoder.mismatch(
                    .reference("event"), at: node, readings: decoder.eventReadings(node),
                    help: ["use one step for each event"])
            }
        }
    }
}

extension Format<[TestCase]> {
    static var testCases: Self {
        Format(.map(.table(Table<TestCase>.testCase.schema))) { node, decoder in
            guard node.kind == .mapping else {
                return decoder.mismatch(
                    .map(.table(Table<TestCase>.testCase.schema)), at: node,
                    help: decoder.helpOnList(ofTests: node))
            }
            if node.entries.isEmpty { decoder.report(.noTests(at: node.range)) }
            return node.entries.map { entry in
                let name = Located(entry.key.scalar?.text ?? "", at: entry.key.range)
                var test = TestCase(name: name)
                decoder.about("test `\(name.value)`") { decoder in
                    decoder.inside(key: entry.key) { $0.read(entry, into: &test) }
                }
                return test
            }
        }
    }
}

extension Decoder {
    /// Reads a test; reports a test without actions and expectations.
    fileprivate mutating func read(_ entry: YAMLEntry, into test: inout TestCase) {
        let node = entry.value
        if node.isBroken { return }
        if node.kind == .sequence {
            let _: TestCase? = mismatch(
                .table(Table<TestCase>.testCase.schema), at: node,
                help: [
                    "write `steps:` above the list, and indent the list below it",
                    "write it in one line: `\(test.name.value): { steps: [{ expect: { showing: {"
                        + " main: welcome } } }] }`",
                ])
            return
        }
        if node.kind == .scalar, !(node.scalar?.text ?? "").isEmpty {
            let _: TestCase? = mismatch(.table(Table<TestCase>.testCase.schema), at: node)
            return
        }
        if let first = firstInnerTest(node) {
            return report(.innerTest(first, of: test.name.value.shortened))
        }
        if node.kind == .mapping { read(.testCase, at: node, into: &test) }
        // Keys with mistakes have been reported.
        if diagnostics.hasErrors { return }
        let keys = node.entries.compactMap { $0.key.scalar?.text }
        if !keys.contains("steps"), !keys.contains("eligible") {
            report(.emptyTest(at: entry.key.range))
        } else if test.comparesNothing, keys.contains("steps") {
            report(.comparesNothing(at: entry.key.range))
        } else if !keys.contains("steps"), test.eligible?.value.entries.isEmpty ?? false {
            report(.emptyTest(at: entry.key.range))
        }
    }
}

extension Decoder {
    /// Returns the name of the first test in a test that consists of tests; nil for other tests.
    fileprivate func firstInnerTest(_ node: YAMLNode) -> Located<String>? {
        let names = Table<TestCase>.testCase.schema.keys.map(\.name)
        let areTests = node.entries.allSatisfy { entry in
            guard let name = entry.key.scalar?.text, !names.contains(name) else { return false }
            return entry.value.entries.contains {
                ["steps", "eligible"].contains($0.key.scalar?.text ?? "")
            }
        }
        guard areTests, let first = node.entries.first?.key, let name = first.scalar?.text else {
            return nil
        }
        return Located(name, at: first.range)
    }

    /// Returns true if a step is written as a sentence.
    fileprivate func isSentence(_ node: YAMLNode) -> Bool {
        guard case .string? = node.coreValue, let text = node.scalar?.text else { return false }
        let words = text.split(separator: " ")
        let names = Table<TestStep>.testStep.schema.keys.map(\.name)
        return words.count > 2 && !names.contains(words[0].lowercased())
            && words.allSatisfy { word in
                word.allSatisfy { $0.isLetter || $0.isNumber || ".,'\"-".contains($0) }
            }
    }
}

extension Diagnostic {
    fileprivate static func innerTest(_ name: Located<String>, of outer: String) -> Self {
        Diagnostic(
            .schemaUnknownKey, message: "a test cannot contain other tests", at: name.range,
            label: "a test inside the test `\(outer)`",
            help: [
                "move each inner test directly below `tests`, with a name such as"
                    + " `\(outer) - \(name.value.shortened)`, and remove `\(outer)`"
            ])
    }
}

extension Decoder {
    /// Returns help on tests that are written as a list, with the values of the first test.
    fileprivate func helpOnList(ofTests node: YAMLNode) -> [String] {
        guard node.kind == .sequence, let first = node.items.first, first.kind == .mapping else {
            return []
        }
        func value(_ names: [String]) -> YAMLNode? {
            first.entries.first { names.contains($0.key.scalar?.text.lowercased() ?? "") }?.value
        }
        func word(_ names: [String]) -> String? {
            value(names)?.scalar.flatMap { NameForm.dotted.fits($0.text.utf8) ? $0.text : nil }
        }
        let name = value(["name", "title", "it", "test", "description"])?.scalar?.text
        let context = value(["given", "context"]).flatMap {
            $0.kind == .mapping ? onOneLine($0) : nil
        }
        let sent = word(["when", "event", "send"]).map { "send: \($0), " } ?? ""
        let popup = word(["then", "expect", "shows"]) ?? "welcome"
        let shown = (name ?? "").isEmpty ? "a new user is greeted" : String((name ?? "").prefix(60))
        let written = shown.contains { ":#{}[],&*!|>'\"%@`\n".contains($0) } ? "\"…\"" : shown
        return [
            "write each test below its name: `tests: { \(written): { context:"
                + " \(context ?? "{ user.plan: free }"), steps: [{ \(sent)expect: { showing:"
                + " { main: \(popup) } } }] } }`"
        ]
    }
}

extension TestCase {
    /// True if the test can't fail. Keys that can't be read have been reported.
    fileprivate var comparesNothing: Bool {
        guard let steps, snapshot == nil, eligible?.value.entries.isEmpty ?? true,
            always?.value.isEmpty ?? true, never?.value.isEmpty ?? true
        else { return false }
        return steps.value.allSatisfy { $0.value.expect?.value.isEmpty ?? true }
    }
}

extension Diagnostic {
    fileprivate static func noTests(at range: SourceRange) -> Self {
        Diagnostic(
            .testEmpty, message: "there are no tests in this file", at: range, label: "no tests",
            help: [
                "add a test, or remove the file; `poprules test --bootstrap` prints tests of"
                    + " each popup"
            ])
    }

    fileprivate static func emptyStep(at range: SourceRange) -> Self {
        Diagnostic(
            .testNoEffect, message: "this step does nothing and expects nothing", at: range,
            label: "without effect", help: ["add an action or an `expect`, or remove the step"])
    }

    fileprivate static func notDone(_ subject: String, at range: SourceRange) -> Self {
        Diagnostic(
            .schemaEnum, message: "\(subject) can only be `true`", at: range,
            label: "not `true`", help: ["write `true` if it happens, or remove the key"])
    }

    fileprivate static func emptyTest(at range: SourceRange) -> Self {
        Diagnostic(
            .testEmpty, message: "nothing happens in this test", at: range,
            label: "neither `steps` nor `eligible`",
            help: [
                "add steps, such as"
                    + " `steps: [{ expect: { showing: { main: welcome } } }]`, or remove the test"
            ])
    }

    fileprivate static func comparesNothing(at range: SourceRange) -> Self {
        var diagnostic = Diagnostic(
            .testEmpty, message: "this test expects nothing, so it cannot fail", at: range,
            label: "no `expect`, `always`, `never` or `snapshot`",
            help: [
                "add an expectation to a step, such as `expect: { showing: { main: welcome } }`"
            ])
        diagnostic.level = .warning
        return diagnostic
    }
}

extension Format<TestStep> {
    static var testStep: Self {
        Format(.table(Table<TestStep>.testStep.schema)) { node, decoder in
            var step = TestStep(range: node.range)
            if let finding = decoder.eventBesidePayload(node) {
                decoder.report(finding)
                return step
            }
            if decoder.isSentence(node) {
                let _: TestStep? = decoder.mismatch(
                    .table(Table<TestStep>.testStep.schema), at: node,
                    help: [
                        "use keys instead of a sentence, such as `set: { user.plan: pro }`,"
                            + " `send: order.paid` and `expect: { showing: { main: welcome } }`",
                        "to keep the sentence, make it a comment, or the name of the test",
                    ])
                return step
            }
            if node.kind == .mapping, node.entries.isEmpty {
                decoder.report(.emptyStep(at: node.range))
            }
            decoder.read(.testStep, at: node, into: &step)
            return step
        }
    }
}

extension Format<TestStep> {
    static var startFaults: Self {
        Format(.table(Table<TestStep>.atStart.schema)) { node, decoder in
            let table = Format.table(.atStart, startingWith: TestStep(range: node.range))
            return decoder.read(table, at: node)?.value
        }
    }
}

extension Format<Expectation> {
    static var expectation: Self {
        let table = Format.table(.expectation, startingWith: Expectation())
        return Format(table.schema) { node, decoder in
            guard let popup = decoder.popupName(node) else {
                var expectation = decoder.read(table, at: node)?.value
                if expectation?.isEmpty == true, !node.entries.isEmpty {
                    let values = node.entries.map(\.value)
                    expectation?.isUnread = values.contains { $0.kind != .mapping }
                }
                return expectation
            }
            let text = "{ showing: { main: \(popup) } }"
            return decoder.mismatch(
                table.schema, at: node, readings: [Reading(text, isExact: false)])
        }
    }
}
