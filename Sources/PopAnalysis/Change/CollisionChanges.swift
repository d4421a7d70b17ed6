internal import PopScheduler

/// The collisions that a change of rules brings, and those that it ends: of pairs that nothing kept
/// apart before, and nothing does now, nothing is said.
struct CollisionChanges {
    private(set) var lines: [RuleChanges.Line] = []

    /// Of pairs in which one of the popups takes part that have these ids.
    init(of ids: Set<String>, from earlier: RuleSet, to later: RuleSet, limits: AnalysisLimits) {
        if ids.isEmpty { return }
        let former = Contacts(ids, earlier, limits)
        let latter = Contacts(ids, later, limits)
        if former.isCutShort || latter.isCutShort {
            note(untried: "pairs of popups that may meet, since they are too many")
            return
        }
        let new = latter.collisions(without: former)
        let old = former.collisions(without: latter)
        lines = new.found.map { latter.line("appears", for: $0) }
        lines += old.found.map { former.line("goes", for: $0) }
        if new.untried > 0 {
            let count = new.untried == 1 ? "1 pair" : "\(new.untried) pairs"
            note(untried: "\(count) of popups that may meet now")
        }
    }

    private mutating func note(untried text: String) {
        lines.append(RuleChanges.Line(key: "not looked at", text: text))
    }
}

/// Two popups by their ids, and what they have in common.
private struct NamedContact: Hashable {
    let popups: Set<String>
    let kind: Collisions.Contact.Kind

    init(_ contact: Collisions.Contact, _ rules: RuleSet) {
        popups = Set(contact.popups.map { rules.popups[$0].id })
        kind = contact.kind
    }
}

/// Which popups nothing is known to keep apart in one of two rule sets.
private struct Contacts {
    private let rules: RuleSet
    private let limits: AnalysisLimits
    private let possible: [NamedContact: Collisions.Contact]
    let isCutShort: Bool

    init(_ ids: Set<String>, _ rules: RuleSet, _ limits: AnalysisLimits) {
        self.rules = rules
        var limits = limits
        let tried = limits.triedPopupsOfChange / max(rules.popups.count, 1)
        limits.triedPairs = min(limits.triedPairs, tried)
        self.limits = limits
        let popups = Set(rules.popups.places.filter { ids.contains(rules.popups[$0].id) })
        let collisions = Collisions(rules, .of(popups), isListing: true, limits: limits)
        isCutShort = collisions.isCutShort
        var possible: [NamedContact: Collisions.Contact] = [:]
        for contact in collisions.possible { possible[NamedContact(contact, rules)] = contact }
        self.possible = possible
    }

    /// The collisions of those that are kept apart in the other rules, and how many were not tried.
    func collisions(without other: Contacts) -> (found: [Collision], untried: Int) {
        let wanted = possible.filter { other.possible[$0.key] == nil }.map { $0.value }
        if wanted.isEmpty { return ([], 0) }
        let pairs = Set(wanted.map { $0.popups })
        let collisions = Collisions(rules, .pairs(pairs), limits: limits)
        return (
            collisions.found.filter { wanted.contains($0.contact) }, collisions.untried
        )
    }

    func line(_ key: String, for collision: Collision) -> RuleChanges.Line {
        let names = [collision.winner, collision.loser].map { "`\(rules.popups[$0].id)`" }
        var details = [collision.text(in: rules)]
        if !collision.user.isEmpty {
            details.append("such as context: \(StoryAct.map(collision.user))")
        }
        return RuleChanges.Line(
            key: key, text: "\(names[0]) and \(names[1]), \(collision.cause.text)",
            details: details)
    }
}

extension Collision {
    fileprivate var contact: Collisions.Contact {
        let kind: Collisions.Contact.Kind =
            switch cause {
            case .trigger: .trigger
            case .cap: .cap
            case .share: .share
            }
        return Collisions.Contact(popups: [winner, loser], kind: kind)
    }
}
