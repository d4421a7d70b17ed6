internal import PopCEL
internal import PopScenario
internal import PopScheduler

/// A way in which a trigger fires: its beginning, and its moves. The last move triggers the popups.
struct Firing: Sendable {
    var opening: PairAnalysis.Opening
    var moves: [RecordedRun.Move]
}

// The ways to make a trigger fire.
extension PairAnalysis {
    /// Returns the ways in which a trigger may trigger two popups at the same time, the likeliest
    /// first.
    func ways(
        of trigger: CommonTrigger, for popups: [PopupIndex], opening: Opening
    ) -> [Firing] {
        switch trigger {
        case .launch: return [Firing(opening: opening, moves: [])]
        case .changed(let key):
            var changed = opening
            guard let act = rules.change(of: key, in: &changed.beginning) else { return [] }
            return [Firing(opening: changed, moves: [.clear, .act(act)])]
        case .event(let event): return ways(of: event, for: popups, opening: opening)
        case .acted(let popup, let action):
            let id = rules.popups[popup].id
            let moves: [RecordedRun.Move] = [.act(.enqueue(id)), .act(.using(action, of: id))]
            return [Firing(opening: opening, moves: [.clear] + moves)]
        }
    }

    /// Returns the ways in which an event may trigger both popups. If popups count their events,
    /// one event triggers both after earlier ones in the history; or all events are sent in the
    /// scenario at intervals, while the user closes the popups that show, or doesn't.
    private func ways(
        of event: EventIndex, for popups: [PopupIndex], opening: Opening
    ) -> [Firing] {
        let send = send(event, opening)
        let count = sends(of: event, for: popups)
        let ask: [RecordedRun.Move] = [.clear, .act(send)]
        if count <= 1 { return [Firing(opening: opening, moves: ask)] }
        var ways: [Firing] = []
        if let begun = past(of: event, askingFor: popups, opening: opening) {
            ways.append(Firing(opening: begun, moves: ask))
        }
        let apart: [RecordedRun.Move] = [.act(send), .act(.wait(Self.betweenSends))]
        for between in [apart + [.clear], apart] {
            let before = Array(repeating: between, count: count - 1).flatMap { $0 }
            ways.append(Firing(opening: opening, moves: [.clear] + before + [.act(send)]))
        }
        return ways
    }

    /// Returns the steps that fire the trigger of one popup; none if the beginning does that.
    func firing(
        _ trigger: CommonTrigger, of popup: PopupIndex, opening: Opening
    ) -> [ScenarioAct] {
        switch trigger {
        case .launch, .changed: return []
        case .event(let event):
            let send = send(event, opening)
            let before = Array(
                repeating: [send, .wait(Self.betweenSends)],
                count: sends(of: event, for: [popup]) - 1)
            return before.flatMap { $0 } + [send]
        case .acted(let other, let action):
            let id = rules.popups[other].id
            return [.enqueue(id), .using(action, of: id)]
        }
    }

    private func send(_ event: EventIndex, _ opening: Opening) -> ScenarioAct {
        let name = rules.events[event].name
        return .send(
            name, readFields.completed(opening.payloads[event] ?? [:], ofEvent: name))
    }

    /// Returns the number of events with a name until each of some popups is triggered.
    private func sends(of event: EventIndex, for popups: [PopupIndex]) -> Int {
        let times = popups.map { popup in
            triggers(of: event, for: popup).map(\.occurrence.first).min() ?? 1
        }
        return min(times.max() ?? 1, Self.mostSends)
    }

    private func triggers(of event: EventIndex, for popup: PopupIndex) -> [EventTrigger] {
        rules.popups[popup].eventTriggers.filter { $0.event == event }
    }

    /// Returns the opening with as many earlier events as needed for the next one to trigger all of
    /// some popups; nil if the popups don't count all events with the name, or no number triggers
    /// all of them.
    private func past(
        of event: EventIndex, askingFor popups: [PopupIndex], opening: Opening
    ) -> Opening? {
        let triggers = popups.map { self.triggers(of: event, for: $0) }
        let isCounted = triggers.joined().contains { $0.where != nil && $0.occurrence != .any }
        let name = rules.events[event].name
        let known = opening.beginning.events[name] ?? []
        let number = (known.count + 1...Self.mostSent).first { number in
            triggers.allSatisfy { $0.contains { $0.occurrence.isMet(by: number) } }
        }
        guard !isCounted, let number else { return nil }
        let more = number - 1 - known.count
        let last = known.first ?? .zero
        let times = (0..<more).reversed().map { last + Self.betweenSends * ($0 + 1) }
        var begun = opening
        if more > 0 { begun.beginning.events[name] = times + known }
        return begun
    }

    /// The interval between the events that popups count.
    private static let betweenSends = Duration.seconds(60)
    private static let mostSends = 20
    /// The maximum number of events before a scenario.
    private static let mostSent = 101
}

extension EventTrigger.Occurrence {
    /// The number of the first event that creates a task.
    var first: Int {
        switch self {
        case .any: 1
        case .nth(let number), .every(let number): number
        }
    }

    /// Returns true if the event with a number creates a task.
    fileprivate func isMet(by number: Int) -> Bool {
        switch self {
        case .any: true
        case .nth(let wanted): number == wanted
        case .every(let step): number % step == 0
        }
    }
}
