internal import PopCEL
internal import PopScheduler
internal import PopSource

/// The state of the compiler: its input, the tables it has built, and its findings.
struct RuleCompiler {
    private(set) var model: RuleModel
    /// The names of all popups, if a condition or an example may use them.
    let popupNames: [String]
    let limits: RuleFileLimits
    /// Where the popups that name no scheduler are.
    let mainScheduler: LaneIndex
    /// Reads the values whose type is known only now; collects all findings.
    var decoder: Decoder
    private(set) var slots = SlotTable()
    /// The scopes of conditions, outside and inside a trigger's `where`.
    private var everywhere: Scope
    private(set) var outside: Scope
    private var insideEvents: [EventIndex: Scope] = [:]
    /// The scope of each `dismiss_when` that reads the schedule, once it is built.
    private var atDismissal: Scope?
    /// Computed when it is first needed.
    var uses: ConditionUses?
    /// The same, by the name of a field the events that carry it.
    var carriers: [String: [String]]?
    /// The same, by template.
    var templateFields: [String: TemplateFields] = [:]
    /// The same.
    var requiredLanguages: RequiredLanguages?
    /// The steps that evaluating the examples of each file took so far; `.max` once the limit was
    /// reported.
    var exampleSteps: [FileID: Int] = [:]
    /// Programs without findings by the origin of their expressions, outside a trigger's `where`:
    /// popups share many strings. Nil if no string repeats.
    private var known: [ObjectIdentifier: Program]?
    /// The conditions that many popups share by `defaults` or an alias, and the findings about
    /// them. Those of fewer bytes than `sharedBytes` are not kept.
    private var atPlaces: [ConditionPlace: CompiledCondition] = [:]
    /// Shorter conditions are compiled again for each popup: that takes less than to look them up.
    private static let sharedBytes = 100
    /// Meanings of the payload fields that were used.
    private var meanings: [String: SlotMeaning]
    /// The number of further conditions with unknown names that get suggestions of similar names.
    private var suggestions: Int

    init(_ model: consuming RuleModel, limits: RuleFileLimits) {
        self.model = model
        popupNames = self.model.mentionsHistory ? self.model.popups.names : []
        self.limits = limits
        mainScheduler = self.model.schedulers.place(of: RuleModel.mainScheduler) ?? 0
        known = self.model.conditionsRepeat ? [:] : nil
        suggestions = limits.suggestions
        let source = self.model.sources.files.first ?? SourceFile(path: "", bytes: [])
        decoder = Decoder(source, limits: limits)
        everywhere = Scope(self.model)
        outside = everywhere.outsideEvents()
        meanings = everywhere.meanings
        defineMapConditions()
    }

    /// Runs `body` in the file of `place`, and names `subject` in each of its findings.
    mutating func about<Result>(
        _ subject: @autoclosure () -> String, at place: SourceRange,
        body: (inout RuleCompiler) -> Result
    ) -> Result {
        if decoder.source.id != place.file {
            var findings = decoder.diagnostics
            decoder = Decoder(model.sources[place.file], limits: limits)
            decoder.startOver(with: &findings)
        }
        // Swapped and not copied: earlier findings are never held twice, and so never moved.
        var found = Diagnostics()
        decoder.startOver(with: &found)
        let result = body(&self)
        decoder.startOver(with: &found)
        if !found.isEmpty { decoder.report(contentsOf: found.about(subject())) }
        return result
    }

    /// A condition that is not `where`; nil when it has errors.
    mutating func compile(_ condition: ConditionModel) -> Condition? {
        compile(condition, as: .outside) { $0.compileOutside(condition) }
    }

    /// Returns the findings of a `when` that several popups share, from when it was compiled for
    /// the first of them; empty if they don't share its place.
    func repeatedFindings(of condition: ConditionModel) -> [Diagnostic] {
        let range = condition.definition ?? condition.range
        return atPlaces[ConditionPlace(range: range, scope: .outside)]?.findings ?? []
    }

    /// Compiles a condition once for all popups that share its place; its findings are reported
    /// then.
    private mutating func compile(
        _ condition: ConditionModel, as scope: ConditionPlace.Scope,
        _ compileOnce: (inout RuleCompiler) -> Condition?
    ) -> Condition? {
        let range = condition.definition ?? condition.range
        guard range.upper - range.lower >= Self.sharedBytes else { return compileOnce(&self) }
        let place = ConditionPlace(range: range, scope: scope)
        if let compiled = atPlaces[place] {
            return compiled.condition.map { Condition($0.program, at: condition.range) }
        }
        let findings = decoder.diagnostics.list.count
        let compiled = compileOnce(&self)
        atPlaces[place] = CompiledCondition(
            condition: compiled, findings: Array(decoder.diagnostics.list[findings...]))
        return compiled
    }

    private mutating func compileOutside(_ condition: ConditionModel) -> Condition? {
        guard case .expression(let expression) = condition.form else {
            return compile(condition, in: outside)
        }
        if let program = known?[expression.origin] {
            return Condition(program.moved(to: expression), at: condition.range)
        }
        let findings = decoder.diagnostics.list.count
        let compiled = compile(expression, in: outside).map { Condition($0, at: condition.range) }
        if let compiled, decoder.diagnostics.list.count == findings {
            known?[expression.origin] = compiled.program
        }
        return compiled
    }

    /// The `dismiss_when` of a popup; nil when it has errors.
    mutating func compile(dismissal condition: ConditionModel) -> Condition? {
        condition.mentionsSchedule
            ? compile(condition, as: .dismissal) { compiler in
                compiler.compile(condition, in: compiler.dismissalScope())
            } : compile(condition)
    }

    private mutating func dismissalScope() -> Scope {
        if let atDismissal { return atDismissal }
        let scope = outside.atDismissal(of: model)
        atDismissal = scope
        meanings.merge(scope.meanings) { first, _ in first }
        return scope
    }

    /// The `where` of a trigger on an event; nil when it has errors.
    mutating func compile(_ condition: ConditionModel, for event: Located<String>) -> Condition? {
        compile(condition, as: .event(event.value)) { $0.compileOnce(condition, for: event) }
    }

    private mutating func compileOnce(
        _ condition: ConditionModel, for event: Located<String>
    ) -> Condition? {
        guard let position = model.events.place(of: event.value),
            !model.events.entries[position].isBroken
        else {
            return compile(condition, in: everywhere.insideUnknownEvent(event.value, of: model))
        }
        if let scope = insideEvents[position] { return compile(condition, in: scope) }
        let scope = everywhere.inside(position, of: model)
        insideEvents[position] = scope
        meanings.merge(scope.meanings) { first, _ in first }
        return compile(condition, in: scope)
    }

    mutating func compile(_ condition: ConditionModel, in scope: Scope) -> Condition? {
        // Most conditions are expressions; a builder would copy the decoder.
        if case .expression(let expression) = condition.form {
            return compile(expression, in: scope).map { Condition($0, at: condition.range) }
        }
        var builder = ConditionBuilder(scope, decoder: decoder)
        let expression = builder.build(condition)
        decoder = builder.decoder
        guard let expression else { return nil }
        // An unreadable part was replaced with `true`: no advice on that.
        let read = builder.isBroken ? scope.withoutAdvice() : scope
        guard let program = compile(expression, in: read), !builder.isBroken else { return nil }
        return Condition(program, at: condition.range)
    }

    /// Compiles an expression of any type that isn't a condition; nil if it has errors.
    mutating func compile(value expression: Expression) -> Program? {
        compile(expression, in: outside, expecting: nil)
    }

    private mutating func compile(
        _ expression: Expression, in scope: Scope, expecting type: CELType? = .bool
    ) -> Program? {
        var environment = scope.environment
        environment.suggestsNames = suggestions > 0
        let program = environment.compile(expression, expecting: type, slots: &slots)
        if program.diagnostics.hasErrors { suggestions -= 1 }
        if !program.diagnostics.isEmpty { decoder.report(contentsOf: program.diagnostics) }
        // Parts that clash make a condition that can be evaluated.
        let isBroken = program.diagnostics.list.contains {
            $0.level == .error && $0.check != .logicNeverTrue
        }
        return isBroken ? nil : program.value
    }

    /// Notes the definitions of named conditions.
    mutating func define(_ definitions: [(String, Expression)]) {
        everywhere.define(definitions)
        outside.define(definitions)
        atDismissal = nil
    }

    /// Returns the variable of a name that an example may set: a context key, or a value that the
    /// engine itself provides.
    func settable(_ name: String) -> Variable? {
        guard model.conditions.place(of: name) == nil else { return nil }
        return everywhere.environment.variable(named: name)
    }

    /// Returns a condition that replaces one with errors, so that the rest of its rule can be
    /// checked.
    mutating func never(at range: SourceRange) -> Condition? {
        let expression = Expression.literal(.bool(false), at: range)
        return everywhere.environment.compile(expression, expecting: .bool, slots: &slots).value
            .map { Condition($0, at: range) }
    }

    /// Takes the popups out of the model, which still knows their positions.
    mutating func takePopups() -> [PopupModel] { model.popups.takeEntries() }

    /// Returns the meaning of every slot that a condition reads.
    func slotMeanings() -> [SlotMeaning] {
        slots.entries.map { entry in
            switch entry {
            case .variable(let identity): meanings[identity] ?? .payload
            case .call(let function, let arguments):
                SlotMeaning(
                    function: function, arguments: arguments,
                    popup: { model.popups.place(of: $0) },
                    field: { model.events.type(of: $0, in: $1) }) ?? .payload
            }
        }
    }
}

/// The place of a condition, and the names that it may use there.
private struct ConditionPlace: Hashable {
    enum Scope: Hashable {
        case outside
        /// In a `dismiss_when` that reads the schedule.
        case dismissal
        /// In the `where` of a trigger on an event.
        case event(String)
    }

    let range: SourceRange
    let scope: Scope
}

/// A condition as it was compiled once, nil if it has errors, and the findings about it.
private struct CompiledCondition {
    let condition: Condition?
    let findings: [Diagnostic]
}
