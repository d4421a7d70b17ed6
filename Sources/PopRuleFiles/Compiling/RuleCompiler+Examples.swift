internal import PopCEL
internal import PopReports
internal import PopScheduler
internal import PopSource
internal import PopYAML

extension RuleCompiler {
    /// Evaluates a popup's `when` against its examples; nil is always true.
    mutating func checkExamples(
        of popup: PopupModel, when: Condition?, named: NamedConditions
    ) {
        guard let examples = popup.checksIfAny?.examples?.value else { return }
        for (list, shouldMatch) in [(examples.match, true), (examples.noMatch, false)] {
            for example in list?.value ?? [] {
                check(example, shouldMatch: shouldMatch, when: when, named: named)
            }
        }
    }

    private mutating func check(
        _ example: Located<YAMLNode>, shouldMatch: Bool, when: Condition?,
        named: NamedConditions
    ) {
        guard let context = context(example.value) else { return }
        let place = example.value.rangeToPointAt(in: decoder.source)
        guard let when else {
            if !shouldMatch { decoder.report(.matchesAlways(at: place)) }
            return
        }
        guard mayEvaluateExamples(next: place) else { return }
        var moment = ExampleMoment(self, named: named, context: context)
        guard moment.fill(when.program) else { return }
        let truth = when.program.isTrue(moment.values, steps: &moment.steps)
        exampleSteps[decoder.source.id, default: 0] += moment.steps
        switch truth {
        case .yes where !shouldMatch:
            decoder.report(
                .exampleMatches(at: place, when: when, facts: moment.facts(about: when.program)))
        case .no where shouldMatch:
            decoder.report(
                .exampleFails(at: place, when: when, facts: moment.facts(about: when.program)))
        case .error(let error) where shouldMatch:
            decoder.report(.exampleErrs(at: place, when: when, error: error))
        case .yes, .no, .error: break
        }
    }

    /// Returns true if the examples of the file may take more steps; reports the first that may
    /// not.
    private mutating func mayEvaluateExamples(next place: SourceRange) -> Bool {
        let source = decoder.source
        let limits = decoder.limits
        let limit = max(
            limits.exampleStepsPerFile, source.bytes.count * limits.exampleStepsPerByte)
        let steps = exampleSteps[source.id, default: 0]
        guard steps > limit else { return true }
        if steps < .max { decoder.report(.examplesNotChecked(at: place, limit: limit)) }
        exampleSteps[source.id] = .max
        return false
    }

    /// The values that an example sets, by name; nil, with reports, when one of them is wrong.
    private mutating func context(_ example: YAMLNode) -> [String: Value]? {
        var values: [String: Value] = [:]
        var isWhole = true
        for entry in example.entries {
            guard let name = decoder.name(ofKey: entry.key) else { return nil }
            guard let variable = settable(name) else {
                let names = model.context.names
                decoder.report(
                    .undefined(
                        .refUndefinedKey, kind: "context key",
                        name: Located(name, at: entry.key.range),
                        among: names))
                isWhole = false
                continue
            }
            let value = decoder.inside(key: entry.key) { $0.value(entry.value, as: variable.type) }
            guard let value else {
                isWhole = false
                continue
            }
            if let refusal = variable.refusal(of: value) {
                decoder.report(.valueNotAllowed(variable, refusal: refusal, at: entry.value))
                isWhole = false
            }
            values[name] = value
        }
        return isWhole ? values : nil
    }
}

/// The state in which an example is evaluated: the values that it sets, defaults, and an empty
/// history.
private struct ExampleMoment {
    private let model: RuleModel
    private let popupNames: [String]
    private let meanings: [SlotMeaning]
    private let named: NamedConditions
    private let context: [String: Value]
    private var isFilled: TypedArray<SlotIndex, Bool>
    private(set) var values: SlotValues
    /// The steps that conditions took to evaluate.
    var steps = 0

    init(_ compiler: RuleCompiler, named: NamedConditions, context: [String: Value]) {
        model = compiler.model
        popupNames = compiler.popupNames
        meanings = compiler.slotMeanings()
        self.named = named
        self.context = context
        isFilled = TypedArray(repeating: false, count: meanings.count)
        values = SlotValues(count: meanings.count)
    }

    /// Sets the slots that a program reads; answers false when one of them is a condition with
    /// errors.
    mutating func fill(_ program: Program) -> Bool {
        for slot in program.slots where !isFilled[slot] {
            isFilled[slot] = true
            guard let value = value(of: meanings[slot]) else { return false }
            values[slot] = value
        }
        return true
    }

    private mutating func value(of meaning: SlotMeaning) -> SlotValue? {
        switch meaning {
        case .key(let key):
            let key = model.context.entries[key]
            return given(key.name.value, or: key.defaultValue?.value)
        case .condition(let condition):
            guard named.isSound[condition] else { return nil }
            let program = named.rules[condition].condition.program
            guard fill(program) else { return nil }
            switch program.isTrue(values, steps: &steps) {
            case .yes: return .value(.bool(true))
            case .no: return .value(.bool(false))
            case .error(let error): return .error(error)
            }
        case .now: return given("now")
        case .session(let fact): return given(fact.rawValue, or: fact == .count ? .int(1) : nil)
        case .shownCount(let popup): return given(history(popup, fact: "shown_count"), or: .int(0))
        case .lastShown(let popup): return given(history(popup, fact: "last_shown"))
        case .lastReason(let popup): return given(history(popup, fact: "last_reason"))
        case .variant(let popup): return given(history(popup, fact: "variant"), or: .string(""))
        case .exposedCount(let popup):
            return given(history(popup, fact: "exposed_count"), or: .int(0))
        case .lastAction(let popup):
            return given(history(popup, fact: "last_action"), or: .string(""))
        case .closedCount(let popup):
            return given(history(popup, fact: "closed_count"), or: .int(0))
        case .converted(let popup):
            return given(history(popup, fact: "converted"), or: .bool(false))
        case .eventCount, .acted: return .value(.int(0))
        case .sinceEvent: return .value(.duration(.endless))
        case .eventSum(let sum): return .value(sum.type.zero)
        case .lastEvent, .lastActed, .scheduleOpen, .payload, .payloadField: return .missing
        }
    }

    /// Returns the values that the result of a program depends on, such as `` `user.plan` is "pro"
    /// ``, including the values that its named conditions read.
    func facts(about program: Program) -> [String] {
        var facts: [String] = []
        addFacts(about: program, to: &facts)
        return facts
    }

    private func addFacts(about program: Program, to facts: inout [String]) {
        guard let root = program.explain(values).root else { return }
        var rest = root.parts.isEmpty ? [root] : Array(root.parts.reversed())
        while let part = rest.popLast() {
            guard part.wasNeeded, let result = part.result else { continue }
            rest += part.parts.reversed()
            let text = part.text.shortened
            let fact =
                switch result {
                case .success(let value): "`\(text)` is `\(value.text(atMost: PrintLimits.value))`"
                case .failure(let error): "`\(text)` fails: \(error.message)"
                }
            guard !facts.contains(fact), facts.count < 8 else { continue }
            facts.append(fact)
            if let condition = model.conditions.place(of: part.text) {
                addFacts(about: named.rules[condition].condition.program, to: &facts)
            }
        }
    }

    private func history(_ popup: PopupIndex, fact: String) -> String {
        "popups.\(popupNames[popup.number]).\(fact)"
    }

    private func given(_ name: String, or fallback: Value? = nil) -> SlotValue {
        (context[name] ?? fallback).map { .value($0) } ?? .missing
    }
}

extension Variable {
    /// Returns the reason why the variable cannot have a value: the check, and a few words. Nil if
    /// the variable can have the value.
    fileprivate func refusal(of value: Value) -> (Check, String)? {
        if let allowed = allowedValues, !allowed.contains(value) {
            return (.schemaEnum, "not an allowed value")
        }
        if let minimum, value.isLess(than: minimum) {
            return (.schemaRange, "below the `min` of `\(name)`")
        }
        if let maximum, maximum.isLess(than: value) {
            return (.schemaRange, "above the `max` of `\(name)`")
        }
        return nil
    }
}

extension Diagnostic {
    fileprivate static func valueNotAllowed(
        _ variable: Variable, refusal: (check: Check, label: String), at node: YAMLNode
    ) -> Self {
        let values = (variable.allowedValues ?? []).prefix(20).map { "\($0)" }
        let isEnum = refusal.check == .schemaEnum && !values.isEmpty
        return Diagnostic(
            refusal.check, message: "`\(variable.name)` cannot be `\(node.nameForMessages)`",
            at: node.range, label: refusal.label,
            secondary: variable.declaredAt.map {
                [Label("`\(variable.name)` is declared here", at: $0)]
            } ?? [],
            help: isEnum ? ["use one of the allowed values \(enumeration(values))"] : [])
    }

    fileprivate static func examplesNotChecked(at range: SourceRange, limit: Int) -> Self {
        Diagnostic(
            .schemaLimit,
            message: "this example and all later examples in the file were not checked: the"
                + " earlier examples took more than \(limit) evaluation steps, the maximum per"
                + " file",
            at: range, label: "the first example that was not checked",
            help: [
                "use shorter lists in the examples, or fewer nested calls such as `all()` in the"
                    + " conditions"
            ])
    }

    fileprivate static func matchesAlways(at range: SourceRange) -> Self {
        Diagnostic(
            .logicExampleFails,
            message: "the example must not match, but without `when` the popup matches everything",
            at: range, label: "matches, but must not match",
            help: ["add a `when`, or remove the example"])
    }

    fileprivate static func exampleMatches(
        at range: SourceRange, when: Condition, facts: [String]
    ) -> Self {
        Diagnostic(
            .logicExampleFails, message: "the example must not match, but `when` is true for it",
            at: range,
            label: "matches, but must not match",
            secondary: [Label("true for the example", at: when.range)],
            notes: facts,
            help: [
                "correct `when` or the values of the example, or move the example to `match`"
            ])
    }

    fileprivate static func exampleFails(
        at range: SourceRange, when: Condition, facts: [String]
    ) -> Self {
        Diagnostic(
            .logicExampleFails, message: "the example must match, but `when` is false for it",
            at: range,
            label: "does not match, but must match",
            secondary: [Label("false for the example", at: when.range)],
            notes: facts,
            help: [
                "correct `when` or the values of the example, or move the example to `no_match`"
            ])
    }

    fileprivate static func exampleErrs(
        at range: SourceRange, when: Condition, error: EvaluationError
    ) -> Self {
        Diagnostic(
            .logicExampleFails,
            message: "the example must match, but `when` cannot be evaluated for it",
            at: range, label: "does not match, but must match",
            secondary: [Label(error.message, at: error.range ?? when.range)],
            help: [
                "correct the condition, or use other values in the example",
                "if a value is missing, set the value in the example, or check for the value with"
                    + " `has()` in the condition",
            ])
    }
}
