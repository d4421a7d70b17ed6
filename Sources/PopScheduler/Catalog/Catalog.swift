internal import PopCEL

/// The popups that tasks can be made of: those of the rules, and behind them hand-made ones as long
/// as they have a task.
///
/// What follows from the rules alone is worked out when they come. A reload brings another catalog.
struct Catalog: Sendable {
    private(set) var rules: RuleSet
    let triggers: TriggerIndex
    /// Whether one takes the screen from any of lower priority.
    let hasUrgent: Bool
    /// Whether some users see essential popups only.
    let hasHoldout: Bool
    /// Whether the rules ask how often, or when, popups were closed: else it is not recorded.
    let countsClosings: Bool
    /// What popups share.
    let sharedCaps: SharedCaps
    /// What hangs on clocks that may become others.
    let movingZones: MovingZones
    /// For whose values caps count.
    let countedKeys: CountedKeys
    /// The conditions of the rules' popups, where their traits say.
    let conditions: ConditionTable
    /// For the names of tasks.
    private let definitions: Definitions

    /// The rules' popups, then hand-made ones.
    private(set) var popups: [PopupRule]
    /// What every step asks of each of `popups`.
    private(set) var traits: ParallelArray<PopupIndex, PopupTraits>
    private var places: [String: PopupIndex]
    /// Popups of the rules that are switched off beside those whose rules say so.
    private var disabled: Set<PopupIndex> = []
    /// What the host says of the conditions of hand-made popups, by id.
    private var truths: [String: Bool] = [:]
    /// Places in `popups` that hand-made popups have left.
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

    /// Switches a popup of the rules off, without a copy of all of them.
    mutating func disable(_ popup: PopupIndex) {
        disabled.insert(popup)
        traits[popup].isPlain = false
    }

    /// Whether no task is made of a popup.
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

    /// Whether a popup is one of the rules and not hand-made.
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

    /// Those that there are, and whether their conditions are true.
    var foreign: [(rule: PopupRule, isTrue: Bool)] {
        popups[rules.popups.count...].compactMap { rule in truths[rule.id].map { (rule, $0) } }
    }

    func isForeign(_ id: String) -> Bool { truths[id] != nil }

    func isForeign(_ popup: PopupIndex) -> Bool { truth(of: popup) != nil }

    /// What the host says of the condition of a hand-made popup; nil for others.
    func truth(of popup: PopupIndex) -> Bool? {
        isRuled(popup) ? nil : truths[popups[popup].id]
    }

    /// The host says something of the condition of a hand-made popup. Whether it said otherwise
    /// before.
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

    /// Forgets a hand-made popup whose task has ended. Whether it is one.
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
    /// Of two popups with one id the first counts; rule files with such are refused before they
    /// come here.
    fileprivate var placesOfPopups: [String: PopupIndex] {
        var index: [String: PopupIndex] = [:]
        index.reserveCapacity(popups.count)
        // By position: going through the rules themselves copies each.
        for popup in popups.places.reversed() { index[popups[popup].id] = popup }
        return index
    }
}
