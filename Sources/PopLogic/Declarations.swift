public import PopCEL
public import PopScheduler

/// What is known of the names that conditions read, besides what they were checked against.
public struct Declarations: Sendable {
    /// What is known of something that conditions read.
    struct Declared: Sendable, Hashable {
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
    /// The later of two rule sets, where there are two.
    private var later: Later?

    private struct Later: Sendable {
        var definitions: [String: Program] = [:]
        var isNamingDifferent = false
        var otherwise: Set<SlotTable.Entry> = []
    }

    /// Of programs by themselves: the conditions that have a name, by the identities of their
    /// variables.
    public init(conditions: [String: Program] = [:]) { definitions = conditions }

    func definition(_ identity: String, isLater: Bool = false) -> Program? {
        isLater ? later?.definitions[identity] : definitions[identity]
    }

    /// Whether a name stands for different conditions in the earlier and the later rules.
    var isNamingDifferent: Bool { later?.isNamingDifferent ?? false }

    /// What conditions read that the two rule sets declare otherwise: of that nothing is known.
    package func isDeclaredOtherwise(_ entry: SlotTable.Entry) -> Bool {
        later?.otherwise.contains(entry) ?? false
    }

    package func slotMeaning(_ entry: SlotTable.Entry) -> SlotMeaning? { meanings[entry] }

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
        note(rules)
    }

    /// Of an earlier and a later rule set; conditions of the later one read what its names stand
    /// for.
    public init(earlier: RuleSet, later: RuleSet) {
        self.init(earlier)
        let second = Declarations(later)
        var both = Later(definitions: second.definitions)
        let texts = { (definitions: [String: Program]) in
            definitions.mapValues { $0.expression.description }
        }
        both.isNamingDifferent = texts(definitions) != texts(second.definitions)
        for (entry, declared) in second.known {
            if let first = known[entry], first != declared { both.otherwise.insert(entry) }
            if known[entry] == nil { known[entry] = declared }
        }
        for (entry, meaning) in second.meanings {
            guard case .payloadField(let event, let field) = meaning,
                case .payloadField(let former, let formerField)? = meanings[entry]
            else { continue }
            let (one, other) = (earlier.events[former], later.events[event])
            if one.name != other.name || one.fields[formerField].name != other.fields[field].name {
                both.otherwise.insert(entry)
            }
        }
        let ids = earlier.popups.map { $0.id }
        for (entry, meaning) in second.meanings where meanings[entry] == nil {
            meanings[entry] = meaning.moved { popup in
                let id = later.popups[popup].id
                return PopupIndex(
                    ids.firstIndex(of: id) ?? earlier.popups.count + popup.number)
            }
        }
        self.later = both
    }

    /// The same at a moment at which a popup shows: its schedule is open then.
    public func whileShowing() -> Declarations {
        var declarations = self
        for (entry, meaning) in meanings where meaning == .scheduleOpen {
            var declared = Declared(type: .bool, mayBeMissing: false)
            declared.allowedValues = [.bool(true)]
            declarations.known[entry] = declared
        }
        return declarations
    }

    private mutating func note(_ rules: RuleSet) {
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

extension SlotMeaning {
    /// With other places of popups, where histories are told by them.
    fileprivate func moved(_ place: (PopupIndex) -> PopupIndex) -> SlotMeaning {
        switch self {
        case .shownCount(let popup): .shownCount(popup: place(popup))
        case .lastShown(let popup): .lastShown(popup: place(popup))
        case .lastReason(let popup): .lastReason(popup: place(popup))
        case .variant(let popup): .variant(popup: place(popup))
        case .exposedCount(let popup): .exposedCount(popup: place(popup))
        case .lastAction(let popup): .lastAction(popup: place(popup))
        case .closedCount(let popup): .closedCount(popup: place(popup))
        case .converted(let popup): .converted(popup: place(popup))
        case .acted(let popup, let action): .acted(popup: place(popup), action: action)
        case .lastActed(let popup, let action): .lastActed(popup: place(popup), action: action)
        case .key, .condition, .now, .session, .eventCount, .lastEvent, .sinceEvent, .eventSum,
            .scheduleOpen, .payload, .payloadField:
            self
        }
    }
}
