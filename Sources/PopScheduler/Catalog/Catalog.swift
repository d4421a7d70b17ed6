internal import PopCEL

/// The popups that tasks can be made of: those of the rules, followed by hand-made popups while
/// they have a task.
///
/// Everything that follows from the rules alone is computed when they are loaded. A reload creates
/// another catalog.
struct Catalog: Sendable {
    private(set) var rules: RuleSet
    let triggers: TriggerIndex
    /// True if a popup is urgent, so that it takes the screen from popups of lower priority.
    let hasUrgent: Bool
    /// True if some users see only essential popups.
    let hasHoldout: Bool
    /// True if the rules check how often, or when, popups were closed; if false, closings aren't
    /// recorded.
    let countsClosings: Bool
    /// The caps that popups share.
    let sharedCaps: SharedCaps
    /// The popups and caps that depend on time zones that may change.
    let movingZones: MovingZones
    /// The keys for whose values caps count.
    let countedKeys: CountedKeys
    /// The conditions of the rules' popups; their traits contain the places in this table.
    let conditions: ConditionTable
    /// The definitions that the names of tasks refer to.
    private let definitions: Definitions

    /// The rules' popups, then hand-made ones.
    private(set) var popups: [PopupRule]
    /// The properties of each of `popups` that every step reads.
    private(set) var traits: TypedArray<PopupIndex, PopupTraits>
    private var places: [String: PopupIndex]
    /// Popups of the rules that are switched off, in addition to those that their rules switch off.
    private var disabled: Set<PopupIndex> = []
    /// The conditions of hand-made popups as the host set them, by id.
    private var truths: [String: Bool] = [:]
    /// Free places in `popups` that hand-made popups have left.
    private var vacant: [PopupIndex] = []

    init(_ rules: RuleSet) {
        self.rules = rules
        triggers = TriggerIndex(rules)
        definitions = Definitions(rules.popups, schedulers: rules.schedulers)
        popups = rules.popups
        (traits, conditions) = rules.traitsOfPopups()
        places = rules.placesOfPopups
        sharedCaps = SharedCaps(rules)
        hasUrgent = traits.contains { $0.isUrgent }
        hasHoldout = rules.holdout != nil
        countsClosings = rules.countClosings
        movingZones = MovingZones(rules, traits: traits, sharedCaps: sharedCaps)
        countedKeys = CountedKeys(rules, traits: traits, sharedCaps: sharedCaps)
    }

    /// Switches off a popup of the rules, without copying all popups.
    mutating func disable(_ popup: PopupIndex) {
        disabled.insert(popup)
        traits[popup].isPlain = false
    }

    /// Returns true if a popup is disabled, so that no task is made of it.
    func isDisabled(_ popup: PopupIndex) -> Bool {
        !popups[popup].isEnabled || disabled.contains(popup)
    }

    /// The place of a popup, of the rules or hand-made.
    func place(of id: String) -> PopupIndex? { places[id] }

    /// The place of a popup that the rules define.
    @inline(__always)  // A call from what changes the scheduler would copy the whole catalog.
    func ruledPlace(of id: String) -> PopupIndex? {
        places[id].flatMap { isRuled($0) ? $0 : nil }
    }

    /// Returns true if a popup belongs to the rules and isn't hand-made.
    @inline(__always)
    func isRuled(_ popup: PopupIndex) -> Bool { popup.number < rules.popups.count }

    /// The slots that the condition of a popup reads.
    func slotsOfCondition(_ popup: PopupIndex) -> ArraySlice<SlotIndex> {
        conditions.slots(at: traits[popup].condition)
    }

    /// The caps that a popup of the rules shares with others.
    func sharedCaps(of popup: PopupIndex) -> [SharedCapIndex] {
        sharedCaps.caps(of: popup, on: traits[popup].lane)
    }

    /// The name of the task of a popup that has this number.
    func taskID(_ number: Int, of popup: PopupIndex) -> TaskID {
        let lane = traits[popup].lane
        return isRuled(popup)
            ? TaskID(number, of: popup, on: lane, in: definitions)
            : TaskID(
                number, of: 0, on: lane,
                in: Definitions([popups[popup]], schedulers: rules.schedulers))
    }
}

// Hand-made popups.
extension Catalog {
    var foreignCount: Int { truths.count }

    /// The current hand-made popups, each with the value of its condition.
    var foreign: [(rule: PopupRule, isTrue: Bool)] {
        popups[rules.popups.count...].compactMap { rule in truths[rule.id].map { (rule, $0) } }
    }

    func isForeign(_ id: String) -> Bool { truths[id] != nil }

    func isForeign(_ popup: PopupIndex) -> Bool { truth(of: popup) != nil }

    /// Returns the condition of a hand-made popup as the host set it; nil for other popups.
    func truth(of popup: PopupIndex) -> Bool? {
        isRuled(popup) ? nil : truths[popups[popup].id]
    }

    /// Sets the condition of a hand-made popup as the host reports it. Returns true if its value
    /// changed.
    mutating func setTruth(_ isTrue: Bool, of id: String) -> Bool {
        truths.updateValue(isTrue, forKey: id) != isTrue
    }

    /// Gives a hand-made popup a place.
    mutating func add(_ rule: PopupRule, isTrue: Bool) -> PopupIndex {
        let traits = PopupTraits(rule, slots: rules.slots, isForeign: true)
        let place: PopupIndex
        if let left = vacant.popLast() {
            place = left
            popups[place] = rule
            self.traits[place] = traits
        } else {
            place = popups.places.upperBound
            popups.append(rule)
            self.traits.append(traits)
        }
        truths[rule.id] = isTrue
        places[rule.id] = place
        return place
    }

    /// Gives a hand-made popup another definition, for its next task.
    mutating func redefine(_ popup: PopupIndex, as rule: PopupRule) {
        popups[popup] = rule
        traits[popup] = PopupTraits(rule, slots: rules.slots, isForeign: true)
    }

    /// Forgets a hand-made popup whose task has ended. Returns true if the popup was hand-made.
    mutating func vacate(_ popup: PopupIndex) -> Bool {
        guard isForeign(popup) else { return false }
        let id = popups[popup].id
        truths[id] = nil
        places[id] = nil
        vacant.append(popup)
        return true
    }
}

extension RuleSet {
    /// The places of the popups by id. If two popups have the same id, the first counts; rule files
    /// with such popups are refused before they get here.
    fileprivate var placesOfPopups: [String: PopupIndex] {
        var index: [String: PopupIndex] = [:]
        index.reserveCapacity(popups.count)
        // By position: iterating over the rules themselves copies each.
        for popup in popups.places.reversed() { index[popups[popup].id] = popup }
        return index
    }
}

/// Rules and everything that follows from them alone, computed once for many schedulers.
package struct PreparedRules: Sendable {
    private(set) var catalog: Catalog
    /// The conditions for an unknown user.
    let conditions: Conditions

    package init(_ rules: RuleSet) {
        catalog = Catalog(rules)
        conditions = Conditions(of: rules)
    }

    package var rules: RuleSet { catalog.rules }

    /// The place of a popup.
    package func place(of id: String) -> PopupIndex? { catalog.place(of: id) }

    /// The same rules with one popup switched off.
    package func disabling(_ popup: PopupIndex) -> PreparedRules {
        var changed = self
        changed.catalog.disable(popup)
        return changed
    }
}

extension Catalog {
    func localizedFields(of template: String?) -> [String] {
        guard let template else { return [] }
        return rules.templates.first { $0.name == template }?.localizedFields ?? []
    }
}
