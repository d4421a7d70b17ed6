package import PopCEL
internal import PopScheduler
internal import PopSource
package import PopWire

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
