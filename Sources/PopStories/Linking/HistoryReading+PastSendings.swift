internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
internal import PopSource
internal import PopYAML

/// The number of times, or the dates, at which the app sent an event before.
struct PastOfEvent: Sendable {
    var sent: Located<PastSendings>?
    var last: Located<PastTime>?

    /// The number or the times of the events, without their payloads.
    var times: Located<PastTimes>? { sent.map { Located($0.value.times, at: $0.range) } }
}

extension Table<PastOfEvent> {
    static let event = Table(
        "an event's history",
        keys: [
            Key(
                "sent", format: .pastSendings, store: { $0.sent = $1 },
                summary: "how often it was sent, or a list of the times, with payloads or without"
            ).such(as: "[{ at: -1h, payload: { total: 8.0 } }]"),
            Key(
                "last", format: .pastTime, store: { $0.last = $1 },
                summary: "when it was last sent, such as `-3d`; by default just now"),
        ])
}

extension HistoryReading {
    /// Keeps each time at which an event was sent, and the payload values that conditions sum.
    func add(
        _ past: PastOfEvent, of event: EventRule, to history: inout History,
        with decoder: inout Decoder
    ) {
        guard case .each(let sendings)? = past.sent?.value else {
            for date in dates(past.times?.value, last: past.last?.value) {
                history.apply(.event(name: event.name, date: date))
            }
            return
        }
        for sending in sendings {
            guard let time = sending.at else { continue }
            let amounts = amounts(sending.payload?.value, of: event, with: &decoder)
            history.apply(
                .event(name: event.name, date: date(time.value), amounts: amounts))
        }
    }

    private func amounts(
        _ payload: YAMLNode?, of event: EventRule, with decoder: inout Decoder
    ) -> [String: Value] {
        guard let payload else { return [:] }
        let values = decoder.payload(payload, of: event)
        let summed = rules.summedFields[event.name] ?? []
        for entry in payload.entries {
            guard let field = entry.key.scalar?.text, values[field] != nil,
                !summed.contains(field)
            else { continue }
            decoder.report(
                .notAddedUp(Located(field, at: entry.key.range), of: event.name, among: summed))
        }
        return values.amounts(of: summed)
    }
}

extension Diagnostic {
    fileprivate static func notAddedUp(
        _ field: Located<String>, of event: String, among summed: Set<String>
    ) -> Self {
        let names = summed.sorted().map { "`\($0)`" }.joined(separator: ", ")
        return Diagnostic(
            .testNoEffect,
            message: "no condition sums `\(field.value)` of `\(event)`", at: field.range,
            label: "without effect",
            help: [
                "remove it: past payloads keep only the fields that `event_sum` sums"
                    + (summed.isEmpty ? "" : ": \(names)")
            ])
    }
}
