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
        compile(model, limits: limits, keepsModel: true) {}
    }

    /// The rules with one expression more, which may name whatever a condition may and have any
    /// type.
    package static func compile(
        _ model: RuleModel, with expression: Expression
    ) -> Checked<(rules: RuleSet, program: Program)> {
        var model = model
        model.conditionsMentionHistory = true
        var compiler = RuleCompiler(model, limits: .standard)
        var rules = compiler.rules(keepsModel: true) {}
        let found = compiler.decoder.diagnostics
        guard let program = compiler.compile(value: expression) else {
            let own = compiler.decoder.diagnostics.list.dropFirst(found.list.count)
            return Checked(nil, diagnostics: Diagnostics(Array(own)))
        }
        rules.slots = compiler.slotMeanings()
        return Checked((rules, program))
    }

    /// A model that is not kept loses its popups as they are compiled. `check` is called again and
    /// again while one is kept, and can end the work by throwing.
    static func compile(
        _ model: consuming RuleModel, limits: RuleFileLimits, keepsModel: Bool,
        check: () throws -> Void
    ) rethrows -> Checked<RuleSet> {
        var compiler = RuleCompiler(model, limits: limits)
        let rules = try compiler.rules(keepsModel: keepsModel, check: check)
        return Checked(rules, diagnostics: compiler.decoder.diagnostics)
    }
}

extension RuleCompiler {
    fileprivate mutating func rules(
        keepsModel: Bool, check: () throws -> Void
    ) rethrows -> RuleSet {
        var rules = RuleSet()
        rules.schedulers = model.schedulers.entries.map { scheduler($0) }
        rules.keys = model.context.entries.map(ContextKey.init)
        rules.events = model.events.entries.map(EventRule.init)
        let conditions = namedConditions()
        decoder.report(contentsOf: conditions.chains)
        rules.conditions = conditions.rules
        rules.groups = model.groups.entries.map { group($0) }
        rules.popups = try popups(conditions, keepsModel: keepsModel, check: check)
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
            at: range, label: "an empty period",
            help: ["write `00:00-24:00` to mean the whole day, or remove `quiet`"],
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
                "`limits` has too many entries: \(rules.limits.count), for \(rules.popups.count)"
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
