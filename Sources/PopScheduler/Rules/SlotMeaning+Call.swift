package import PopCEL
package import PopSource

extension SlotDeclaration {
    /// Returns the declaration of `event_sum("name", "field", duration)`, whose type is the
    /// field's.
    package static func eventSum(
        typeOfField: @escaping @Sendable (_ name: String, _ event: String) -> CELType?,
        check: @escaping @Sendable (Environment.SlotCall) -> [Diagnostic] = { _ in [] }
    ) -> Self {
        SlotDeclaration(
            "event_sum", parameters: [.string, .string, .duration], result: .dyn,
            resultOf: { arguments in
                guard case .string(let event)? = arguments.first,
                    case .string(let field)? = arguments.dropFirst().first,
                    let type = typeOfField(field, event), type.isNumeric
                else { return nil }
                return type
            }, check: check)
    }
}

extension SlotMeaning {
    /// The name by which `dismiss_when` reads if the schedule of its popup is open.
    package static let scheduleOpenName = "schedule.open"

    /// The names that rules could once declare themselves: a declaration in rules takes precedence.
    package static let namesOfSchedule = ["schedule", scheduleOpenName]

    /// Creates the meaning of a call of a function about events, or about actions of users on
    /// popups. `popup` returns the place of an id, `field` the type of a field of an event.
    package init?(
        function: String, arguments: [Value], popup: (String) -> PopupIndex?,
        field: (_ name: String, _ event: String) -> CELType?
    ) {
        guard case .string(let name)? = arguments.first else { return nil }
        switch (function, arguments.dropFirst().first) {
        case ("event_count", .duration(let within)?):
            self = .eventCount(event: name, within: within)
        case ("event_count", nil): self = .eventCount(event: name, within: nil)
        case ("last_event", nil): self = .lastEvent(name)
        case ("since", nil): self = .sinceEvent(name)
        case ("event_sum", .string(let added)?):
            guard case .duration(let within)? = arguments.last, let type = field(added, name),
                type.isNumeric
            else { return nil }
            self = .eventSum(EventSum(of: added, in: name, type: type, within: within))
        case ("acted", .string(let action)?):
            guard let popup = popup(name) else { return nil }
            self = .acted(popup: popup, action: action)
        case ("last_acted", .string(let action)?):
            guard let popup = popup(name) else { return nil }
            self = .lastActed(popup: popup, action: action)
        default: return nil
        }
    }
}
