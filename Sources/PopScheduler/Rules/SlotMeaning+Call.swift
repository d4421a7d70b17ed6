package import PopCEL

extension SlotMeaning {
    /// What a call of a function about events means.
    package init?(function: String, arguments: [Value]) {
        guard case .string(let event)? = arguments.first else { return nil }
        switch (function, arguments.dropFirst().first) {
        case ("event_count", .duration(let within)?):
            self = .eventCount(event: event, within: within)
        case ("event_count", nil): self = .eventCount(event: event, within: nil)
        case ("last_event", nil): self = .lastEvent(event)
        default: return nil
        }
    }
}
