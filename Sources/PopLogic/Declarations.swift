public import PopCEL
public import PopScheduler
internal import PopSource

/// The known facts about the names that conditions read, beyond their types when they were checked.
public struct Declarations: Sendable {
    /// The known facts about one entry that conditions read.
    struct Declared: Sendable, Hashable {
        var type: CELType
        var mayBeMissing: Bool
        var allowedValues: [Value]?
        var minimum: Value?
        var maximum: Value?
        /// The value that counts while the value is missing.
        var usual: Value?
        /// True if there never is a value.
        var isAbsent = false

        init(type: CELType, mayBeMissing: Bool) {
            self.type = type
            self.mayBeMissing = mayBeMissing
        }
    }

    var definitions: [String: Program] = [:]
    var known: [SlotTable.Entry: Declared] = [:]
    /// The facts that take precedence over `known`: a few, in copies of declarations that are made
    /// for one question.
    private var overriding: [SlotTable.Entry: Declared] = [:]
    /// The meanings of slots, by the entries that programs use.
    var meanings: [SlotTable.Entry: SlotMeaning] = [:]
    /// The names of the fields that events carry.
    var fieldNames: [SlotTable.Entry: String] = [:]
    /// True if a popup shows at the point in time, so that its schedule is open.
    private var isShowing = false
    /// True if dates lie within the lives of users, so that the time between two dates never
    /// overflows a duration.
    private(set) var hasOnlyLikelyDates = false
    /// Additional facts, kept apart so that the other tables, which cover all popups, are never
    /// copied.
    private var added: [SlotTable.Entry: Added] = [:]
    /// The later of two rule sets, if there are two.
    var later: Later?

    private struct Added {
        let meaning: SlotMeaning
        let declared: Declared?
    }

    struct Later: Sendable {
        var definitions: [String: Program] = [:]
        var isNamingDifferent = false
        var otherwise: Set<SlotTable.Entry> = []
        /// The common entries for entries of the later rules that are named differently than in the
        /// earlier ones.
        var entries: [SlotTable.Entry: SlotTable.Entry] = [:]
        /// The earlier and later default of each key whose defaults differ.
        var defaults: [SlotTable.Entry: Defaults] = [:]
        /// The keys of `defaults` that the app hasn't set, under both of their entries.
        var unset: Set<SlotTable.Entry> = []
    }

    struct Defaults: Sendable {
        let earlier: Value?
        let later: Value?
    }

    /// Creates declarations without rules. `conditions` are the named conditions, by the identities
    /// of their variables.
    public init(conditions: [String: Program] = [:]) { definitions = conditions }

    func definition(_ identity: String, isLater: Bool = false) -> Program? {
        isLater ? later?.definitions[identity] : definitions[identity]
    }

    /// True if a name refers to different conditions in the earlier and the later rules.
    var isNamingDifferent: Bool { later?.isNamingDifferent ?? false }

    /// Returns the entry that both rule sets use for an entry that conditions read.
    package func commonEntry(_ entry: SlotTable.Entry, isLater: Bool) -> SlotTable.Entry {
        isLater ? later?.entries[entry] ?? entry : entry
    }

    /// Returns true if the two rule sets declare the entry with different types. Its value is
    /// unknown then.
    package func isDeclaredOtherwise(_ entry: SlotTable.Entry) -> Bool {
        later?.otherwise.contains(entry) ?? false
    }

    /// Returns true if the default of a key differs between the two rule sets. These declarations
    /// assume that the app has set the key.
    package func hasOtherDefault(_ entry: SlotTable.Entry) -> Bool {
        later?.defaults[entry] != nil
    }

    /// Returns true if the app hasn't set the key.
    package func isUnset(_ entry: SlotTable.Entry) -> Bool { later?.unset.contains(entry) ?? false }

    /// Returns the name of an event's field, without the event.
    package func fieldName(_ entry: SlotTable.Entry) -> String? { fieldNames[entry] }

    package func slotMeaning(_ entry: SlotTable.Entry) -> SlotMeaning? { meaning(entry) }

    func declared(_ entry: SlotTable.Entry) -> Declared? {
        if isShowing, meanings[entry] == .scheduleOpen {
            var declared = Declared(type: .bool, mayBeMissing: false)
            declared.allowedValues = [.bool(true)]
            return declared
        }
        return overriding[entry] ?? known[entry] ?? added[entry]?.declared
    }

    func meaning(_ entry: SlotTable.Entry) -> SlotMeaning? {
        meanings[entry] ?? added[entry]?.meaning
    }
}

extension Declarations {
    /// Creates declarations from rules whose conditions are the programs in question. The results
    /// of conditions named in `open` are left open.
    public init(_ rules: RuleSet, leavingOpen open: Set<String> = []) {
        for condition in rules.conditions where !open.contains(condition.name) {
            definitions[condition.name] = condition.condition.program
        }
        hasOnlyLikelyDates = true
        note(rules)
    }

    /// Returns the same declarations for a date or later.
    package func beginning(at date: Timestamp) -> Declarations {
        var declarations = self
        for (entry, meaning) in meanings where meaning == .now {
            var declared = Declared(type: .timestamp, mayBeMissing: false)
            declared.minimum = .timestamp(date)
            declarations.known[entry] = declared
        }
        return declarations
    }

    /// Returns the same declarations for a time at which a popup shows, so that its schedule is
    /// open.
    public func whileShowing() -> Declarations {
        var declarations = self
        declarations.isShowing = true
        return declarations
    }

    /// Returns the declarations of values that files can have: an app can set a duration below
    /// zero, and a test file can't.
    package func withoutNegativeDurations() -> Declarations {
        var declarations = self
        for (entry, declared) in known where declared.type == .duration && declared.minimum == nil {
            declarations.known[entry]?.minimum = .duration(.zero)
        }
        for (entry, declared) in overriding
        where declared.type == .duration && declared.minimum == nil {
            declarations.overriding[entry]?.minimum = .duration(.zero)
        }
        return declarations
    }

    /// Returns the same declarations, extended by the history of a popup that the rules don't read.
    package func knowing(popup id: String, at popup: PopupIndex) -> Declarations {
        var declarations = self
        let facts: [(String, SlotMeaning)] = [
            ("shown_count", .shownCount(popup: popup)), ("last_shown", .lastShown(popup: popup)),
            ("closed_count", .closedCount(popup: popup)), ("converted", .converted(popup: popup)),
        ]
        for (name, meaning) in facts {
            let entry = SlotTable.Entry.variable(identity: "popups.\(id).\(name)")
            if declarations.meaning(entry) != nil { continue }
            declarations.added[entry] = Added(
                meaning: meaning, declared: name.hasSuffix("count") ? .count : nil)
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
            fieldNames[entry] = rules.events[event].fields[field].name
            // An app may omit a field.
            known[entry] = Declared(
                type: rules.events[event].fields[field].type, mayBeMissing: true)
        case .shownCount, .exposedCount, .closedCount, .acted, .eventCount:
            known[entry] = .count
        case .session(.count):
            var declared = Declared.count
            declared.minimum = .int(1)
            known[entry] = declared
        case .sinceEvent:
            var declared = Declared(type: .duration, mayBeMissing: false)
            declared.maximum = .duration(.endless)
            known[entry] = declared
        case .condition, .now, .session, .lastShown, .lastReason, .variant, .lastAction,
            .converted, .lastActed, .lastEvent, .eventSum, .scheduleOpen, .payload:
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
    /// The declaration of a count.
    fileprivate static var count: Self {
        var declared = Self(type: .int, mayBeMissing: false)
        declared.minimum = .int(0)
        return declared
    }

    init(_ variable: Variable) {
        self.init(type: variable.type, mayBeMissing: variable.mayBeMissing)
        allowedValues = variable.allowedValues
        minimum = variable.minimum
        maximum = variable.maximum
    }

    /// Returns true if a value is within the declared bounds. NaN is within no bounds.
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

extension Declarations {
    /// Creates the declarations of an earlier and a later rule set. Names in conditions of the
    /// later rule set refer to its own definitions.
    public init(earlier: RuleSet, later: RuleSet) {
        self.init(earlier)
        let second = Declarations(later)
        var both = Later(definitions: second.definitions)
        let texts = { (definitions: [String: Program]) in
            definitions.mapValues { ExactText($0.expression.description) }
        }
        both.isNamingDifferent = texts(definitions) != texts(second.definitions)
        let fields = fields(of: earlier)
        for (entry, meaning) in second.meanings {
            guard case .payloadField(let event, let field) = meaning else { continue }
            let name = FieldName(later, event, field)
            both.entries[entry] = fields[name] ?? entry.ofLater
        }
        var places: [String: PopupIndex] = [:]
        for place in earlier.popups.places.reversed() { places[earlier.popups[place].id] = place }
        for (entry, meaning) in second.meanings {
            let common = both.entries[entry] ?? entry
            fieldNames[common] = second.fieldNames[entry]
            if meanings[common] != nil { continue }
            meanings[common] = meaning.moved { popup in
                let id = later.popups[popup].id
                return places[id] ?? PopupIndex(earlier.popups.count + popup.number)
            }
        }
        for (entry, declared) in second.known {
            let common = both.entries[entry] ?? entry
            if let first = known[common], first != declared {
                join(first, declared, of: common, &both)
            } else {
                known[common] = declared
            }
        }
        self.later = both
    }

    /// Joins two declarations of an entry. A key gets the values that it has in either rule set;
    /// entries with different types are treated as unknown.
    private mutating func join(
        _ first: Declared, _ second: Declared, of entry: SlotTable.Entry, _ both: inout Later
    ) {
        let isOther = first.usual != second.usual || first.mayBeMissing != second.mayBeMissing
        guard case .key? = meanings[entry], first.type == second.type,
            !isOther || !first.type.isContainer
        else {
            both.otherwise.insert(entry)
            return
        }
        var joined = first
        joined.widen(to: second)
        if isOther {
            both.defaults[entry] = Defaults(earlier: first.usual, later: second.usual)
            joined.usual = nil
            joined.mayBeMissing = false
        }
        known[entry] = joined
    }

    /// Returns the same declarations for the case that the app hasn't set some of the keys whose
    /// default differs.
    package func leavingUnset(_ keys: Set<SlotTable.Entry>) -> Declarations {
        var declarations = self
        for key in keys {
            guard let defaults = later?.defaults[key] else { continue }
            declarations.fix(key, to: defaults.earlier)
            declarations.fix(key.ofLater, like: key, to: defaults.later)
            declarations.later?.entries[key] = key.ofLater
            declarations.later?.unset.formUnion([key, key.ofLater])
        }
        return declarations
    }

    private mutating func fix(
        _ entry: SlotTable.Entry, like other: SlotTable.Entry? = nil, to value: Value?
    ) {
        guard let type = known[other ?? entry]?.type else { return }
        var declared = Declared(type: type, mayBeMissing: value == nil)
        declared.allowedValues = value.map { [$0] }
        declared.isAbsent = value == nil
        overriding[entry] = declared
    }

    private struct FieldName: Hashable {
        let event: String
        let field: String

        init(_ rules: RuleSet, _ event: EventIndex, _ field: Int) {
            self.event = rules.events[event].name
            self.field = rules.events[event].fields[field].name
        }
    }

    /// Returns the entries by which conditions read the fields of events.
    private func fields(of rules: RuleSet) -> [FieldName: SlotTable.Entry] {
        var fields: [FieldName: SlotTable.Entry] = [:]
        for (entry, meaning) in meanings {
            guard case .payloadField(let event, let field) = meaning else { continue }
            fields[FieldName(rules, event, field)] = entry
        }
        return fields
    }
}

extension SlotTable.Entry {
    /// An entry that no name of the earlier rules uses.
    fileprivate var ofLater: Self {
        switch self {
        case .variable(let identity): .variable(identity: "later \(identity)")
        case .call(let function, let arguments):
            .call(function: "later \(function)", arguments: arguments)
        }
    }
}

extension Declarations.Declared {
    /// Adds all values of another declaration of the same type.
    fileprivate mutating func widen(to other: Self) {
        if let own = allowedValues, let others = other.allowedValues {
            let known = Set(own)
            allowedValues = own + others.filter { !known.contains($0) }
        } else {
            allowedValues = nil
        }
        minimum = minimum.flatMap { own in
            other.minimum.map { $0.order(own) == .less ? $0 : own }
        }
        maximum = maximum.flatMap { own in
            other.maximum.map { $0.order(own) == .greater ? $0 : own }
        }
    }
}

extension SlotMeaning {
    /// Returns the meaning with other popup indexes, for facts about the history of a popup.
    package func moved(_ place: (PopupIndex) -> PopupIndex) -> SlotMeaning {
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
