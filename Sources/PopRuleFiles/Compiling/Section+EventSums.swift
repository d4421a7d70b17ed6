internal import PopAdvice
internal import PopCEL
internal import PopScheduler
internal import PopSource

extension Section<EventModel> {
    /// The type of a field of the payload of an event; nil if the event has no such field, or its
    /// type cannot be read.
    func type(of field: String, in event: String) -> CELType? {
        self[event]?.fields.first { $0.name.value == field }?.type?.value
    }

    /// Returns the mistakes in the field that a call of `event_sum` adds up.
    func mistakes(in call: Environment.SlotCall) -> [Diagnostic] {
        guard call.arguments.count == 3, case .string(let name) = call.arguments[0].value,
            case .string(let field) = call.arguments[1].value, let event = self[name]
        else { return [] }
        let place = Located(field, at: call.arguments[1].range)
        guard let declared = event.fields.first(where: { $0.name.value == field }) else {
            return event.isBroken ? [] : [.unknownField(place, of: event)]
        }
        guard let type = declared.type, !type.value.isNumeric else { return [] }
        return [.notAddable(place, of: event, declared: declared.name, type: type.value)]
    }
}

extension Diagnostic {
    fileprivate static func unknownField(_ field: Located<String>, of event: EventModel) -> Self {
        let names = event.fields.map(\.name.value)
        let similar = similarNames(to: field.value, among: names)
        var diagnostic = Diagnostic(
            .conditionUnknownKey,
            message: "`\(event.name.value)` has no field `\(field.value.shortened)`",
            at: field.range,
            label: "not in the event's payload")
        if similar.count == 1 { diagnostic.fixes = [.rename(field.range, to: similar[0])] }
        if !similar.isEmpty {
            diagnostic.help = ["did you mean \(alternatives(similar))?"]
        } else {
            diagnostic.help = [event.numericFields]
        }
        return diagnostic
    }

    fileprivate static func notAddable(
        _ field: Located<String>, of event: EventModel, declared: Located<String>, type: CELType
    ) -> Self {
        Diagnostic(
            .conditionTypeMismatch,
            message: "`\(field.value)` of `\(event.name.value)` cannot be added up: it is"
                + " \(type)",
            at: field.range, label: "not a number",
            secondary: [Label("declared here", at: declared.range)],
            help: [event.numericFields])
    }
}

extension EventModel {
    /// Help that lists the fields that can be added up.
    fileprivate var numericFields: String {
        let names = fields.filter { $0.type?.value.isNumeric == true }.map(\.name.value)
        if names.isEmpty { return "declare a number in its payload, such as `total: double`" }
        return "use one of its numbers \(enumeration(names, atMost: 12))"
    }
}
