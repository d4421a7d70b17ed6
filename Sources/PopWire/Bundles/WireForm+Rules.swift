internal import PopCEL
internal import PopScheduler
internal import PopSource

// The other entries of a rule set.

extension WireForm<SchedulerRule> {
    static let scheduler = object(
        [
            WireKey(
                "name", form: .text, isRequired: true, value: { $0.name }, store: { $0.name = $1 }),
            WireKey(
                "strategy", form: .word, isRequired: true, value: { $0.strategy },
                store: { $0.strategy = $1 }),
            WireKey(
                "tieBreak", form: .word, isRequired: true, value: { $0.tieBreak },
                store: { $0.tieBreak = $1 }),
            WireKey(
                "gap", form: .gap, value: { $0.gap == .zero ... .zero ? nil : $0.gap },
                store: { $0.gap = $1 }),
            WireKey(
                "maxWaiting", form: .count, value: { $0.maxWaiting }, store: { $0.maxWaiting = $1 }),
            WireKey("cap", form: .window, value: { $0.cap }, store: { $0.cap = $1 }),
        ], from: SchedulerRule(name: ""))
}

extension WireForm<ContextKey> {
    static let contextKey = object(
        [
            WireKey(
                "name", form: .text, isRequired: true, value: { $0.name }, store: { $0.name = $1 }),
            WireKey(
                "type", form: .type, isRequired: true, value: { $0.type }, store: { $0.type = $1 }),
            WireKey(
                "defaultValue", form: .value, value: { $0.defaultValue },
                store: { $0.defaultValue = $1 }),
            WireKey(
                "allowedValues", form: .list(of: .value), value: { $0.allowedValues },
                store: { $0.allowedValues = $1 }),
            WireKey("minimum", form: .value, value: { $0.minimum }, store: { $0.minimum = $1 }),
            WireKey("maximum", form: .value, value: { $0.maximum }, store: { $0.maximum = $1 }),
            WireKey(
                "isMomentary", form: .flag, since: 2, value: { $0.isMomentary ? true : nil },
                store: { $0.isMomentary = $1 }),
        ], from: ContextKey(name: "", type: .dyn, at: .none))
}

extension WireForm<EventRule.Field> {
    fileprivate static let field = object(
        [
            WireKey(
                "name", form: .text, isRequired: true, value: { $0.name }, store: { $0.name = $1 }),
            WireKey(
                "type", form: .type, isRequired: true, value: { $0.type }, store: { $0.type = $1 }),
        ], from: EventRule.Field(name: "", type: .dyn))
}

extension WireForm<EventRule> {
    static let event = object(
        [
            WireKey(
                "name", form: .text, isRequired: true, value: { $0.name }, store: { $0.name = $1 }),
            WireKey(
                "fields", form: .list(of: .field), isRequired: true, value: { $0.fields },
                store: { $0.fields = $1 }),
        ], from: EventRule(name: "", fields: [], at: .none))
}

extension WireForm<GroupRule> {
    static let group = object(
        [
            WireKey(
                "name", form: .text, isRequired: true, value: { $0.name }, store: { $0.name = $1 }),
            WireKey("when", form: .condition, value: { $0.when }, store: { $0.when = $1 }),
            WireKey(
                "cap", form: .window, value: { $0.caps.count == 1 ? $0.caps[0] : nil },
                store: { $0.caps = [$1] }),
            WireKey(
                "caps", form: .list(of: .window), since: 2,
                value: { $0.caps.count > 1 ? $0.caps : nil }, store: { $0.caps = $1 }),
        ], from: GroupRule(name: "", at: .none))
}

extension WireForm<LimitRule> {
    static let limit = object(
        [
            WireKey(
                "cap", form: .window, isRequired: true, since: 2, value: { $0.cap },
                store: { $0.cap = $1 }),
            .schedulers(of: { $0.popups }, store: { $0.popups.schedulers = $1 }),
            .tags(of: { $0.popups }, store: { $0.popups.tags = $1 }),
        ], from: LimitRule(WindowCap(max: 1, per: .session)))
}

extension WireForm<QuietRule> {
    static let quiet = object(
        [
            WireKey(
                "hours", form: .hours, isRequired: true, since: 2, value: { $0.hours },
                store: { $0.hours = $1 }),
            WireKey(
                "zone", form: .zone, since: 2, value: { $0.zone }, store: { $0.zone = $1 }),
            .schedulers(of: { $0.popups }, store: { $0.popups.schedulers = $1 }),
            .tags(of: { $0.popups }, store: { $0.popups.tags = $1 }),
        ], from: QuietRule(Schedule.Hours(from: 0, until: 1)))
}

// The popups that a part of the rules applies to.
extension WireKey {
    fileprivate static func schedulers(
        of popups: @escaping @Sendable (Target) -> PopupSelection,
        store: @escaping @Sendable (inout Target, [LaneIndex]) -> Void
    ) -> Self {
        WireKey(
            "schedulers", form: .list(of: .place { $0.counts.schedulers }), since: 2,
            value: { popups($0).schedulers.unlessEmpty }, store: store)
    }

    fileprivate static func tags(
        of popups: @escaping @Sendable (Target) -> PopupSelection,
        store: @escaping @Sendable (inout Target, [String]) -> Void
    ) -> Self {
        WireKey(
            "tags", form: .list(of: .text), since: 2, value: { popups($0).tags.unlessEmpty },
            store: store)
    }
}

extension WireForm<NamedCondition> {
    static let namedCondition = WireForm(
        written: { named in
            let condition = WireForm<Condition>.condition.written(named.condition)
            return Written(
                json: .object(["name": .string(named.name), "cel": condition.json]),
                version: condition.version)
        },
        read: { json, reader throws(BundleError) in
            guard let name = json["name"], let text = json["cel"] else {
                throw .damaged("a condition has no name or expression")
            }
            return NamedCondition(
                name: try WireForm<String>.text.read(name, &reader),
                condition: try WireForm<Condition>.condition.read(text, &reader))
        })
}

extension WireForm<TemplateRule.Action> {
    fileprivate static let action = object(
        [
            WireKey(
                "name", form: .text, isRequired: true, since: 2, value: { $0.name },
                store: { $0.name = $1 }),
            WireKey(
                "isRefusal", form: .flag, since: 2, value: { $0.isRefusal ? true : nil },
                store: { $0.isRefusal = $1 }),
        ], from: TemplateRule.Action(name: ""))
}

extension WireForm<TemplateRule> {
    static let template = object(
        [
            WireKey(
                "name", form: .text, isRequired: true, since: 2, value: { $0.name },
                store: { $0.name = $1 }),
            WireKey(
                "actions", form: .list(of: .action), since: 2, value: { $0.actions.unlessEmpty },
                store: { $0.actions = $1 }),
            WireKey(
                "localizedFields", form: .list(of: .text), since: 2,
                value: { $0.localizedFields.unlessEmpty }, store: { $0.localizedFields = $1 }),
        ], from: TemplateRule(name: "", at: .none))
}

extension WireForm<Holdout> {
    static let holdout = object(
        [
            WireKey(
                "percent", form: .percent, isRequired: true, since: 2, value: { $0.percent },
                store: { $0.percent = $1 }),
            WireKey(
                "key", form: .place { $0.counts.keys }, isRequired: true, since: 2,
                value: { $0.key }, store: { $0.key = $1 }),
            WireKey(
                "salt", form: .text, isRequired: true, since: 2, value: { $0.salt },
                store: { $0.salt = $1 }),
        ], from: Holdout(percent: 0, key: 0))
}

extension WireForm<Locales> {
    static let locales = object(
        [
            WireKey(
                "key", form: .place { $0.counts.keys }, isRequired: true, since: 2,
                value: { $0.key },
                store: { $0.key = $1 }),
            WireKey(
                "fallback", form: .text, isRequired: true, since: 2, value: { $0.fallback },
                store: { $0.fallback = $1 }),
        ], from: Locales(key: 0, fallback: ""))
}
