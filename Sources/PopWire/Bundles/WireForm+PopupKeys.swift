internal import PopCEL
internal import PopScheduler
internal import PopSource

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

// Parts that depend on user actions on popups.

/// A popup that another comes after, as a bundle writes it: its index, or an object.
extension WireForm<Predecessor> {
    static let predecessor = WireForm(
        written: { predecessor in
            predecessor == Predecessor(predecessor.popup)
                ? WireForm<PopupIndex>.place { $0.counts.popups }.written(predecessor.popup)
                : asked.written(predecessor)
        },
        read: { json, reader throws(BundleError) in
            if case .object = json { return try asked.read(json, &reader) }
            let place = WireForm<PopupIndex>.place { $0.counts.popups }
            return Predecessor(try place.read(json, &reader))
        })

    private static let asked = object(
        [
            WireKey(
                "popup", form: .place { $0.counts.popups }, isRequired: true, since: 2,
                value: { $0.popup }, store: { $0.popup = $1 }),
            WireKey(
                "action", form: .text, since: 2, value: { $0.action }, store: { $0.action = $1 }),
            WireKey(
                "since", form: .positiveLength, since: 2,
                value: { $0.since == .zero ? nil : $0.since }, store: { $0.since = $1 }),
        ], from: Predecessor(0))
}

extension WireForm<PauseAfterClose> {
    static let pause = object(
        [
            WireKey(
                "close", form: .length, isRequired: true, since: 2, value: { $0.close },
                store: { $0.close = $1 }),
            WireKey(
                "actions", form: .list(of: .pauseAfterAction), since: 2,
                value: { pause in
                    pause.actions.ordered { $0.key < $1.key }
                        .map { PauseAfterAction(action: $0.key, pause: $0.value) }.unlessEmpty
                },
                store: { pause, actions in
                    for entry in actions { pause.actions[entry.action] = entry.pause }
                }),
        ], from: PauseAfterClose())
}

private struct PauseAfterAction: Sendable {
    var action = ""
    var pause = Duration.zero
}

extension WireForm<PauseAfterAction> {
    fileprivate static let pauseAfterAction = object(
        [
            WireKey(
                "action", form: .text, isRequired: true, since: 2, value: { $0.action },
                store: { $0.action = $1 }),
            WireKey(
                "pause", form: .positiveLength, isRequired: true, since: 2, value: { $0.pause },
                store: { $0.pause = $1 }),
        ], from: PauseAfterAction())
}

extension WireForm<Goal> {
    static let goal = WireForm(
        written: { object(keys(of: nil), from: unnamed).written($0) },
        read: { json, reader throws(BundleError) in
            let keys = keys(of: try reader.event(in: json))
            return try object(keys, from: unnamed).read(json, &reader)
        })

    private static let unnamed = Goal("", event: 0, within: .zero)

    /// Returns the members of a goal; `where` may read the fields of the event, so the event must
    /// be known first.
    private static func keys(of event: EventIndex?) -> [WireKey<Goal>] {
        [
            WireKey(
                "name", form: .text, isRequired: true, value: { $0.name }, store: { $0.name = $1 }),
            WireKey(
                "event", form: .place { $0.counts.events }, isRequired: true, value: { $0.event },
                store: { $0.event = $1 }),
            WireKey(
                "where", form: .condition(inside: event), value: { $0.where },
                store: { $0.where = $1 }),
            WireKey(
                "within", form: .positiveLength, isRequired: true, value: { $0.within },
                store: { $0.within = $1 }),
            WireKey("ends", form: .ending, value: { $0.ends }, store: { $0.ends = $1 }),
        ]
    }
}

extension WireForm<Goal.Ending> {
    /// `true`, or a duration.
    fileprivate static let ending = WireForm(
        written: { ending in
            switch ending {
            case .forGood: WireForm<Bool>.flag.written(true)
            case .pause(let duration): WireForm<Duration>.positiveLength.written(duration)
            }
        },
        read: { json, reader throws(BundleError) in
            if case .bool(true) = json { return .forGood }
            return .pause(try WireForm<Duration>.positiveLength.read(json, &reader))
        })
}

extension WireForm<Assignment.Arm> {
    fileprivate static let arm = object(
        [
            WireKey(
                "name", form: .text, isRequired: true, value: { $0.name }, store: { $0.name = $1 }),
            WireKey(
                "weight", form: .weight, value: { $0.weight == 1 ? nil : $0.weight },
                store: { $0.weight = $1 }),
        ], from: Assignment.Arm(""))
}

extension WireForm<Assignment.LayerPart> {
    fileprivate static let layerPart = object(
        [
            WireKey(
                "layer", form: .text, isRequired: true, value: { $0.layer },
                store: { $0.layer = $1 }),
            WireKey(
                "salt", form: .text, isRequired: true, value: { $0.salt }, store: { $0.salt = $1 }),
            WireKey(
                "range", form: .part, isRequired: true, value: { $0.range },
                store: { $0.range = $1 }),
        ], from: Assignment.LayerPart(of: "", salt: "", range: 0..<0))
}

extension WireForm<Range<Double>> {
    /// Two percents.
    fileprivate static let part = WireForm(
        write: { .array([$0.lowerBound, $0.upperBound].map { .double($0) }) },
        read: { json, reader throws(BundleError) in
            let bounds = try WireForm<[Double]>.list(of: .percent).read(json, &reader)
            guard bounds.count == 2, bounds[0] <= bounds[1] else {
                throw .damaged("a range of a layer is not valid")
            }
            return bounds[0]..<bounds[1]
        })
}

extension WireForm<Assignment> {
    fileprivate static let assignment = object(
        [
            WireKey(
                "key", form: .place { $0.counts.keys }, isRequired: true, value: { $0.key },
                store: { $0.key = $1 }),
            WireKey(
                "salt", form: .text, isRequired: true, value: { $0.salt }, store: { $0.salt = $1 }),
            WireKey("layer", form: .layerPart, value: { $0.layer }, store: { $0.layer = $1 }),
            WireKey(
                "share", form: .percent, value: { $0.share == 100 ? nil : $0.share },
                store: { $0.share = $1 }),
            WireKey(
                "control", form: .percentBelowAll, value: { $0.control == 0 ? nil : $0.control },
                store: { $0.control = $1 }),
            WireKey(
                "arms", form: .list(of: .arm), isRequired: true, value: { $0.arms },
                store: { $0.arms = $1 }),
        ], from: Assignment(key: 0, salt: "", arms: []))
}

extension WireForm<Experiment.Variant> {
    fileprivate static let variant = object(
        [
            WireKey(
                "name", form: .text, isRequired: true, value: { $0.name }, store: { $0.name = $1 }),
            WireKey(
                "template", form: .text, value: { $0.template }, store: { $0.template = $1 }),
            WireKey("content", form: .value, value: { $0.content }, store: { $0.content = $1 }),
        ], from: Experiment.Variant(""))
}

extension WireForm<Experiment> {
    static let experiment = object(
        [
            WireKey(
                "assignment", form: .assignment, isRequired: true, value: { $0.assignment },
                store: { $0.assignment = $1 }),
            WireKey(
                "variants", form: .list(of: .variant), value: { $0.variants.unlessEmpty },
                store: { $0.variants = $1 }),
            WireKey("name", form: .text, value: { $0.name }, store: { $0.name = $1 }),
        ], from: Experiment(Assignment(key: 0, salt: "", arms: [])))
}
