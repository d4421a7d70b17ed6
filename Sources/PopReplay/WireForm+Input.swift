internal import PopCEL
internal import PopScheduler
internal import PopSource
internal import PopWire

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

// MARK: Reading

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
