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
    private let stage: PreparedRules
    private let limits: AnalysisLimits
    private let possible: [NamedContact: Collisions.Contact]
    /// The pairs that share a cap.
    private let capped: Set<Set<String>>
    let isCutShort: Bool

    private var rules: RuleSet { stage.rules }

    init(_ ids: Set<String>, _ rules: RuleSet, _ limits: AnalysisLimits) {
        stage = PreparedRules(rules)
        var limits = limits
        let tried = limits.triedPopupsOfChange / max(rules.popups.count, 1)
        limits.triedPairs = min(limits.triedPairs, tried)
        self.limits = limits
        let popups = Set(rules.popups.places.filter { ids.contains(rules.popups[$0].id) })
        let collisions = Collisions(rules, .of(popups), isListing: true, limits: limits)
        isCutShort = collisions.isCutShort
        var possible: [NamedContact: Collisions.Contact] = [:]
        var capped: Set<Set<String>> = []
        for contact in collisions.possible {
            let named = NamedContact(contact, rules)
            possible[named] = contact
            if case .cap = contact.kind { capped.insert(named.popups) }
        }
        self.possible = possible
        self.capped = capped
    }

    /// The collisions of those that are kept apart in the other rules, or share another cap there,
    /// and how many were not tried.
    func collisions(without other: Contacts) -> (found: [Collision], untried: Int) {
        let wanted = possible.filter { other.possible[$0.key] == nil }
        if wanted.isEmpty { return ([], 0) }
        // Those that share a cap in both, and those that do now.
        var (otherwise, newly): (Set<Set<PopupIndex>>, Set<Set<PopupIndex>>) = ([], [])
        for (named, contact) in wanted {
            guard case .cap = contact.kind else { continue }
            if other.capped.contains(named.popups) {
                otherwise.insert(contact.popups)
            } else {
                newly.insert(contact.popups)
            }
        }
        let contacts = Set(wanted.values)
        let collisions = Collisions(
            rules, .pairs(Set(contacts.map { $0.popups })), limits: limits)
        let found = collisions.found.filter { collision in
            let pair = collision.contact.popups
            let isCapped = collision.loss?.cap?.isOfSharedCap == true
            if isCapped, otherwise.contains(pair) { return !other.happens(collision, of: rules) }
            return contacts.contains(collision.contact)
                || isCapped && newly.contains(pair) && !other.happens(collision, of: rules)
        }
        return (found, collisions.untried)
    }

    /// Whether the popup that goes second stays away by these rules too.
    private func happens(_ collision: Collision, of rules: RuleSet) -> Bool {
        guard let story = collision.story else { return false }
        var run = StoryRun(story.beginning, on: stage)
        for act in story.acts { run.take(act) }
        return run.shown[rules.popups[collision.loser].id] == nil
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
            case .cap: .cap(cause.text)
            case .share: .share
            }
        return Collisions.Contact(popups: [winner, loser], kind: kind)
    }
}
