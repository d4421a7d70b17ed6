package import PopCEL
internal import PopLogic
internal import PopScenario
package import PopScheduler

/// Two popups that conflict, with a scenario that was run on the real scheduler.
package struct Collision: Sendable {
    /// The reason why the popups meet.
    package enum Cause: Sendable, Hashable {
        /// One trigger creates tasks for both on one scheduler.
        case trigger(String, scheduler: String)
        /// A cap counts both: the owner of the cap, and its text.
        case cap(owner: String, cap: String)
        /// Both have rollouts with the same salt whose parts overlap, and all parts with the salt
        /// exceed a hundred percent in total; since a date if the parts change.
        case share(salt: String, total: Double, since: Timestamp?)
    }

    package let cause: Cause
    /// The popup that shows first.
    package let winner: PopupIndex
    package let loser: PopupIndex
    /// The effect on the other popup; nil for a shared rollout part.
    package let loss: LoserOutcome?
    /// The scenario; nil for a shared rollout part.
    package let story: FoundScenario?
    /// The number of impressions of the first popup until the other one is suppressed.
    package var times = 1
    /// The context of a user in such a collision.
    package let user: [String: Value]
    /// True if it happens at each trigger of the second popup. Only determined if popups were
    /// named.
    package var isAtEachTrigger = false
}

/// All conflicting popups, as far as they were examined.
package struct Collisions: Sendable {
    /// The collisions in the order of schedulers and priorities, then of caps and salts.
    package fileprivate(set) var found: [Collision] = []
    /// The number of pairs that were compared.
    package fileprivate(set) var pairs = 0
    /// The number of pairs that share a trigger, a cap, or a salt and were not examined.
    package fileprivate(set) var untried = 0
    /// True if `untried` is an upper bound, because counting exactly is too much work.
    package fileprivate(set) var isUntriedAtMost = false
    /// True if there were more pairs than the limits allow.
    package fileprivate(set) var isCutShort = false
    /// The number of pairs that may meet, as far as is known, but for which no scenario was found.
    package fileprivate(set) var withoutStory = 0
    /// The date before which no scenario begins; nil if it may begin at any date.
    package let at: Timestamp?
    /// The contacts that may be possible, if only these are requested. All other contacts cause no
    /// collision, unless the search was cut short.
    fileprivate(set) var possible: Set<Contact> = []
    /// The kinds of contacts.
    fileprivate(set) var kinds: ContactKinds

    /// Two popups and what they share: twelve bytes, because there may be a million.
    struct Contact: Hashable, Sendable {
        let popups: PopupPair
        /// The number of the kind.
        let kind: UInt32
    }

    /// Something that popups share.
    enum ContactKind: Hashable, Sendable {
        case trigger
        /// A cap, as the owner and the text of the cap.
        case cap(String)
        case share
    }

    /// The numbers of the kinds of contacts.
    struct ContactKinds: Sendable {
        private var numbers: [ContactKind: UInt32] = [:]
        private(set) var capNumbers: Set<UInt32> = []

        /// The number of a kind; nil if it has none.
        subscript(kind: ContactKind) -> UInt32? { numbers[kind] }

        fileprivate mutating func number(of kind: ContactKind) -> UInt32 {
            if let known = numbers[kind] { return known }
            let number = UInt32(numbers.count)
            numbers[kind] = number
            if case .cap = kind { capNumbers.insert(number) }
            return number
        }
    }

    fileprivate init(kinds: ContactKinds, at: Timestamp?) {
        self.kinds = kinds
        self.at = at
    }

    /// Examines the popups of rules. With one chosen popup, only pairs with it; with several, only
    /// pairs among them. With a date, as users meet the popups then or later.
    package init(
        _ rules: RuleSet, among chosen: [PopupIndex] = [], at: Timestamp? = nil,
        limits: AnalysisLimits = .standard
    ) {
        let chosen = Set(chosen)
        let wanted: Wanted =
            chosen.isEmpty ? .all : chosen.count == 1 ? .of(chosen) : .among(chosen)
        self.init(rules, wanted, at: at, limits: limits)
    }

    /// Examines the wanted pairs of popups. With `isListing`, only lists possible contacts without
    /// trying scenarios. Kinds of contacts that already have numbers keep them.
    init(
        _ rules: RuleSet, _ wanted: Wanted, isListing: Bool = false, at: Timestamp? = nil,
        limits: AnalysisLimits, kinds: ContactKinds = ContactKinds()
    ) {
        var search = Search(rules, wanted, isListing: isListing, at: at, limits, kinds)
        search.lookAtTriggers()
        search.lookAtCaps()
        search.lookAtShares()
        self = search.counted
    }
}

private struct Pair {
    let one: PopupIndex
    let other: PopupIndex

    /// The pair without an order.
    var unordered: PopupPair { PopupPair(one, other) }
}

private struct Search {
    var meetings: PairAnalysis
    let wanted: Collisions.Wanted
    let isListing: Bool
    let limits: AnalysisLimits
    var result: Collisions
    var told: Set<PopupPair> = []
    /// The pairs for which a scenario was tried.
    private var triedPairs: Set<PopupPair> = []
    /// The pairs that were compared, whatever they share.
    private var looked: Set<PopupPair> = []
    /// Lists of popups that share something; any two popups of a list are a pair.
    private var lists: [[PopupIndex]] = []
    /// True if `lists` is complete.
    private var areAllListed = true
    private var steps: PairSteps
    var tried = 0

    var rules: RuleSet { meetings.rules }

    init(
        _ rules: RuleSet, _ wanted: Collisions.Wanted, isListing: Bool, at: Timestamp?,
        _ limits: AnalysisLimits, _ kinds: Collisions.ContactKinds
    ) {
        meetings = PairAnalysis(rules, at: at, limits: limits)
        self.wanted = wanted
        self.isListing = isListing
        self.limits = limits
        result = Collisions(kinds: kinds, at: at)
        steps = PairSteps(limits)
    }

    /// Examines the wanted pairs of popups in order of priority until the limit of tries is
    /// reached. `lists` keeps the popups so that all pairs can be counted.
    private mutating func lookAtPairs(
        of popups: [PopupIndex], _ look: (inout Search, Int, Int) -> Void
    ) {
        let pairs = WantedPairs(wanted, of: popups)
        lists.append(popups)
        for second in pairs.seconds {
            guard steps.take(pairs.steps(before: second)) else {
                result.isCutShort = true
                return
            }
            for first in pairs.firsts(before: second) {
                let isEnough = !isListing && tried >= limits.triedPairs
                guard !isEnough, looked.count < limits.lookedPairs, steps.take() else {
                    result.isCutShort = true
                    return
                }
                looked.insert(Pair(one: popups[first], other: popups[second]).unordered)
                look(&self, first, second)
            }
        }
    }

    /// The result, with the numbers of pairs that were examined and that were not.
    var counted: Collisions {
        var result = result
        result.pairs = looked.count
        result.withoutStory = triedPairs.subtracting(told).count
        if result.isCutShort, areAllListed {
            let all = SharingPairs(wanted, of: lists, atMostKinds: limits.countedKinds)
            result.untried = all.count - looked.count
            result.isUntriedAtMost = !all.isExact
        } else if result.isCutShort {
            let all = rules.popups.places.filter { rules.popups[$0].isEnabled }
            result.untried = WantedPairs(wanted, of: all).mostPairs - looked.count
            result.isUntriedAtMost = true
        }
        return result
    }

    /// Returns true if a scenario of a possible pair should be tried. With `isListing`, only notes
    /// the pair.
    private mutating func tries(_ pair: Pair, kind: UInt32) -> Bool {
        if isListing {
            result.possible.insert(.init(popups: pair.unordered, kind: kind))
            return false
        }
        tried += 1
        triedPairs.insert(pair.unordered)
        return true
    }

    // MARK: Triggers

    private struct Place: Hashable {
        let scheduler: LaneIndex
        let trigger: CommonTrigger
    }

    mutating func lookAtTriggers() {
        var members: [Place: [PopupIndex]] = [:]
        var order: [Place] = []
        for popup in rules.popups.places where rules.popups[popup].isEnabled {
            let rule = rules.popups[popup]
            for trigger in rule.commonTriggers {
                let place = Place(scheduler: rule.scheduler, trigger: trigger)
                if members[place] == nil { order.append(place) }
                members[place, default: []].append(popup)
            }
        }
        order.sort { left, right in
            let (one, other) = (left.trigger.rank, right.trigger.rank)
            return (left.scheduler.number, one.0, one.1, one.2)
                < (right.scheduler.number, other.0, other.1, other.2)
        }
        for place in order { lookAt(place, members: members[place] ?? []) }
    }

    private mutating func lookAt(_ place: Place, members: [PopupIndex]) {
        let isRanked = rules.schedulers[place.scheduler].strategy == .priority
        let members = members.sorted { left, right in
            let (one, other) = (rules.popups[left].priority, rules.popups[right].priority)
            return isRanked && one != other ? one > other : left < right
        }
        let kind = result.kinds.number(of: .trigger)
        // Popups with priority are compared first, before other popups come between them.
        lookAtPairs(of: members) { search, first, second in
            search.look(at: Pair(one: members[first], other: members[second]), place, kind: kind)
        }
    }

    private mutating func look(at pair: Pair, _ place: Place, kind: UInt32) {
        let (one, other) = (pair.one, pair.other)
        guard !told.contains(pair.unordered), !meetings.isSuccessor(one, other),
            !meetings.areApartByRules(one, other),
            !meetings.logic.areApart(meetings.people(one), meetings.people(other)),
            tries(pair, kind: kind)
        else { return }
        guard let encounter = meetings.meeting(of: one, and: other, at: place.trigger) else {
            return
        }
        told.insert(pair.unordered)
        add(
            .trigger(
                rules.text(of: place.trigger), scheduler: rules.schedulers[place.scheduler].name),
            encounter: encounter)
    }

    private mutating func add(_ cause: Collision.Cause, encounter: CollisionOutcome) {
        let pair = Pair(one: encounter.winner, other: encounter.loser)
        var collision = Collision(
            cause: cause, winner: encounter.winner, loser: encounter.loser, loss: encounter.loss,
            story: encounter.story, user: user(in: encounter.story, for: pair))
        if case .cap = cause {
            collision.times = max(1, encounter.story.closings(of: rules.popups[pair.one].id))
        }
        if areNamed { collision.isAtEachTrigger = meetings.isBehind(pair.other, pair.one) }
        result.found.append(collision)
    }

    /// True if specific popups were requested.
    private var areNamed: Bool {
        switch wanted {
        case .of, .among: true
        case .all, .pairs: false
        }
    }

    /// Returns the context of a user in a scenario, without the keys that change in it.
    private func user(in story: FoundScenario, for pair: Pair) -> [String: Value] {
        let changing = story.acts.flatMap { act -> [String] in
            if case .set(let values) = act { Array(values.keys) } else { [] }
        }
        return user(story.beginning, for: pair).filter { !changing.contains($0.key) }
    }

    /// Returns the context of a user, limited to keys that matter to a pair.
    private func user(_ beginning: ScenarioStart, for pair: Pair) -> [String: Value] {
        let read = meetings.keysRead(by: [pair.one, pair.other])
        let names = Set(read.map { rules.keys[$0].name })
        return beginning.context.filter { names.contains($0.key) }
    }

    // MARK: Caps

    /// A cap, its owner, and the popups that it counts.
    private struct Shared {
        let cap: WindowCap
        let owner: String
        let members: [PopupIndex]

        func cause(in rules: RuleSet) -> Collision.Cause {
            .cap(owner: owner, cap: cap.text(in: rules))
        }
    }

    mutating func lookAtCaps() {
        let counted = CountedPopups(rules)
        for group in rules.groups.places {
            for cap in rules.groups[group].caps {
                lookAt(
                    Shared(
                        cap: cap, owner: "the group `\(rules.groups[group].name)`",
                        members: counted.popups(of: group)))
            }
        }
        for lane in rules.schedulers.places {
            guard let cap = rules.schedulers[lane].cap else { continue }
            lookAt(
                Shared(
                    cap: cap, owner: "the scheduler `\(rules.schedulers[lane].name)`",
                    members: counted.popups(of: lane)))
        }
        for limit in rules.limits {
            // Lists of limits may contain the same popups repeatedly.
            guard steps.take(counted.steps(of: limit.popups)) else {
                (result.isCutShort, areAllListed) = (true, false)
                return
            }
            lookAt(
                Shared(
                    cap: limit.cap, owner: "`limits`",
                    members: counted.popups(of: limit.popups)))
        }
    }

    private mutating func lookAt(_ shared: Shared) {
        if shared.members.count < 2 { return }
        let kind = result.kinds.number(of: .cap(shared.cause(in: rules).text))
        lookAtPairs(of: shared.members) { search, first, second in
            let pair = Pair(one: shared.members[first], other: shared.members[second])
            search.look(at: pair, shared, kind: kind)
        }
    }

    private mutating func look(at pair: Pair, _ shared: Shared, kind: UInt32) {
        // A pair that was reported for its trigger isn't reported again.
        guard !told.contains(pair.unordered), !meetings.areApartByRules(pair.one, pair.other),
            !meetings.logic.areApart(meetings.users(pair.one), meetings.users(pair.other)),
            tries(pair, kind: kind)
        else { return }
        let (one, other) = (pair.one, pair.other)
        let isFirst = rules.popups[one].priority >= rules.popups[other].priority
        let order = isFirst ? [one, other] : [other, one]
        let counted = Set(shared.members)
        for (first, second) in [(order[0], order[1]), (order[1], order[0])] {
            guard
                let encounter = meetings.spending(
                    shared.cap, of: counted, first: first, then: second)
            else { continue }
            told.insert(pair.unordered)
            add(shared.cause(in: rules), encounter: encounter)
            return
        }
    }

    // MARK: Shares

    private struct Draw: Hashable {
        let key: KeyIndex
        let salt: String
    }

    mutating func lookAtShares() {
        var members: [Draw: [PopupIndex]] = [:]
        for popup in rules.popups.places where rules.popups[popup].isEnabled {
            guard let rollout = rules.popups[popup].audience.rollout else { continue }
            members[Draw(key: rollout.key, salt: rollout.salt), default: []].append(popup)
        }
        for (draw, popups) in members.sorted(by: { $0.key.salt < $1.key.salt })
        where popups.count > 1 {
            let crowds = crowds(of: popups)
            if crowds.isEmpty { continue }
            lookAtPairs(of: popups) { search, first, second in
                guard search.steps.take(crowds.count) else {
                    search.result.isCutShort = true
                    return
                }
                let crowd = crowds.first { crowd in
                    let (one, other) = (crowd.parts[first], crowd.parts[second])
                    return one.overlaps(other) && !one.holds(other) && !other.holds(one)
                }
                guard let crowd else { return }
                search.lookAt(
                    popups[first], beside: popups[second],
                    cause: .share(salt: draw.salt, total: crowd.total, since: crowd.since))
            }
        }
    }

    /// A period in which popups take more than a hundred percent in total.
    private struct Crowd {
        /// The beginning of the period; nil if the parts never change.
        let since: Timestamp?
        /// The parts in the order of the popups.
        let parts: [Range<Double>]
        let total: Double
    }

    private func crowds(of popups: [PopupIndex]) -> [Crowd] {
        let rules = popups.map { self.rules.popups[$0] }
        let changes = Set(rules.flatMap { $0.audience.rollout?.share.changes ?? [] }).sorted()
        let dates =
            changes.isEmpty ? [nil] : changes.prefix(Self.mostDates).map(Optional.some)
        return dates.compactMap { date in
            let parts = rules.map { rule in
                date.map { rule.part(at: $0) } ?? rule.constantPart
            }
            let total = Self.outermost(parts).reduce(0) { $0 + ($1.upperBound - $1.lowerBound) }
            return total > 100 ? Crowd(since: date, parts: parts, total: total) : nil
        }
    }

    /// Returns the parts without those that another part contains. If two popups have the same
    /// part, or one part contains the other, the author means the same users.
    private static func outermost(_ parts: [Range<Double>]) -> [Range<Double>] {
        var found: [Range<Double>] = []
        // Another part contains a part only if it begins no later and ends no earlier.
        let sorted = Set(parts).sorted {
            ($0.lowerBound, -$0.upperBound) < ($1.lowerBound, -$1.upperBound)
        }
        for part in sorted where found.last.map({ $0.upperBound < part.upperBound }) ?? true {
            found.append(part)
        }
        return found
    }

    /// The maximum number of dates at which the parts of popups are compared.
    private static let mostDates = 100

    private mutating func lookAt(
        _ one: PopupIndex, beside other: PopupIndex, cause: Collision.Cause
    ) {
        guard tries(Pair(one: one, other: other), kind: result.kinds.number(of: .share)) else {
            return
        }
        let areApart = meetings.logic.areApart(meetings.users(one), meetings.users(other))
        guard !areApart, let opening = meetings.opening(for: one, and: other, meeting: nil) else {
            return
        }
        told.insert(Pair(one: one, other: other).unordered)
        result.found.append(
            Collision(
                cause: cause, winner: one, loser: other, loss: nil, story: nil,
                user: user(opening.beginning, for: Pair(one: one, other: other))))
    }
}

extension PopupRule {
    /// The part of all users who may see the popup, if it never changes; all users if it does.
    fileprivate var constantPart: Range<Double> {
        switch audience.rollout?.share {
        case .range(let range)?: range
        case .steps?, nil: 0..<100
        }
    }
}

extension Range<Double> {
    fileprivate func holds(_ other: Self) -> Bool {
        lowerBound <= other.lowerBound && other.upperBound <= upperBound
    }
}

extension LoserOutcome {
    /// The cap that suppresses the popup or causes its task to be dropped.
    var cap: ReasonCode? {
        switch self {
        case .keptAway(let reason, _), .lost(let reason): reason
        case .postponed, .starved, .lapsed: nil
        }
    }
}

extension ReasonCode {
    var isOfSharedCap: Bool {
        self == .groupCap || self == .schedulerCap || self == .globalCap
    }
}
