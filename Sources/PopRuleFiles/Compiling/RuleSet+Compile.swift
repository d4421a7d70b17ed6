package import PopCEL
public import PopScheduler
public import PopSource

extension RuleSet {
    /// Compiles the conditions of a linked model and turns names into positions: the form that the
    /// scheduler runs.
    ///
    /// Parts with errors are left out or never true, so that the rest can be checked; `get()`
    /// throws in that case.
    public static func compile(
        _ model: RuleModel, limits: RuleFileLimits = .standard
    ) -> Checked<RuleSet> {
        compile(model, limits: limits, keepsModel: true)
    }

    /// The rules with one expression more, which may name whatever a condition may and have any
    /// type.
    package static func compile(
        _ model: RuleModel, with expression: Expression
    ) -> Checked<(rules: RuleSet, program: Program)> {
        var model = model
        model.conditionsMentionHistory = true
        var compiler = RuleCompiler(model, limits: .standard)
        var rules = compiler.rules(keepsModel: true)
        let found = compiler.decoder.diagnostics
        guard let program = compiler.compile(value: expression) else {
            let own = compiler.decoder.diagnostics.list.dropFirst(found.list.count)
            return Checked(nil, diagnostics: Diagnostics(Array(own)))
        }
        rules.slots = compiler.slotMeanings()
        return Checked((rules, program))
    }

    /// A model that is not kept loses its popups as they are compiled.
    static func compile(
        _ model: consuming RuleModel, limits: RuleFileLimits, keepsModel: Bool
    ) -> Checked<RuleSet> {
        var compiler = RuleCompiler(model, limits: limits)
        let rules = compiler.rules(keepsModel: keepsModel)
        return Checked(rules, diagnostics: compiler.decoder.diagnostics)
    }
}

extension RuleCompiler {
    fileprivate mutating func rules(keepsModel: Bool) -> RuleSet {
        var rules = RuleSet()
        rules.schedulers = model.schedulers.entries.map { scheduler($0) }
        rules.keys = model.context.entries.map(ContextKey.init)
        rules.events = model.events.entries.map(EventRule.init)
        let conditions = namedConditions()
        decoder.report(contentsOf: conditions.chains)
        rules.conditions = conditions.rules
        rules.groups = model.groups.entries.map { group($0) }
        rules.popups = popups(conditions, keepsModel: keepsModel)
        rules.limits = model.limits.compactMap { limit($0.value) }
        let isTooMuch =
            rules.limits.count > RuleBounds.caps
            || rules.selectionSteps > RuleBounds.selectionSteps
        if isTooMuch, let last = model.limits.last {
            decoder.report(.tooManyLimits(rules, at: last.range))
            rules.limits = []
        }
        rules.templates = model.templates.entries.map(TemplateRule.init)
            .filter { !$0.actions.isEmpty || !$0.localizedFields.isEmpty }
        rules.holdout = holdout
        rules.quiet = model.quiet.flatMap { quiet($0.value) }
        rules.sessionTimeout = model.session?.value.timeout?.value
        rules.locales = locales
        rules.slots = slotMeanings()
        return rules
    }

    private var holdout: Holdout? {
        guard let holdout = model.holdout?.value, let percent = holdout.percent,
            let key = holdout.by.flatMap({ model.context.place(of: $0.value) })
        else { return nil }
        return Holdout(
            percent: percent.value, key: key, salt: holdout.salt?.value ?? Holdout.usualSalt)
    }

    private var locales: Locales? {
        guard let locales = model.locales?.value, let fallback = locales.fallback,
            let key = locales.key.flatMap({ model.context.place(of: $0.value) })
        else { return nil }
        return Locales(key: key, fallback: fallback.value)
    }

    /// Nil when a part is missing, which has been reported.
    mutating func limit(_ model: SharedLimitModel) -> LimitRule? {
        guard let cap = window(model.window), let popups = selection(model.popups) else {
            return nil
        }
        return LimitRule(cap, popups: popups)
    }

    /// Nil when a part is missing, which has been reported.
    private mutating func quiet(_ model: QuietModel) -> QuietRule? {
        guard let hours = model.hours, let popups = selection(model.popups) else { return nil }
        if hours.value.from == hours.value.until { decoder.report(.noQuietHours(hours.range)) }
        let zone = model.zone == nil ? .local : zone(model.zone)
        return zone.map { QuietRule(hours.value, zone: $0, popups: popups) }
    }

    /// Nil when a name is unknown, which has been reported.
    private func selection(_ model: PopupSelectionModel) -> PopupSelection? {
        let names = model.schedulers?.value ?? []
        let schedulers = names.compactMap { self.model.schedulers.place(of: $0.value) }
        if schedulers.count < names.count { return nil }
        return PopupSelection(
            schedulers: schedulers, tags: (model.tags?.value ?? []).map(\.value))
    }
}

extension Diagnostic {
    fileprivate static func noQuietHours(_ range: SourceRange) -> Self {
        Diagnostic(
            .timeEmptyWindow,
            message: "`hours` of `quiet` start and end at the same time, so they have no effect",
            at: range, label: "no time between start and end",
            help: ["if you mean the whole day, write `00:00-24:00`; if not, remove `quiet`"],
            fixes: [
                Fix(
                    "write `00:00-24:00`",
                    edits: [.init(range, replacement: "00:00-24:00")], isSafe: false)
            ])
    }
}

extension RuleCompiler {
    mutating func scheduler(_ model: SchedulerModel) -> SchedulerRule {
        SchedulerRule(
            name: model.name.value, strategy: model.strategy?.value ?? .priority,
            tieBreak: model.tieBreak?.value ?? .fifo, gap: model.gap?.value ?? .zero ... .zero,
            maxWaiting: model.maxWaiting?.value, cap: model.cap.flatMap { window($0.value) })
    }

    /// Nil when a part is missing, which has been reported.
    mutating func window(_ model: WindowCapModel) -> WindowCap? {
        guard let max = model.max, let per = model.per.flatMap({ period($0.value) }) else {
            return nil
        }
        return WindowCap(max: max.value, per: per, zone: model.zone.flatMap { zone($0) })
    }

    private func period(_ model: PeriodModel) -> WindowCap.Period? {
        switch model {
        case .rolling(let duration): .rolling(duration)
        case .calendar(let unit): .calendar(unit)
        case .session: .session
        case .value(let key): self.model.context.place(of: key).map { .value(of: $0) }
        }
    }
}

extension ContextKey {
    fileprivate init(_ model: ContextKeyModel) {
        self.init(
            name: model.name.value, type: model.type?.value ?? .dyn,
            defaultValue: model.defaultValue?.value,
            allowedValues: model.allowedValues?.value.map(\.value),
            minimum: model.minimum?.value, maximum: model.maximum?.value, at: model.name.range)
        isMomentary = model.isMomentary?.value ?? false
    }
}

extension EventRule {
    fileprivate init(_ model: EventModel) {
        self.init(
            name: model.name.value,
            fields: model.fields.map { Field(name: $0.name.value, type: $0.type?.value ?? .dyn) },
            at: model.name.range)
    }
}

extension TemplateRule {
    fileprivate init(_ model: TemplateModel) {
        self.init(
            name: model.name.value,
            actions: (model.actions?.value ?? []).map {
                Action(name: $0.name.value, isRefusal: $0.refusal?.value ?? false)
            }, localizedFields: model.fields.filter(\.isLocalized).map(\.name.value),
            at: model.name.range)
    }
}

extension Diagnostic {
    fileprivate static func tooManyLimits(_ rules: RuleSet, at range: SourceRange) -> Self {
        Diagnostic(
            .schemaLimit,
            message:
                "`limits` has too many entries (\(rules.limits.count)) for \(rules.popups.count)"
                + " popups",
            at: range, label: "the last entry",
            notes: [
                rules.limits.count > RuleBounds.caps
                    ? "all files together may have at most \(RuleBounds.caps) entries"
                    : "comparing the tags of limits with the tags of popups takes"
                        + " \(rules.selectionSteps) comparisons, more than the limit of"
                        + " \(RuleBounds.selectionSteps)"
            ],
            help: ["use fewer limits or fewer tags"])
    }
}

/// The named conditions, compiled, and which of them can be evaluated.
struct NamedConditions {
    var rules: [NamedCondition] = []
    /// The conditions that it reads.
    var uses: TypedArray<ConditionIndex, [ConditionIndex]> = []
    /// True if neither the condition nor any condition that it uses has errors.
    var isSound: TypedArray<ConditionIndex, Bool> = []
    /// Findings about all conditions together: circles, and chains that are too long.
    var chains = Diagnostics()
}

extension RuleCompiler {
    /// Compiles the named conditions; looks for circles among them and chains that are too long.
    mutating func namedConditions() -> NamedConditions {
        var named = NamedConditions()
        if model.conditions.entries.isEmpty { return named }
        for model in model.conditions.entries {
            let compiled = compileNamed(model)
            guard let condition = compiled ?? never(at: model.condition.range) else { continue }
            named.rules.append(NamedCondition(name: model.name.value, condition: condition))
            named.isSound.append(compiled != nil)
        }
        named.uses = uses(of: named.rules)
        checkChains(&named)
        return named
    }

    private func uses(
        of rules: [NamedCondition]
    ) -> TypedArray<ConditionIndex, [ConditionIndex]> {
        let meanings = slotMeanings()
        return TypedArray(
            rules.map { rule in
                rule.condition.program.slots.compactMap { slot in
                    if case .condition(let used) = meanings[slot] { return used }
                    return nil
                }
            })
    }

    private func checkChains(_ named: inout NamedConditions) {
        let uses = named.uses
        let circles = cycles(among: uses.count) { uses[ConditionIndex($0)].map(\.number) }
        for circle in circles {
            let names = circle.map { model.conditions.entries[$0].name }
            named.chains.report(.useInCircle(names))
            for condition in circle { named.isSound[ConditionIndex(condition)] = false }
        }
        let lengths = chainLengths(uses, isSound: &named.isSound)
        guard let longest = lengths.max(), longest > limits.conditionChain,
            let first = lengths.firstIndex(of: longest)
        else { return }
        // Evaluating a condition evaluates its whole chain.
        for condition in lengths.indices where lengths[condition] > limits.conditionChain {
            named.isSound[condition] = false
        }
        let name = model.conditions.entries[first].name
        named.chains.report(.chainTooLong(name, length: longest, limit: limits.conditionChain))
    }

    /// Returns the number of conditions that are used in a row below each; marks conditions that
    /// use unsound ones as unsound.
    private func chainLengths(
        _ uses: TypedArray<ConditionIndex, [ConditionIndex]>,
        isSound: inout TypedArray<ConditionIndex, Bool>
    ) -> TypedArray<ConditionIndex, Int> {
        var lengths = TypedArray<ConditionIndex, Int>(repeating: 0, count: uses.count)
        var usedBy = TypedArray<ConditionIndex, [ConditionIndex]>(
            repeating: [], count: uses.count)
        var waitsFor = TypedArray<ConditionIndex, Int>(uses.map(\.count))
        for user in uses.indices {
            for condition in uses[user] { usedBy[condition].append(user) }
        }
        var ready = uses.indices.filter { waitsFor[$0] == 0 }
        while let condition = ready.popLast() {
            lengths[condition] = (uses[condition].map { lengths[$0] }.max() ?? 0) + 1
            if !uses[condition].allSatisfy({ isSound[$0] }) { isSound[condition] = false }
            for user in usedBy[condition] {
                waitsFor[user] -= 1
                if waitsFor[user] == 0 { ready.append(user) }
            }
        }
        // A condition that is never ready is in a circle or uses one that is.
        for condition in uses.indices where waitsFor[condition] > 0 { isSound[condition] = false }
        return lengths
    }
}

extension Diagnostic {
    fileprivate static func useInCircle(_ names: [Located<String>]) -> Self {
        let first = names[0]
        if names.count == 1 {
            return Diagnostic(
                .refCycle, message: "condition `\(first.value)` uses itself", at: first.range,
                label: "the value of `\(first.value)` would depend on itself",
                subject: "condition `\(first.value)`",
                help: ["remove `\(first.value)` from its own expression"])
        }
        return Diagnostic(
            .refCycle, message: "conditions use each other in a cycle", at: first.range,
            label: "uses `\(names[1].value)`", subject: "condition `\(first.value)`",
            secondary: names.indices.dropFirst().prefix(circleLabels).map {
                Label("uses `\(names[($0 + 1) % names.count].value)`", at: names[$0].range)
            }, notes: ["cycle: \(circleText(names.map(\.value), joinedBy: "uses"))"],
            help: [
                "change one of these conditions to end the cycle; for example, remove"
                    + " `\(names[1].value)` from `\(first.value)`"
            ])
    }

    fileprivate static func chainTooLong(
        _ name: Located<String>, length: Int, limit: Int
    ) -> Self {
        Diagnostic(
            .conditionCost, message: "more than \(limit) conditions use each other in a chain",
            at: name.range,
            label: "the first of \(length) conditions", subject: "condition `\(name.value)`",
            help: ["combine some of these conditions into one expression"])
    }
}

// Finds the keys that have a value wherever a named condition that reads them is used.
extension RuleCompiler {
    /// Compiles a named condition. It is reported that the condition may fail only if one of its
    /// uses does not rule that out.
    mutating func compileNamed(_ model: NamedConditionModel) -> Condition? {
        about("condition `\(model.name.value)`", at: model.name.range) { $0.guarded(model) }
    }

    private mutating func guarded(_ model: NamedConditionModel) -> Condition? {
        var before = Diagnostics()
        decoder.startOver(with: &before)
        let compiled = compile(model.condition)
        var found = Diagnostics()
        decoder.startOver(with: &found)
        decoder.startOver(with: &before)
        guard found.list.contains(where: { $0.check == .conditionMayError }) else {
            decoder.report(contentsOf: found)
            return compiled
        }
        let names = presentAtAll(usesOf: model.name.value)
        guard !names.isEmpty else {
            decoder.report(contentsOf: found)
            return compiled
        }
        return compile(model.condition, in: outside.presuming(names))
    }

    /// Notes the definitions of named conditions that are maps; the other definitions are known
    /// from the start.
    mutating func defineMapConditions() {
        var definitions: [(String, Expression)] = []
        for entry in model.conditions.entries {
            if case .expression = entry.condition.form { continue }
            guard let expression = expression(of: entry.condition) else { continue }
            definitions.append((entry.name.value, expression))
        }
        if !definitions.isEmpty { define(definitions) }
    }

    /// The names that have a value wherever a named condition is used.
    mutating func presentAtAll(usesOf name: String) -> Set<String> {
        var all = uses.take() ?? usesOfConditions
        defer { uses = all }
        return all.presentAtAll(usesOf: name)
    }

    private var usesOfConditions: ConditionUses {
        var uses = ConditionUses(of: model.conditions.names, in: outside.environment)
        for (user, condition) in conditionsByUser {
            guard let expression = expression(of: condition) else { continue }
            uses.add(expression, of: user)
        }
        return uses
    }

    /// All conditions, with the name of those that have one.
    private var conditionsByUser: [(user: String?, condition: ConditionModel)] {
        var all: [(String?, ConditionModel)] = []
        for entry in model.conditions.entries { all.append((entry.name.value, entry.condition)) }
        for group in model.groups.entries {
            if let when = group.when { all.append((nil, when.value)) }
        }
        for index in model.popups.entries.indices {
            all += model.popups.entries[index].conditions.map { (nil, $0) }
        }
        return all
    }

    /// The syntax of a condition in any form; its mistakes are reported elsewhere.
    private func expression(of condition: ConditionModel) -> Expression? {
        if case .expression(let expression) = condition.form { return expression }
        let source = model.sources[condition.range.file]
        // This scope has more names than other conditions may use: wrong names are reported
        // elsewhere.
        let scope = outside.atDismissal(of: model)
        var builder = ConditionBuilder(scope, decoder: Decoder(source, limits: limits))
        let expression = builder.build(condition)
        return builder.isBroken ? nil : expression
    }
}

extension PopupModel {
    /// All its conditions, those of triggers included.
    fileprivate var conditions: [ConditionModel] {
        var all = [when, dismissWhen].compactMap { $0?.value }
        all += (timing.schedule?.value ?? []).compactMap { $0.value.when?.value }
        for case .event(let event) in trigger?.value.map(\.value) ?? [] {
            if let condition = event.where { all.append(condition.value) }
        }
        all += (limits.goals?.value ?? []).compactMap { $0.value.where?.value }
        return all
    }
}
