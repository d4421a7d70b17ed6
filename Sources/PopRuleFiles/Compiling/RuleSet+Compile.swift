internal import PopCEL
public import PopScheduler
public import PopSource

extension RuleSet {
    /// Compiles the conditions of a linked model and turns names into positions: what the scheduler
    /// runs.
    ///
    /// What has errors is left out or never true, so that the rest can be looked at; `get()`
    /// refuses it.
    public static func compile(
        _ model: RuleModel, limits: RuleFileLimits = .standard
    ) -> Checked<RuleSet> {
        compile(model, limits: limits, keepsModel: true)
    }

    /// A model that is not kept loses its popups as they are compiled.
    static func compile(
        _ model: consuming RuleModel, limits: RuleFileLimits, keepsModel: Bool
    ) -> Checked<RuleSet> {
        var compiler = Compiler(model, limits: limits)
        var rules = RuleSet()
        rules.schedulers = compiler.model.schedulers.entries.map(SchedulerRule.init)
        rules.keys = compiler.model.context.entries.map(ContextKey.init)
        rules.events = compiler.model.events.entries.map(EventRule.init)
        let conditions = compiler.namedConditions()
        rules.conditions = conditions.rules
        rules.groups = compiler.model.groups.entries.map { compiler.group($0) }
        rules.popups = compiler.popups(conditions, keepsModel: keepsModel)
        rules.slots = compiler.slotMeanings()
        return Checked(rules, compiler.decoder.diagnostics)
    }
}

extension SchedulerRule {
    fileprivate init(_ model: SchedulerModel) {
        self.init(
            name: model.name.value, strategy: model.strategy?.value ?? .priority,
            tieBreak: model.tieBreak?.value ?? .fifo, gap: model.gap?.value ?? .zero ... .zero,
            maxWaiting: model.maxWaiting?.value, cap: model.cap.flatMap { WindowCap($0.value) })
    }
}

extension WindowCap {
    /// Nil when a part is missing, which has been reported.
    init?(_ model: WindowCapModel) {
        guard let max = model.max, let per = model.per else { return nil }
        self.init(max: max.value, per: per.value)
    }
}

extension ContextKey {
    fileprivate init(_ model: ContextKeyModel) {
        self.init(
            name: model.name.value, type: model.type?.value ?? .dyn,
            defaultValue: model.defaultValue?.value,
            allowedValues: model.allowedValues?.value.map(\.value),
            minimum: model.minimum?.value, maximum: model.maximum?.value, at: model.name.range)
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
