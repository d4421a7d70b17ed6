internal import PopBacktest
internal import PopCEL
internal import PopReplay
internal import PopScheduler
internal import PopSource
internal import PopWire

extension WireForm<UserState> {
    /// The state from which a user's replay continues, for callers that play a log in parts. Events
    /// of a session that is not over are written by the names of the log, so that another plan can
    /// read them.
    static func state(_ plan: LogPlan) -> WireForm {
        object(
            [
                WireKey(
                    "history", form: .history,
                    value: { $0.history == History() ? nil : $0.history },
                    store: { $0.history = $1 }),
                WireKey(
                    "context", form: .values, value: { $0.context.unlessEmpty },
                    store: { $0.context = $1 }),
                WireKey(
                    "open", form: .list(of: .logEvent(plan)), value: { $0.open.unlessEmpty },
                    store: { $0.open = $1 }),
                WireKey("week", form: .number, value: { $0.week }, store: { $0.week = $1 }),
                WireKey(
                    "shownInWeek", form: .number,
                    value: { $0.shownInWeek == 0 ? nil : $0.shownInWeek },
                    store: { $0.shownInWeek = $1 }),
                WireKey("day", form: .number, value: { $0.day }, store: { $0.day = $1 }),
            ], from: UserState())
    }
}

/// An event by the names of the log.
private struct NamedEvent {
    var time: Int64 = 0
    var order: Int64 = 0
    var name = ""
    var insertion: Int64 = 0
    var fields: [String: LogScalar] = [:]
}

extension WireForm<LogEvent> {
    fileprivate static func logEvent(_ plan: LogPlan) -> WireForm {
        let form = WireForm<NamedEvent>.namedEvent
        return WireForm(
            write: { event in
                form.write(
                    NamedEvent(
                        time: event.time, order: event.order,
                        name: plan.readings[event.reading].name,
                        insertion: Int64(bitPattern: event.insertion),
                        fields: plan.fields(of: event)))
            },
            read: { json, reader throws(BundleError) in
                let event = try form.read(json, &reader)
                let reading = plan.reading(of: event.name)
                return LogEvent(
                    time: event.time, order: event.order, reading: reading,
                    insertion: UInt64(bitPattern: event.insertion),
                    fields: plan.encode(event.fields, of: reading))
            })
    }
}

extension WireForm<NamedEvent> {
    fileprivate static let namedEvent = object(
        [
            WireKey(
                "time", form: .number, isRequired: true, value: { $0.time },
                store: { $0.time = $1 }),
            WireKey(
                "order", form: .number, value: { $0.order == 0 ? nil : $0.order },
                store: { $0.order = $1 }),
            WireKey(
                "event", form: .text, value: { $0.name.unlessEmpty }, store: { $0.name = $1 }),
            WireKey(
                "insertion", form: .number, value: { $0.insertion == 0 ? nil : $0.insertion },
                store: { $0.insertion = $1 }),
            WireKey(
                "fields", form: .entries(of: .scalar), value: { $0.fields.unlessEmpty },
                store: { $0.fields = $1 }),
        ], from: NamedEvent())
}

extension WireForm<LogScalar> {
    fileprivate static let scalar = WireForm(
        write: { $0.json }, read: { json, _ throws(BundleError) in LogScalar(json) })
}
