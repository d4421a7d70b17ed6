internal import PopCEL
internal import PopScheduler

/// Looks for the fewest context keys whose change lets a popup show.
struct SmallestChanges {
    private let question: Question
    private let simulation: Simulation
    private let popup: PopupRule
    private let conditions: [Condition]
    private let dimensions: [Dimension]
    private let slots: [SlotIndex]
    private var tries = 0
    private var plays = 0
    private var found: [ContextChange] = []
    /// What has to change whatever else does: who the user is.
    private let base: ContextChange

    /// How many values are tried, how many of these are played, how many keys change together, and
    /// how many answers are given.
    private static let mostTries = 20_000
    private static let mostPlays = 100
    private static let mostKeys = 3
    private static let mostAnswers = 5

    /// The changes, each verified by playing the question again; none when the context is not what
    /// keeps the popup away.
    static func find(
        _ question: Question, in simulation: Simulation, popup: PopupRule,
        keptAwayBy reason: ReasonCode?
    ) -> [ContextChange] {
        guard reason?.isAboutContext == true else { return [] }
        guard !simulation.couldShow(popup.id) else { return [] }
        var search = SmallestChanges(question, simulation: simulation, popup: popup)
        search.run()
        return search.found
    }

    private init(_ question: Question, simulation: Simulation, popup: PopupRule) {
        self.question = question
        self.simulation = simulation
        self.popup = popup
        let rules = question.rules
        var conditions = [popup.when, popup.group.flatMap { rules.groups[$0].when }]
        for case .event(let trigger) in popup.triggers
        where rules.events[trigger.event].name == question.event {
            conditions.append(trigger.where)
        }
        self.conditions = conditions.compactMap { $0 }
        let programs = self.conditions.map(\.program)
        slots = Set(programs.flatMap(\.slots)).sorted()
        dimensions = Dimension.all(programs, question: question, now: simulation.now.date)
        base = popup.audience.rollout.map { $0.change(question) } ?? ContextChange()
    }

    private mutating func run() {
        for count in 0...Self.mostKeys where found.isEmpty {
            choose(count, from: dimensions[...], with: base)
        }
    }

    /// Tries all ways to change so many of the dimensions; of those that change the same keys the
    /// first that works counts.
    @discardableResult
    private mutating func choose(
        _ count: Int, from rest: ArraySlice<Dimension>, with change: ContextChange
    ) -> Bool {
        if count == 0 { return tryOut(change) }
        var hasWorked = false
        for index in rest.indices {
            for candidate in rest[index].candidates {
                guard tries < Self.mostTries, found.count < Self.mostAnswers else { return false }
                let next = rest[index].set(candidate, in: change)
                guard choose(count - 1, from: rest[(index + 1)...], with: next) else { continue }
                hasWorked = true
                break
            }
        }
        return hasWorked
    }

    private mutating func tryOut(_ change: ContextChange) -> Bool {
        tries += 1
        let supposition = Supposition(
            context: change.context, event: question.event,
            payload: question.payload.merging(change.payload) { $1 })
        let values = simulation.scheduler.slotValues(
            slots, at: simulation.now, supposing: supposition)
        for condition in conditions where condition.program.isTrue(values) != .yes { return false }
        plays += 1
        guard plays <= Self.mostPlays, question.changed(by: change).played().couldShow(popup.id)
        else { return false }
        found.append(change)
        return true
    }
}

extension ReasonCode {
    /// Whether it may be for values of the context, those that tell users apart among them.
    fileprivate var isAboutContext: Bool {
        switch kind {
        case .condition(let role): role != .dismissWhen && role != .scheduleWhen
        case .ruledOut: self == .notInRollout
        case .held, .barred, .capped, .ready, .absent, .endedUnseen, .ended: false
        }
    }
}

extension Rollout {
    /// Another user, who is in it; none for one that is, and where there is none.
    fileprivate func change(_ question: Question) -> ContextChange {
        let key = question.rules.keys[self.key]
        var change = ContextChange()
        let date = question.start.adding(question.after) ?? question.start
        let own = question.context[key.name] ?? key.defaultValue
        if includes(own, at: date) { return change }
        let user = key.usersToTry.first {
            includes($0, at: date) && key.refusal(of: $0) == nil
        }
        if let user { change.context.updateValue(user, forKey: key.name) }
        return change
    }
}

extension ContextKey {
    /// Values that tell users apart; of a rollout of one percent one in a hundred is in it.
    fileprivate var usersToTry: [Value] {
        if let allowedValues { return allowedValues }
        let numbers = 1...2_000
        switch type {
        case .string: return numbers.map { .string("user-\($0)") }
        case .int: return numbers.map { .int(Int64($0)) }
        case .uint: return numbers.map { .uint(UInt64($0)) }
        case .bool: return [.bool(true), .bool(false)]
        default: return []
        }
    }
}
