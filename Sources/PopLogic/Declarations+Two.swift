package import PopCEL
public import PopScheduler

extension Declarations {
    /// Creates the declarations of an earlier and a later rule set. Names in conditions of the
    /// later rule set refer to its own definitions.
    public init(earlier: RuleSet, later: RuleSet) {
        self.init(earlier)
        let second = Declarations(later)
        var both = Later(definitions: second.definitions)
        let texts = { (definitions: [String: Program]) in
            definitions.mapValues { $0.expression.description }
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
        known[entry] = declared
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
