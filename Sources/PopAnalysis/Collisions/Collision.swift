package import PopCEL
internal import PopLogic
package import PopScheduler

/// Two popups that are in each other's way, with a story that was tried on the real scheduler.
package struct Collision: Sendable {
    /// Why they meet.
    package enum Cause: Sendable, Hashable {
        /// One trigger makes tasks of both on one scheduler.
        case trigger(String, scheduler: String)
        /// A cap counts both: what has it, and what it says.
        case cap(owner: String, cap: String)
        /// Both are drawn with one salt from parts that overlap, of which all take more than a
        /// hundred percent; from a date on where parts change.
        case share(salt: String, total: Double, since: Timestamp?)
    }

    package let cause: Cause
    /// The one that goes first.
    package let winner: PopupIndex
    package let loser: PopupIndex
    /// What becomes of the other one; nil where both are drawn.
    package let loss: Loss?
    /// Nil where both are drawn.
    package let story: FoundScenario?
    /// The number of impressions of the first popup until the other one is kept away.
    package var times = 1
    /// What the app has set for a user to whom it happens.
    package let user: [String: Value]
    /// Whether it is so at each trigger of the popup that goes second; looked for where popups were
    /// named.
    package var isAtEachTrigger = false
}

/// All popups that are in each other's way, as far as they were looked at.
package struct Collisions: Sendable {
    /// In the order of schedulers and priorities, then of caps and salts.
    package fileprivate(set) var found: [Collision] = []
    /// Pairs that were held against each other.
    package fileprivate(set) var pairs = 0
    /// Pairs that share a trigger, a cap or a salt and were not looked at: counted, not gone
    /// through.
    package fileprivate(set) var untried = 0
    /// Whether `untried` is as many as there are at most, since counting them is too much work.
    package fileprivate(set) var isUntriedAtMost = false
    /// Whether there were more pairs than are looked at.
    package fileprivate(set) var isCutShort = false
    /// Pairs that nothing is known to keep apart, and for which no story was found all the same.
    package fileprivate(set) var withoutStory = 0
    /// The date before which no story begins; nil where any may be.
    package let at: Timestamp?
    /// What nothing is known to keep apart, where only that is asked for: between others there is
    /// no collision, unless it is cut short.
    fileprivate(set) var possible: Set<Contact> = []
    /// What the kinds of contacts are.
    fileprivate(set) var kinds: ContactKinds

    /// Two popups, and what they have in common: twelve bytes, since there may be a million.
    struct Contact: Hashable, Sendable {
        let popups: PopupPair
        /// The number of its kind.
        let kind: UInt32
    }

    /// What popups have in common.
    enum ContactKind: Hashable, Sendable {
        case trigger
        /// What has it, and what it says.
        case cap(String)
        case share
    }

    /// Numbers of kinds of contacts.
    struct ContactKinds: Sendable {
        private var numbers: [ContactKind: UInt32] = [:]
        private(set) var capNumbers: Set<UInt32> = []

        /// The number of a kind; nil where it has none.
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

    /// Looks at the popups of rules; where some are given, only at pairs with one of them, and with
    /// several at pairs among them. With a date, as users meet them then or later.
    package init(
        _ rules: RuleSet, among chosen: [PopupIndex] = [], at: Timestamp? = nil,
        limits: AnalysisLimits = .standard
    ) {
        let chosen = Set(chosen)
        let wanted: Wanted =
            chosen.isEmpty ? .all : chosen.count == 1 ? .of(chosen) : .among(chosen)
        self.init(rules, wanted, at: at, limits: limits)
    }

    /// Looks at some of the pairs of popups; without trying stories where only those are asked for
    /// that nothing is known to keep apart. Kinds of contacts that have numbers keep these.
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

    /// The same whichever of them is named first.
    var unordered: PopupPair { PopupPair(one, other) }
}

private struct Search {
    var meetings: Meetings
    let wanted: Collisions.Wanted
    let isListing: Bool
    let limits: AnalysisLimits
    var result: Collisions
    var told: Set<PopupPair> = []
    /// Pairs that were tried.
    private var triedPairs: Set<PopupPair> = []
    /// Pairs that were held against each other, whatever they share.
    private var looked: Set<PopupPair> = []
    /// Popups that share something, any two of which are a pair.
    private var lists: [[PopupIndex]] = []
    /// Whether these are all that there are.
    private var areAllListed = true
    private var steps: PairSteps
    var tried = 0

    var rules: RuleSet { meetings.rules }

    init(
        _ rules: RuleSet, _ wanted: Collisions.Wanted, isListing: Bool, at: Timestamp?,
        _ limits: AnalysisLimits, _ kinds: Collisions.ContactKinds
    ) {
        meetings = Meetings(rules, at: at, limits: limits)
        self.wanted = wanted
        self.isListing = isListing
        self.limits = limits
        result = Collisions(kinds: kinds, at: at)
        steps = PairSteps(limits)
    }

    /// Looks at the pairs of popups that are wanted, those that go first before others, until as
    /// many were tried as may be; the others are counted.
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

    /// What was found, with how many pairs were looked at and were not.
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

    /// Whether a story of a pair that may meet is tried; it is noted where only that is asked.
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
        // Those that go first meet before others come between them.
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

    private mutating func add(_ cause: Collision.Cause, encounter: Encounter) {
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

    /// Whether somebody asks for some popups.
    private var areNamed: Bool {
        switch wanted {
        case .of, .among: true
        case .all, .pairs: false
        }
    }

    /// The same for a story, without what changes in it.
    private func user(in story: FoundScenario, for pair: Pair) -> [String: Value] {
        let changing = story.acts.flatMap { act -> [String] in
            if case .set(let values) = act { Array(values.keys) } else { [] }
        }
        return user(story.beginning, for: pair).filter { !changing.contains($0.key) }
    }

    /// What the app has set for a user, as far as it matters to a pair.
    private func user(_ beginning: StoryBeginning, for pair: Pair) -> [String: Value] {
        let read = meetings.keysRead(by: [pair.one, pair.other])
        let names = Set(read.map { rules.keys[$0].name })
        return beginning.context.filter { names.contains($0.key) }
    }

    // MARK: Caps

    /// A cap, what has it, and the popups that it counts.
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
            // Lists of limits may hold the same popups again and again.
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
        // A pair that was told of under its trigger is not told of again.
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

    /// A time in which popups take more than a hundred percent in all.
    private struct Crowd {
        /// Nil where their parts never change.
        let since: Timestamp?
        /// As the popups stand.
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

    /// The parts without those that another one holds: an author who gives two popups the same
    /// part, or one a part of the other's, means both for the same users.
    private static func outermost(_ parts: [Range<Double>]) -> [Range<Double>] {
        var found: [Range<Double>] = []
        // Only a part that begins no later, and of these the one that ends last, may hold another.
        let sorted = Set(parts).sorted {
            ($0.lowerBound, -$0.upperBound) < ($1.lowerBound, -$1.upperBound)
        }
        for part in sorted where found.last.map({ $0.upperBound < part.upperBound }) ?? true {
            found.append(part)
        }
        return found
    }

    /// Dates at which the parts of popups are looked at.
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
    /// The part of all users who may see it, where that never changes.
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

extension Loss {
    /// The cap that keeps the popup away, or for which it is dropped.
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
