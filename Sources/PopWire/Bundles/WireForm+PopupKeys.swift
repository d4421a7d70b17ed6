internal import PopCEL
internal import PopScheduler

extension WireForm<PopupRule> {
    static let popup = object(
        popupKeys, from: PopupRule(id: "", at: .none))
}

/// The members of a popup in bundles: one for each field of its rule.
let popupKeys: [WireKey<PopupRule>] =
    popupPlace + popupConditions + popupTiming + popupLimits + popupContent

private let popupPlace: [WireKey<PopupRule>] = [
    WireKey("id", form: .text, isRequired: true, value: { $0.id }, store: { $0.id = $1 }),
    WireKey(
        "isOff", form: .flag, value: { $0.isEnabled ? nil : true }, store: { $0.isEnabled = !$1 }),
    WireKey(
        "scheduler", form: .place { $0.counts.schedulers },
        value: { $0.scheduler == 0 ? nil : $0.scheduler }, store: { $0.scheduler = $1 }),
    WireKey(
        "group", form: .place { $0.counts.groups }, value: { $0.group }, store: { $0.group = $1 }
    ),
    WireKey(
        "priority", form: .priority,
        value: { $0.priority == PopupRule.normalPriority ? nil : $0.priority },
        store: { $0.priority = $1 }),
    WireKey(
        "untriggered", form: .word, value: { $0.untriggered == .await ? nil : $0.untriggered },
        store: { $0.untriggered = $1 }),
    WireKey(
        "switch", form: .word, value: { $0.switch == .await ? nil : $0.switch },
        store: { $0.switch = $1 }),
    WireKey(
        "isUrgent", form: .flag, since: 2, value: { $0.isUrgent ? true : nil },
        store: { $0.isUrgent = $1 }),
    WireKey(
        "isEssential", form: .flag, since: 2, value: { $0.isEssential ? true : nil },
        store: { $0.isEssential = $1 }),
    WireKey(
        "after", form: .list(of: .predecessor), value: { $0.after.unlessEmpty },
        store: { $0.after = $1 }),
]

private let popupConditions: [WireKey<PopupRule>] = [
    WireKey(
        "triggers", form: .list(of: .trigger), isRequired: true, value: { $0.triggers },
        store: { $0.triggers = $1 }),
    WireKey("when", form: .condition, value: { $0.when }, store: { $0.when = $1 }),
    WireKey(
        "dismissWhen", form: .condition, value: { $0.dismissWhen }, store: { $0.dismissWhen = $1 }),
    WireKey(
        "goals", form: .list(of: .goal), since: 2, value: { $0.goals.unlessEmpty },
        store: { $0.goals = $1 }),
]

private let popupTiming: [WireKey<PopupRule>] = [
    WireKey(
        "delay", form: .span, value: { $0.timing.delay == .zero ... .zero ? nil : $0.timing.delay },
        store: { $0.timing.delay = $1 }),
    WireKey(
        "grace", form: .length, value: { $0.timing.grace.unlessZero },
        store: { $0.timing.grace = $1 }),
    WireKey(
        "minShow", form: .length, value: { $0.timing.minShow.unlessZero },
        store: { $0.timing.minShow = $1 }),
    WireKey(
        "hideAfter", form: .positiveLength, value: { $0.timing.hideAfter },
        store: { $0.timing.hideAfter = $1 }),
    WireKey(
        "maxWait", form: .positiveLength, value: { $0.timing.maxWait },
        store: { $0.timing.maxWait = $1 }),
    WireKey(
        "schedule", form: .schedule, value: { $0.timing.schedule.unlessEmpty },
        store: { $0.timing.schedule = $1 }),
]

private let popupLimits: [WireKey<PopupRule>] = [
    WireKey(
        "lifetimeCap", form: .count, value: { $0.caps.lifetime }, store: { $0.caps.lifetime = $1 }),
    WireKey(
        "sessionCap", form: .count, value: { $0.caps.perSession },
        store: { $0.caps.perSession = $1 }),
    WireKey(
        "every", form: .positiveLength, value: { $0.caps.every }, store: { $0.caps.every = $1 }),
    WireKey(
        "closes", form: .count, since: 2, value: { $0.caps.closes },
        store: { $0.caps.closes = $1 }),
    WireKey(
        "closesPer", form: .place { $0.counts.keys }, since: 2, value: { $0.caps.closesPer },
        store: { $0.caps.closesPer = $1 }),
    WireKey(
        "afterClose", form: .pause, since: 2, value: { $0.caps.afterClose },
        store: { $0.caps.afterClose = $1 }),
    WireKey(
        "windows", form: .list(of: .window), value: { $0.caps.windows.unlessEmpty },
        store: { $0.caps.windows = $1 }),
    WireKey(
        "rollout", form: .rollout, value: { $0.audience.rollout },
        store: { $0.audience.rollout = $1 }),
    WireKey(
        "experiment", form: .experiment, since: 2, value: { $0.experiment },
        store: { $0.audience.experiment = $1 }),
]

private let popupContent: [WireKey<PopupRule>] = [
    WireKey("template", form: .text, value: { $0.template }, store: { $0.template = $1 }),
    WireKey(
        "content", form: .value, value: { $0.content == .map([:]) ? nil : $0.content },
        store: { $0.content = $1 }),
    WireKey(
        "description", form: .text, value: { $0.texts.description },
        store: { $0.texts.description = $1 }),
    WireKey("owner", form: .text, value: { $0.texts.owner }, store: { $0.texts.owner = $1 }),
    WireKey(
        "tags", form: .list(of: .text), value: { $0.texts.tags.unlessEmpty },
        store: { $0.texts.tags = $1 }),
]

extension Duration {
    fileprivate var unlessZero: Duration? { self == .zero ? nil : self }
}
