public import PopCEL
public import PopScheduler

/// What is known of the names that conditions read, besides what they were checked against.
public struct Declarations: Sendable {
    /// What is known of something that conditions read.
    struct Declared: Sendable {
        var type: CELType
        var mayBeMissing: Bool
        var allowedValues: [Value]?
        var minimum: Value?
        var maximum: Value?
        /// What counts while there is no value.
        var usual: Value?

        init(type: CELType, mayBeMissing: Bool) {
            self.type = type
            self.mayBeMissing = mayBeMissing
        }
    }

    private var definitions: [String: Program] = [:]
    private var known: [SlotTable.Entry: Declared] = [:]
    /// What slots stand for, by what programs call them.
    private var meanings: [SlotTable.Entry: SlotMeaning] = [:]

    /// Of programs by themselves: the conditions that have a name, by the identities of their
    /// variables.
    public init(conditions: [String: Program] = [:]) { definitions = conditions }

    func definition(_ identity: String) -> Program? { definitions[identity] }

    func declared(_ entry: SlotTable.Entry) -> Declared? { known[entry] }

    func meaning(_ entry: SlotTable.Entry) -> SlotMeaning? { meanings[entry] }
}

extension Declarations {
    /// Of rules, whose conditions are the programs that are asked about. Of conditions with some
    /// names it is left open what they come to.
    public init(_ rules: RuleSet, leavingOpen open: Set<String> = []) {
        for condition in rules.conditions where !open.contains(condition.name) {
            definitions[condition.name] = condition.condition.program
        }
        let programs =
            rules.conditions.map { $0.condition.program } + rules.popups.flatMap { $0.programs }
            + rules.groups.compactMap { $0.when?.program }
        for program in programs {
            for (slot, entry) in program.slotEntries where slot.number < rules.slots.count {
                note(entry, rules.slots[slot.number], in: rules)
            }
        }
    }

    private mutating func note(
        _ entry: SlotTable.Entry, _ meaning: SlotMeaning, in rules: RuleSet
    ) {
        guard meanings[entry] == nil else { return }
        meanings[entry] = meaning
        switch meaning {
        case .key(let place):
            let key = rules.keys[place]
            var declared = Declared(type: key.type, mayBeMissing: key.defaultValue == nil)
            declared.allowedValues = key.allowedValues
            declared.minimum = key.minimum
            declared.maximum = key.maximum
            declared.usual = key.defaultValue
            known[entry] = declared
        case .payloadField(let event, let field):
            // An app may leave a field out.
            known[entry] = Declared(
                type: rules.events[event].fields[field].type, mayBeMissing: true)
        case .shownCount, .exposedCount, .closedCount, .acted, .eventCount:
            var declared = Declared(type: .int, mayBeMissing: false)
            declared.minimum = .int(0)
            known[entry] = declared
        case .condition, .now, .session, .lastShown, .lastReason, .variant, .lastAction,
            .converted, .lastActed, .lastEvent, .sinceEvent, .eventSum, .scheduleOpen, .payload:
            break
        }
    }
}

extension PopupRule {
    /// The programs of all its conditions.
    fileprivate var programs: [Program] {
        (ownConditions + eventConditions.map { $0.condition }).map { $0.program }
    }
}

extension Declarations.Declared {
    init(_ variable: Variable) {
        self.init(type: variable.type, mayBeMissing: variable.mayBeMissing)
        allowedValues = variable.allowedValues
        minimum = variable.minimum
        maximum = variable.maximum
    }

    /// NaN lies within no bounds.
    func isWithinBounds(_ value: Value) -> Bool {
        if let minimum, let order = value.order(minimum), order != .greater, order != .equal {
            return false
        }
        if let maximum, let order = value.order(maximum), order != .less, order != .equal {
            return false
        }
        return true
    }
}
