internal import PopScenario
internal import PopScheduler
internal import PopSource

/// The collisions that a change of rules adds, and those that it removes. Pairs that could meet
/// both before and after the change aren't reported.
struct CollisionChanges {
    private(set) var lines: [RuleChanges.Line] = []

    /// Compares pairs that contain one of the popups with these ids.
    init(of ids: Set<String>, from earlier: RuleSet, to later: RuleSet, limits: AnalysisLimits) {
        if ids.isEmpty { return }
        let former = Contacts(ids, earlier, limits)
        let latter = Contacts(ids, later, limits, kinds: former.kinds)
        if former.isCutShort || latter.isCutShort {
            note(untried: "too many pairs of popups that may compete")
            return
        }
        let new = latter.collisions(without: former)
        let old = former.collisions(without: latter)
        lines = new.found.map { latter.line("new", for: $0) }
        lines += old.found.map { former.line("resolved", for: $0) }
        if new.untried > 0 {
            let count = new.untried == 1 ? "1 pair" : "\(new.untried) pairs"
            note(untried: "\(count) of popups that may compete now")
        }
    }

    private mutating func note(untried text: String) {
        lines.append(RuleChanges.Line(key: "not checked", text: text))
    }
}

/// The contacts that are possible in one of two rule sets, as far as is known.
private struct Contacts {
    private let stage: PreparedRules
    private let limits: AnalysisLimits
    private let possible: Set<Collisions.Contact>
    /// The numbers of kinds, which are the same in both rule sets.
    let kinds: Collisions.ContactKinds
    /// The pairs that share a cap.
    private let capped: Set<PopupPair>
    /// The indexes of popups by their ids.
    private let places: [String: PopupIndex]
    let isCutShort: Bool

    private var rules: RuleSet { stage.rules }

    init(
        _ ids: Set<String>, _ rules: RuleSet, _ limits: AnalysisLimits,
        kinds: Collisions.ContactKinds = Collisions.ContactKinds()
    ) {
        stage = PreparedRules(rules)
        var limits = limits
        let tried = limits.triedPopupsOfChange / max(rules.popups.count, 1)
        limits.triedPairs = min(limits.triedPairs, tried)
        self.limits = limits
        var places: [String: PopupIndex] = [:]
        for place in rules.popups.places { places[rules.popups[place].id] = place }
        self.places = places
        let popups = Set(ids.compactMap { places[$0] })
        let collisions = Collisions(
            rules, .of(popups), isListing: true, limits: limits, kinds: kinds)
        isCutShort = collisions.isCutShort
        possible = collisions.possible
        self.kinds = collisions.kinds
        let caps = collisions.kinds.capNumbers
        capped = Set(collisions.possible.lazy.filter { caps.contains($0.kind) }.map(\.popups))
    }

    /// Returns the collisions of pairs that don't meet in the other rules, or share a different cap
    /// there, and the number of pairs that were not tried.
    func collisions(without other: Contacts) -> (found: [Collision], untried: Int) {
        // The same pair in the other rules; nil if one of the two popups is missing there.
        let theirs = rules.popups.map { other.places[$0.id] }
        func counterpart(of pair: PopupPair) -> PopupPair? {
            guard let one = theirs[pair.first.number], let second = theirs[pair.second.number]
            else { return nil }
            return PopupPair(one, second)
        }
        let wanted = possible.filter { contact in
            counterpart(of: contact.popups).map { pair in
                !other.possible.contains(.init(popups: pair, kind: contact.kind))
            } ?? true
        }
        if wanted.isEmpty { return ([], 0) }
        // The pairs that share a cap in both rule sets, and those that share one only in these.
        var (otherwise, newly): (Set<PopupPair>, Set<PopupPair>) = ([], [])
        for contact in wanted where kinds.capNumbers.contains(contact.kind) {
            if counterpart(of: contact.popups).map(other.capped.contains) ?? false {
                otherwise.insert(contact.popups)
            } else {
                newly.insert(contact.popups)
            }
        }
        let table = PairTable(Set(wanted.lazy.map(\.popups)))
        let collisions = Collisions(rules, .pairs(table), limits: limits)
        let found = collisions.found.filter { collision in
            let pair = PopupPair(collision.winner, collision.loser)
            let isCapped = collision.loss?.cap?.isOfSharedCap == true
            if isCapped, otherwise.contains(pair) { return !other.happens(collision, of: rules) }
            let isWanted = kinds[collision.kind].map { kind in
                wanted.contains(.init(popups: pair, kind: kind))
            }
            return isWanted ?? false
                || isCapped && newly.contains(pair) && !other.happens(collision, of: rules)
        }
        return (found, collisions.untried)
    }

    /// Returns true if the second popup is suppressed with these rules too.
    private func happens(_ collision: Collision, of rules: RuleSet) -> Bool {
        guard let story = collision.story else { return false }
        var run = ScenarioRun(story.beginning, on: stage, within: limits.budget)
        for act in story.acts { run.take(act) }
        return run.shown[rules.popups[collision.loser].id] == nil
    }

    func line(_ key: String, for collision: Collision) -> RuleChanges.Line {
        let names = [collision.winner, collision.loser].map { "`\(rules.popups[$0].id)`" }
        var details = [collision.text(in: rules)]
        if !collision.user.isEmpty {
            details.append("example: context: \(YAMLText.map(collision.user))")
        }
        return RuleChanges.Line(
            key: key, text: "\(names[0]) and \(names[1]), \(collision.cause.text)",
            details: details)
    }
}

extension Collision {
    /// Something that the two popups share.
    fileprivate var kind: Collisions.ContactKind {
        switch cause {
        case .trigger: .trigger
        case .cap: .cap(cause.text)
        case .share: .share
        }
    }
}
