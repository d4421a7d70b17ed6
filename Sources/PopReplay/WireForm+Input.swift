package import PopCEL
package import PopScheduler
package import PopSource
package import PopWire

/// In an extension of `WireForm`, `Value` is the type of the form.
private typealias Values = [String: PopCEL.Value]

extension WireForm<Event> {
    /// An object whose `input` is the name of the case, such as
    /// `{"input":"send","event":"order.placed"}`.
    static let input = WireForm(
        write: written,
        read: { json, reader throws(BundleError) in
            var fields = try WireFields(json)
            let name = try fields.take("input", form: WireForm<String>.text, reader: &reader)
            guard let event = try event(name, fields: &fields, reader: &reader) else {
                throw .damaged("`\(name)` is not an input")
            }
            try fields.end()
            return event
        })

    private static func written(_ event: Event) -> JSON {
        switch event {
        case .started: input("started")
        case .update(let values, let unset):
            input("update", ["set": write(values), "unset": write(unset)])
        case .send(let name, let payload):
            input("send", ["event": .string(name), "payload": write(payload)])
        case .enqueue(let popup): input("enqueue", ["popup": .string(popup)])
        case .force(let popup): input("force", ["popup": .string(popup)])
        case .enqueueForeign(let popup, let isTrue):
            input(
                "enqueueForeign",
                ["popup": WireForm<ForeignPopup>.foreign.write(popup), "isTrue": .bool(isTrue)])
        case .setForeign(let popup, let isTrue):
            input("setForeign", ["popup": .string(popup), "isTrue": .bool(isTrue)])
        case .dismiss(let popup): input("dismiss", ["popup": .string(popup)])
        case .remove(let popup): input("remove", ["popup": .string(popup)])
        case .removeAll: input("removeAll")
        case .suspend(let owner, let scheduler):
            input("suspend", ["by": write(owner), "scheduler": write(scheduler)])
        case .resume(let owner, let scheduler):
            input("resume", ["by": write(owner), "scheduler": write(scheduler)])
        case .switchUser(let user, let history, let context):
            input(
                "switchUser",
                [
                    "user": .string(user), "history": write(history),
                    "context": context.map(WireForm<Values>.values.write),
                ])
        case .forget(let user): input("forget", ["user": .string(user)])
        case .forgetPopup(let popup): input("forgetPopup", ["popup": .string(popup)])
        case .historyChanged(let history): input("historyChanged", ["history": write(history)])
        case .reload(let rules, let context):
            input("reload", ["bundle": rules.bundleJSON, "context": write(context)])
        case .zoneChanged(let zone): input("zoneChanged", ["zone": .string(zone)])
        case .forceArm(let popup, let arm):
            input("forceArm", ["popup": .string(popup), "arm": write(arm)])
        case .beginSession: input("beginSession")
        case .background: input("background")
        case .foreground: input("foreground")
        case .poke: input("poke")
        case .timePassed: input("timePassed")
        case .answered(let presentation, let answer):
            input(
                "answered",
                [
                    "presentation": write(presentation),
                    "answer": WireForm<WillShowAnswer>.answer.write(answer),
                ])
        case .didPresent(let presentation):
            input("didPresent", ["presentation": write(presentation)])
        case .presentFailed(let presentation, let message):
            input(
                "presentFailed",
                ["presentation": write(presentation), "message": .string(message)])
        case .didDismiss(let presentation):
            input("didDismiss", ["presentation": write(presentation)])
        case .userClosed(let popup): input("userClosed", ["popup": .string(popup)])
        case .acted(let popup, let action, let stays):
            input(
                "acted",
                [
                    "popup": .string(popup), "action": .string(action),
                    "stays": stays ? .bool(true) : nil,
                ])
        case .didDisappear(let popup): input("didDisappear", ["popup": .string(popup)])
        }
    }

    private static func input(
        _ name: String, _ members: KeyValuePairs<String, JSON?> = [:]
    ) -> JSON { .kind(name, under: "input", members) }

    private static func write(_ text: String?) -> JSON? { text.map { .string($0) } }
    private static func write(_ names: [String]) -> JSON? {
        names.isEmpty ? nil : .array(names.map { .string($0) })
    }
    private static func write(_ values: Values) -> JSON? {
        values.isEmpty ? nil : WireForm<Values>.values.write(values)
    }
    private static func write(_ history: History) -> JSON? {
        history == History() ? nil : WireForm<History>.history.write(history)
    }
    private static func write(_ presentation: PresentationID) -> JSON {
        WireForm<PresentationID>.presentation.write(presentation)
    }
}

// Reading.
extension WireForm<Event> {
    /// Returns nil if there is no input with the name.
    private static func event(
        _ name: String, fields: inout WireFields, reader: inout BundleReader
    ) throws(BundleError) -> Event? {
        if let event = plain[name] { return event }
        if let make = aboutOnePopup[name] {
            return make(try fields.take("popup", form: WireForm<String>.text, reader: &reader))
        }
        if let event = try call(name, fields: &fields, reader: &reader) { return event }
        if let event = try change(name, fields: &fields, reader: &reader) { return event }
        return try reply(name, fields: &fields, reader: &reader)
    }

    private static let plain: [String: Event] = [
        "started": .started, "removeAll": .removeAll, "poke": .poke, "timePassed": .timePassed,
        "beginSession": .beginSession, "background": .background, "foreground": .foreground,
    ]

    private static let aboutOnePopup: [String: @Sendable (String) -> Event] = [
        "enqueue": { .enqueue($0) }, "force": { .force($0) },
        "forgetPopup": { .forgetPopup($0) }, "dismiss": { .dismiss($0) }, "remove": { .remove($0) },
        "userClosed": { .userClosed($0) }, "didDisappear": { .didDisappear($0) },
    ]

    /// Reads a call of an app.
    private static func call(
        _ name: String, fields: inout WireFields, reader: inout BundleReader
    ) throws(BundleError) -> Event? {
        let text = WireForm<String>.text
        let values = WireForm<Values>.values
        switch name {
        case "update":
            return .update(
                try fields.takeIfPresent("set", form: values, reader: &reader) ?? [:],
                unset: try fields.takeIfPresent(
                    "unset", form: WireForm<[String]>.list(of: text), reader: &reader) ?? [])
        case "send":
            return .send(
                try fields.take("event", form: text, reader: &reader),
                payload: try fields.takeIfPresent("payload", form: values, reader: &reader) ?? [:])
        case "enqueueForeign":
            return .enqueueForeign(
                try fields.take("popup", form: WireForm<ForeignPopup>.foreign, reader: &reader),
                isTrue: try fields.take("isTrue", form: WireForm<Bool>.flag, reader: &reader))
        case "forceArm":
            return .forceArm(
                popup: try fields.take("popup", form: text, reader: &reader),
                arm: try fields.takeIfPresent("arm", form: text, reader: &reader))
        case "setForeign":
            return .setForeign(
                try fields.take("popup", form: text, reader: &reader),
                isTrue: try fields.take("isTrue", form: WireForm<Bool>.flag, reader: &reader))
        case "acted":
            return .acted(
                try fields.take("popup", form: text, reader: &reader),
                action: try fields.take("action", form: text, reader: &reader),
                stays: try fields.takeIfPresent(
                    "stays", form: WireForm<Bool>.flag, reader: &reader) ?? false)
        case "suspend":
            return .suspend(
                by: try fields.takeIfPresent("by", form: text, reader: &reader),
                scheduler: try fields.takeIfPresent("scheduler", form: text, reader: &reader))
        case "resume":
            return .resume(
                by: try fields.takeIfPresent("by", form: text, reader: &reader),
                scheduler: try fields.takeIfPresent("scheduler", form: text, reader: &reader))
        default: return nil
        }
    }

    /// Reads a change of the user, the history, the rules or the zone.
    private static func change(
        _ name: String, fields: inout WireFields, reader: inout BundleReader
    ) throws(BundleError) -> Event? {
        let text = WireForm<String>.text
        let values = WireForm<Values>.values
        switch name {
        case "switchUser":
            return .switchUser(
                try fields.take("user", form: text, reader: &reader),
                try fields.takeHistory(&reader),
                context: try fields.takeIfPresent("context", form: values, reader: &reader))
        case "zoneChanged":
            return .zoneChanged(try fields.take("zone", form: text, reader: &reader))
        case "forget": return .forget(try fields.take("user", form: text, reader: &reader))
        case "historyChanged":
            return .historyChanged(try fields.takeHistory(&reader))
        case "reload":
            return .reload(
                try fields.take("bundle", form: WireForm<RuleSet>.bundle, reader: &reader),
                context: try fields.takeIfPresent("context", form: values, reader: &reader) ?? [:])
        default: return nil
        }
    }

    /// Reads an answer of a presenter.
    private static func reply(
        _ name: String, fields: inout WireFields, reader: inout BundleReader
    ) throws(BundleError) -> Event? {
        let presentation = WireForm<PresentationID>.presentation
        switch name {
        case "answered":
            return .answered(
                try fields.take("presentation", form: presentation, reader: &reader),
                try fields.take("answer", form: WireForm<WillShowAnswer>.answer, reader: &reader))
        case "didPresent":
            return .didPresent(
                try fields.take("presentation", form: presentation, reader: &reader))
        case "presentFailed":
            return .presentFailed(
                try fields.take("presentation", form: presentation, reader: &reader),
                message: try fields.take("message", form: WireForm<String>.text, reader: &reader))
        case "didDismiss":
            return .didDismiss(
                try fields.take("presentation", form: presentation, reader: &reader))
        default: return nil
        }
    }
}

// The parts of inputs.

extension WireForm<[String: Value]> {
    package static let values = WireForm.entries(of: .value)
}

extension WireForm<RuleSet> {
    /// A whole bundle inside another object, or the text of a bundle: JavaScript and others write
    /// numbers differently from how they read them, such as 50 for 50.0, which changes the
    /// checksum.
    static let bundle = WireForm(
        write: { $0.bundleJSON },
        read: { json, reader throws(BundleError) in
            if let text = json.text {
                try RuleSet(bundle: text.utf8, limits: reader.limits)
            } else {
                try RuleSet(bundle: json, limits: reader.limits)
            }
        })
}

extension WireForm<Moment> {
    /// The time since the start, for timers, and the date, for the calendar.
    static let moment = object(
        [
            WireKey(
                "instant", form: .duration, isRequired: true, value: { $0.instant },
                store: { $0.instant = $1 }),
            WireKey(
                "date", form: .date, isRequired: true, value: { $0.date }, store: { $0.date = $1 }),
        ], from: Moment(instant: .zero, date: Timestamp(seconds: 0)))
}

extension WireForm<PresentationID> {
    /// A presentation. Its task is identified by its number, which is the same in the scheduler
    /// that assigned it.
    static let presentation = WireForm(
        write: { presentation in
            .object([
                "popup": .string(presentation.task.popup),
                "scheduler": .string(presentation.task.scheduler),
                "task": .int(presentation.task.number), "turn": .int(presentation.turn),
            ])
        },
        read: { json, reader throws(BundleError) in
            var fields = try WireFields(json)
            let text = WireForm<String>.text
            let task = TaskID(
                popup: try fields.take("popup", form: text, reader: &reader),
                scheduler: try fields.take("scheduler", form: text, reader: &reader),
                number: try fields.take("task", form: WireForm<Int>.ordinal, reader: &reader))
            let turn = try fields.take("turn", form: WireForm<Int>.ordinal, reader: &reader)
            try fields.end()
            return PresentationID(task: task, turn: turn)
        })
}

extension WireForm<WillShowAnswer> {
    /// `show`, `cancel`, or an object with the time for which it is postponed.
    static let answer = WireForm(
        write: { answer in
            switch answer {
            case .show: "show"
            case .cancel: "cancel"
            case .postpone(let duration):
                .object(["postpone": WireForm<Duration>.duration.write(duration)])
            }
        },
        read: { json, reader throws(BundleError) in
            switch json {
            case "show": return .show
            case "cancel": return .cancel
            case .null, .bool, .int, .uint, .double, .string, .array, .object:
                var fields = try WireFields(json)
                let duration = WireForm<Duration>.duration
                let time = try fields.take("postpone", form: duration, reader: &reader)
                try fields.end()
                return .postpone(time)
            }
        })
}

extension WireForm<ForeignPopup> {
    static let foreign = object(
        [
            WireKey("id", form: .text, isRequired: true, value: { $0.id }, store: { $0.id = $1 }),
            WireKey(
                "scheduler", form: .text, isRequired: true, value: { $0.scheduler },
                store: { $0.scheduler = $1 }),
            WireKey(
                "priority", form: .number, isRequired: true, value: { $0.priority },
                store: { $0.priority = $1 }),
            WireKey(
                "untriggered", form: .word, value: { $0.untriggered },
                store: { $0.untriggered = $1 }),
            WireKey("switch", form: .word, value: { $0.switch }, store: { $0.switch = $1 }),
            WireKey("delay", form: .duration, value: { $0.delay }, store: { $0.delay = $1 }),
            WireKey("grace", form: .duration, value: { $0.grace }, store: { $0.grace = $1 }),
            WireKey("minShow", form: .duration, value: { $0.minShow }, store: { $0.minShow = $1 }),
            WireKey(
                "hideAfter", form: .duration, value: { $0.hideAfter }, store: { $0.hideAfter = $1 }),
            WireKey("maxWait", form: .duration, value: { $0.maxWait }, store: { $0.maxWait = $1 }),
            WireKey(
                "isShownByApp", form: .flag, value: { $0.isShownByApp },
                store: { $0.isShownByApp = $1 }),
            WireKey("content", form: .value, value: { $0.content }, store: { $0.content = $1 }),
        ], from: ForeignPopup(id: ""))
}

extension Event {
    /// The input in the form that `replay` reads, without its time.
    package var wire: JSON { WireForm<Event>.input.write(self) }
}

extension History {
    /// The history in the form that `replay` reads.
    package var wire: JSON { WireForm<History>.history.write(self) }
}

/// Returns the values of a context or a payload in the form that `replay` reads.
package func wireValues(_ values: [String: Value]) -> JSON {
    WireForm<[String: Value]>.values.write(values)
}
