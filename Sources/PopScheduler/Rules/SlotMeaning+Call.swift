package import PopCEL

extension SlotMeaning {
    /// What `dismiss_when` reads of the schedule of its popup.
    package static let scheduleOpenName = "schedule.open"

    /// The names that were free for rules once: where these declare one of them, that goes before.
    package static let namesOfSchedule = ["schedule", scheduleOpenName]

    /// What a call of a function about events, or about what people did with popups, means.
    /// `popup` gives the place of an id.
    package init?(
        function: String, arguments: [Value], popup: (String) -> PopupIndex?
    ) {
        guard case .string(let name)? = arguments.first else { return nil }
        switch (function, arguments.dropFirst().first) {
        case ("event_count", .duration(let within)?):
            self = .eventCount(event: name, within: within)
        case ("event_count", nil): self = .eventCount(event: name, within: nil)
        case ("last_event", nil): self = .lastEvent(name)
        case ("since", nil): self = .sinceEvent(name)
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
