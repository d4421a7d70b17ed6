internal import PopCEL
internal import PopReports
internal import PopRuleFiles
internal import PopScheduler
internal import PopSource
internal import PopYAML

// Parts of a test that have no effect: the test only seems to test something.
extension TestLinker {
    /// Reports initial values that another part of the test overrides.
    mutating func checkBeginning(of test: TestCase) {
        for key in test.missing?.value ?? [] {
            guard let value = names.keys[key.value]?.defaultValue else { continue }
            decoder.report(.neverMissing(key, value: value))
        }
        for entry in test.forEach.map({ Array($0.value.entries) }) ?? [] {
            guard let name = entry.key.scalar?.text else { continue }
            let given = test.context?.value.entries.first { $0.key.scalar?.text == name }
            let missing = test.missing?.value.first { $0.value == name }
            if let range = given?.key.range ?? missing?.range {
                decoder.report(.overriddenByTable(name, at: range, table: entry.key.range))
            }
        }
    }

    /// Reports a persona that is held out but has no value that identifies users.
    mutating func checkHoldout(
        of test: TestCase, context: [String: Value], at place: SourceRange
    ) {
        guard let holdout = rules.holdout else { return }
        let key = rules.keys[holdout.key]
        let value = context[key.name] ?? key.defaultValue
        guard value == nil || value == .string("") else { return }
        let table = test.forEach.map { Array($0.value.entries) } ?? []
        let isGiven =
            table.contains { [key.name, "persona"].contains($0.key.scalar?.text) }
            || (test.steps?.value ?? []).flatMap(\.value.actions).contains { action in
                switch action.value {
                case .set(let node): node.entries.contains { $0.key.scalar?.text == key.name }
                case .switchUser(let step):
                    step.context?.value.entries.contains { $0.key.scalar?.text == key.name } == true
                case .reload: true
                case .close, .act, .dismiss, .disappear, .remove, .enqueue, .force, .send, .unset,
                    .removeAll, .suspend, .resume, .background, .foreground, .beginSession, .poke,
                    .restart, .forget, .reset, .putInArms, .setZone, .veto, .fail, .hang,
                    .hangDismissal, .postpone:
                    false
                }
            }
        if isGiven { return }
        decoder.report(.notHeldOut(at: place, key: key.name, isMissing: value == nil))
    }

    /// Reports comparisons that are known before the test runs to check nothing.
    mutating func checkComparisons(of test: TestCase, _ runnable: RunnableTest) {
        let hasInvariants = !runnable.always.isEmpty || !runnable.never.isEmpty
        for condition in runnable.always { checkConstant(condition, isWanted: true) }
        for condition in runnable.never { checkConstant(condition, isWanted: false) }
        guard let steps = test.steps?.value, let last = steps.last else {
            guard test.eligible != nil else { return }
            let checks = [
                ("always", test.always?.range), ("never", test.never?.range),
                ("snapshot", test.snapshot?.range),
            ]
            for (name, range) in checks {
                if let range { decoder.report(.noSteps(name, at: range)) }
            }
            return
        }
        let expects = steps.contains { !($0.value.expect?.value.isEmpty ?? true) }
        if !expects, let exactly = test.exactly, exactly.value {
            decoder.report(.nothingExact(at: exactly.range))
        }
        let compares = expects || hasInvariants || test.snapshot != nil || test.eligible != nil
        if !hasInvariants, test.snapshot == nil, test.eligible == nil, test.context != nil {
            checkTriggers(of: runnable)
        }
        for step in steps where compares {
            if let expect = step.value.expect, expect.value.isEmpty, !expect.value.isUnread {
                decoder.report(.nothingExpected(at: expect.range))
            }
        }
        if expects, last.value.expect == nil, !hasInvariants, test.snapshot == nil,
            !last.value.actions.isEmpty || last.value.after != nil
        {
            decoder.report(.lastStepUnseen(at: last.value.range))
        }
    }

    private mutating func checkConstant(_ condition: StateCondition, isWanted: Bool) {
        guard condition.program.slots.isEmpty,
            condition.program.isTrue(SlotValues(count: 0)) == (isWanted ? .yes : .no)
        else { return }
        decoder.report(.constant(isWanted, at: condition.range))
    }

    /// Reports a test that only expects that nothing shows, and in which nothing triggers a popup.
    private mutating func checkTriggers(of test: RunnableTest) {
        let expectations = test.steps.flatMap(\.expectations)
        let expectsNothing = expectations.allSatisfy {
            if case .showing(_, nil) = $0.kind { true } else { false }
        }
        let needsInput = rules.popups.allSatisfy { popup in
            !popup.triggers.isEmpty
                && popup.triggers.allSatisfy { trigger in
                    switch trigger {
                    case .event, .acted, .occasion(.manual): true
                    case .changed, .occasion(.start), .occasion(.session): false
                    }
                }
        }
        guard expectsNothing, needsInput, test.steps.allSatisfy({ $0.actions.isEmpty }),
            let first = expectations.first
        else { return }
        for popup in rules.popups {
            for case .event(let trigger) in popup.triggers {
                let event = rules.events[trigger.event].name
                decoder.report(.nothingTriggered(at: first.range, event: event, popup: popup.id))
                return
            }
        }
    }

    /// Returns the keys of a table that are not context keys but names for expected results.
    func resultColumns(of table: YAMLNode?) -> Set<String> {
        let found = (table?.entries.map { $0 } ?? []).compactMap(\.key.scalar?.text)
        return Set(
            found.filter { name in
                namesOfResults.contains(name) && names.keys[name] == nil
                    && similarNames(to: name, among: names.keys.keys).isEmpty
            })
    }

    /// Reports a column of expected results, which a table can't have.
    mutating func reportResults(_ name: Located<String>, in entry: YAMLEntry) {
        let results = entry.value.items.compactMap(\.scalar?.text)
        let popup = results.first { names.popups.contains($0) } ?? names.popups.min()
        decoder.report(.results(name, popup: popup ?? "welcome"))
    }

    /// Reports values of a table that occur twice.
    mutating func checkRepeats(_ items: [YAMLNode], name: Located<String>) {
        var seen: Set<String> = []
        for item in items where item.kind == .scalar {
            let text = item.scalar?.text ?? ""
            if !seen.insert(text).inserted {
                decoder.report(.sameCase(text, name: name, at: item.range))
            }
        }
    }
}

extension Expectation {
    /// True if it contains no expectations.
    var isEmpty: Bool {
        [
            showing, waiting, reasons, dismissed, ended, dropped, shown, content, variant, exposed,
            converted,
        ]
        .allSatisfy { $0?.value.entries.isEmpty ?? true }
    }
}

extension Diagnostic {
    private static func noEffect(
        _ message: String, at range: SourceRange, label: String, help: String
    ) -> Self {
        var diagnostic = Diagnostic(
            .testNoEffect, message: message, at: range, label: label, help: [help])
        diagnostic.level = .warning
        return diagnostic
    }

    fileprivate static func neverMissing(_ key: Located<String>, value: Value) -> Self {
        let text = value.text(atMost: PrintLimits.value)
        return noEffect(
            "`\(key.value)` is never missing: it has a default", at: key.range,
            label: "`\(key.value)` is \(text) in this test",
            help:
                "remove `\(key.value)` from `missing`, or remove the `default` from the"
                + " declaration of the key"
        )
    }

    fileprivate static func notHeldOut(
        at range: SourceRange, key: String, isMissing: Bool
    ) -> Self {
        noEffect(
            "the user is not in the holdout: `\(key)` \(isMissing ? "has no value" : "is empty")",
            at: range, label: "the holdout is assigned by `\(key)`",
            help: "give `\(key)` a value that identifies the user")
    }

    fileprivate static func overriddenByTable(
        _ name: String, at range: SourceRange, table: SourceRange
    ) -> Self {
        var diagnostic = noEffect(
            "`for_each` sets `\(name)` in every case", at: range, label: "without effect",
            help: "remove `\(name)` here, or from `for_each`")
        diagnostic.secondary = [Label("set here", at: table)]
        return diagnostic
    }

    fileprivate static func noSteps(_ name: String, at range: SourceRange) -> Self {
        noEffect(
            "`\(name)` applies to `steps`, but the test has no steps", at: range,
            label: "without effect", help: "add `steps`, or remove `\(name)`")
    }

    fileprivate static func nothingExact(at range: SourceRange) -> Self {
        noEffect(
            "`exactly` applies to `expect`, but no step has an `expect`", at: range,
            label: "without effect", help: "add an `expect` to a step, or remove `exactly`")
    }

    fileprivate static func nothingExpected(at range: SourceRange) -> Self {
        Diagnostic(
            .testNoEffect, message: "an `expect` is empty, so it checks nothing", at: range,
            label: "empty",
            help: ["write what must be true, such as `expect: { showing: { main: POPUP } }`"])
    }

    fileprivate static func lastStepUnseen(at range: SourceRange) -> Self {
        noEffect(
            "nothing is checked after the last step", at: range, label: "no `expect`",
            help: "add an `expect` to the step, or remove the step")
    }

    fileprivate static func constant(_ isWanted: Bool, at range: SourceRange) -> Self {
        noEffect(
            "this condition is always \(isWanted ? "true" : "false")", at: range,
            label: "does not depend on the test",
            help:
                "use a value that can change, such as `showing.main`, `waiting.main`,"
                + " `shown.POPUP` or a context key"
        )
    }

    fileprivate static func nothingTriggered(
        at range: SourceRange, event: String, popup: String
    ) -> Self {
        noEffect(
            "nothing can show in this test, because nothing triggers a popup", at: range,
            label: "always met",
            help: "trigger a popup first, such as with `send: \(event)`, and expect why it does not"
                + " show, such as `reasons: { \(popup): CONDITION_FALSE }`")
    }

    fileprivate static func results(_ name: Located<String>, popup: String) -> Self {
        Diagnostic(
            .testUnknownKey, message: "unknown context key `\(name.value)`", at: name.range,
            label: "a table has only context keys and `persona`",
            notes: ["a test with `for_each` runs with every combination of the values"],
            help: [
                "remove `\(name.value)`, and use `eligible` next to `for_each` for the condition"
                    + " under which a popup may show, such as"
                    + " `eligible: { \(popup): 'user.plan == \"free\"' }`"
            ])
    }

    fileprivate static func sameCase(
        _ text: String, name: Located<String>, at range: SourceRange
    ) -> Self {
        noEffect(
            "`\(name.value)` has the value `\(text)` twice", at: range,
            label: "repeats the same cases",
            help: "remove one of the two values")
    }
}
