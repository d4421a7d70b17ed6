package import PopCEL
internal import PopExplanations
public import PopLogic
internal import PopScenario
public import PopScheduler
public import PopSource

/// The users who may see a popup, in a short description that is equivalent to its conditions.
public struct Audience: Sendable {
    /// The users who meet some conditions.
    public struct Group: Sendable {
        /// The lines of the description. Each describes some users, and together they describe all.
        public let lines: [String]
        /// True if the lines describe the excluded users: the group is everyone else.
        public let isExcept: Bool
        /// True if the conditions are quoted as their author wrote them, because no shorter
        /// description was found.
        public let isAsWritten: Bool

        /// All users.
        static let everyone = Group(lines: ["everyone"], isExcept: false, isAsWritten: false)
        /// No user.
        static let nobody = Group(lines: ["nobody"], isExcept: false, isAsWritten: false)

        /// True if no users belong to it.
        var isNobody: Bool { lines == Self.nobody.lines && !isExcept }
    }

    /// A trigger, and the events that its `where` lets pass; nil if it has no `where`.
    public struct Cause: Sendable {
        /// The trigger, such as `event purchase`.
        public let trigger: String
        /// The events that pass.
        public let events: Group?
    }

    /// The id of the popup.
    public let popup: String
    /// The triggers of the popup.
    public let causes: [Cause]
    /// The users who may see it then.
    public let users: Group
    /// Other restrictions of users or times, by key, in the order of the keys.
    public let others: [(key: String, text: String)]
    /// A user who may see it; nil if all users may, or if none was found.
    package let inside: Person?
    /// A user who narrowly may not see it; nil if none was found.
    package let outside: Person?

    /// Creates the audience of a popup.
    public init(
        of index: PopupIndex, in rules: RuleSet, declarations: Declarations? = nil,
        limits: AnalysisLimits = .standard
    ) {
        var audiences = Audiences(of: rules, declarations: declarations, limits: limits)
        self = audiences.audience(of: index)
    }

    fileprivate init(
        of popup: String, causes: [Cause], people: Audiences.People,
        others: [(key: String, text: String)]
    ) {
        self.popup = popup
        self.causes = causes
        users = people.group
        inside = people.inside
        outside = people.outside
        self.others = others
    }
}

/// The audiences of popups of one rule set. Shared conditions are analyzed once, and what all
/// popups need is computed once: with a new value for each popup, the time would grow with the
/// square of their number.
package struct Audiences {
    /// The users who meet a demand.
    fileprivate struct People {
        var group: Audience.Group
        /// A user in the group, and a user who narrowly isn't; nil if none was found.
        var inside: Person?
        var outside: Person?
    }

    /// The conditions of a demand. Programs with the same source are identical.
    private struct Key: Hashable {
        var met: [ObjectIdentifier]
        var unmet: [ObjectIdentifier]

        init(_ demand: Requirement) {
            met = demand.met.map(\.identity)
            unmet = demand.unmet.map(\.identity)
        }
    }

    private let rules: RuleSet
    private let declarations: Declarations
    private let words: AudienceText
    private let limits: AnalysisLimits
    private var known: [Key: People] = [:]
    /// The number of times that popups read each entry.
    private lazy var readers = ReaderCounts(of: rules).counts

    package init(
        of rules: RuleSet, declarations: Declarations? = nil, limits: AnalysisLimits = .standard
    ) {
        self.rules = rules
        self.declarations = (declarations ?? Declarations(rules)).whileShowing()
        words = AudienceText(rules: rules, declarations: self.declarations)
        self.limits = limits
    }

    package mutating func audience(of index: PopupIndex) -> Audience {
        let popup = rules.popups[index]
        var causes: [Audience.Cause] = []
        for trigger in popup.triggers {
            var events: Audience.Group?
            if case .event(let event) = trigger, let condition = event.where {
                events = people(meeting: Requirement([condition.program])).group
            }
            causes.append(
                Audience.Cause(trigger: RulePhrases(rules).name(of: trigger), events: events))
        }
        return Audience(
            of: popup.id, causes: causes, people: people(meeting: popup.demand(in: rules)),
            others: RulePhrases(rules).limits(of: popup))
    }

    private mutating func people(meeting demand: Requirement) -> People {
        let key = Key(demand)
        if let people = known[key] { return people }
        var logic = Logic(
            of: demand.conditions, declarations: declarations, limits: limits.logic)
        var people = People(group: Audience.Group(demand, &logic, words))
        let isForAll = people.group.lines == Audience.Group.everyone.lines && !people.group.isExcept
        if !isForAll {
            if case .no(let witness) = logic.isNever(demand) {
                people.inside = Person(witness, words)
            }
            // If the group is empty, a user who is narrowly outside is like any other user.
            if !people.group.isNobody {
                people.outside = logic.witness(justOutside: demand, readers: readers)
                    .map { Person($0, words) }
            }
        }
        known[key] = people
        return people
    }
}

extension Audience.Group {
    /// Creates the group of users who meet a named condition, described by its requirements.
    package init(
        meeting condition: ConditionIndex, in rules: RuleSet, limits: AnalysisLimits = .standard
    ) {
        let declarations = Declarations(rules)
        let program = rules.conditions[condition].condition.program
        var logic = Logic(of: [program], declarations: declarations, limits: limits.logic)
        self.init(
            Requirement([program]), &logic, AudienceText(rules: rules, declarations: declarations),
            byName: false)
    }

    init(
        _ demand: Requirement, _ logic: inout Logic, _ words: AudienceText, byName: Bool = true
    ) {
        if demand.isEmpty {
            self = .everyone
            return
        }
        if byName, let (name, isMet) = logic.name(of: demand) {
            let cover = isMet ? logic.cover(of: demand) : logic.cover(ofAllBut: demand)
            self.init(
                lines: [words.line(name, asking: cover?.lines ?? [])], isExcept: !isMet,
                isAsWritten: false)
            return
        }
        let cover = logic.cover(of: demand)
        let others = logic.cover(ofAllBut: demand)
        if let others, cover.map({ others.size < $0.size }) ?? true, !others.lines.isEmpty {
            self.init(
                lines: others.lines.map { words.line($0) }, isExcept: true, isAsWritten: false)
        } else if let cover {
            self.init(
                lines: cover.lines.isEmpty
                    ? Self.nobody.lines : cover.lines.map { words.line($0) }, isExcept: false,
                isAsWritten: false)
        } else {
            let met = demand.met.map { "`\($0.expression.description)`" }
            let unmet = demand.unmet.map { "not `\($0.expression.description)`" }
            self.init(
                lines: [(met + unmet).joined(separator: ", ")], isExcept: false,
                isAsWritten: true)
        }
    }

    /// The text before the first line.
    package var start: String { isExcept ? "everyone, except if " : "" }

    /// The lines as text, with `or` before all but the first.
    package var texts: [String] {
        lines.enumerated().map { $0.offset == 0 ? start + $0.element : "or \($0.element)" }
    }

    var json: JSON {
        .object([
            "except": isExcept ? .bool(true) : nil, "written": isAsWritten ? .bool(true) : nil,
            "lines": .array(lines.map { .string($0) }),
        ])
    }
}

extension PopupRule {
    /// Returns the conditions that must hold when the popup shows. If the windows of its schedule
    /// have different conditions, any window may be the open one, so that their conditions are left
    /// out.
    package func demand(in rules: RuleSet, isLater: Bool = false) -> Requirement {
        let shared = group.flatMap { rules.groups[$0].when }
        return Requirement(
            [shared, when, commonWindowCondition].compactMap { $0?.program },
            unmet: [dismissWhen].compactMap { $0?.program }, isLater: isLater)
    }

    /// The condition that all windows of the schedule share; nil if they differ or there is no
    /// window.
    var commonWindowCondition: Condition? {
        let condition = timing.schedule.first?.when
        return timing.schedule.allSatisfy { $0.when == condition } ? condition : nil
    }
}

extension Audience {
    /// A description for users, with several lines.
    public var text: String {
        var lines = [popup]
        for cause in causes {
            let events = cause.events?.texts ?? []
            lines.append(
                "  trigger    \(cause.trigger)" + (events.isEmpty ? "" : ", where \(events[0])"))
            lines += events.dropFirst().map { "             \($0)" }
        }
        for (position, line) in users.texts.enumerated() {
            lines.append((position == 0 ? "  to         " : "             ") + line)
        }
        for (key, text) in others {
            lines.append("  \(key.padded(to: 11))\(text)")
        }
        if let inside { lines.append("  example    \(inside.text)") }
        if let outside { lines.append("  not shown  \(outside.text)") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A description for programs.
    public var json: JSON {
        .object([
            "popup": .string(popup),
            "triggers": .array(
                causes.map {
                    .object(["trigger": .string($0.trigger), "where": $0.events?.json])
                }),
            "users": users.json,
            "others": .array(
                others.map { .object(["key": .string($0.key), "text": .string($0.text)]) }),
            "inside": inside?.json, "outside": outside?.json,
        ])
    }
}

extension Person {
    package var json: JSON {
        .object([
            "context": .string(context), "event": event.map { .string($0) },
            "others": others.isEmpty ? nil : .array(others.map { .string($0) }),
        ])
    }
}

extension String {
    func padded(to width: Int) -> String {
        count < width ? self + String(repeating: " ", count: width - count) : self + " "
    }
}

extension Audience {
    /// Returns the audiences of several popups.
    public static func all(
        of popups: [PopupIndex], in rules: RuleSet, declarations: Declarations? = nil,
        limits: AnalysisLimits = .standard
    ) -> [Audience] {
        var audiences = Audiences(of: rules, declarations: declarations, limits: limits)
        return popups.map { audiences.audience(of: $0) }
    }
}

/// An example user, in the notation of a test file.
package struct Person: Sendable, Hashable {
    /// The values of context keys, such as `{ user.plan: pro }`.
    package let context: String
    /// The same by key, as values; nil for a key that has no value.
    package let values: [String: Value?]
    /// The fields of the event, such as `{ total: 20.0 }`; nil if conditions read none.
    package let event: String?
    /// The same by field, as values.
    package let payload: [String: Value]
    /// Other entries that conditions read, by name and value.
    package let others: [String]

    init(_ witness: Witness, _ words: AudienceText) {
        var context: [(String, String)] = []
        var values: [String: Value?] = [:]
        var event: [(String, String)] = []
        var payload: [String: Value] = [:]
        var others: [String] = []
        for fact in witness.facts {
            let name = words.name(fact.entry)
            if words.declarations.isUnset(fact.entry) { continue }
            if case .key? = words.declarations.slotMeaning(fact.entry) {
                values.updateValue(fact.value, forKey: name)
                if let value = fact.value { context.append((name, value.yaml)) }
            } else if case .condition? = words.declarations.slotMeaning(fact.entry) {
                continue
            } else if case .scheduleOpen? = words.declarations.slotMeaning(fact.entry) {
                // The schedule is always open while something shows.
                continue
            } else if case .payloadField? = words.declarations.slotMeaning(fact.entry) {
                guard let value = fact.value else { continue }
                let field = String(name.dropFirst("event.".count))
                event.append((field, value.yaml))
                payload[field] = value
            } else {
                // A popup that was never shown has neither a count nor a last date; report it once.
                let text = words.fact(fact.entry, value: fact.value)
                if !others.contains(text) { others.append(text) }
            }
        }
        self.context = YAMLText.map(context)
        self.values = values
        self.event = event.isEmpty ? nil : YAMLText.map(event)
        self.payload = payload
        self.others = others
    }

    /// The user on one line.
    package var text: String {
        var parts = event.map { ["event: \($0)"] } ?? []
        if values.contains(where: { $0.value != nil }) { parts.append("context: \(context)") }
        parts += others.map { "with \($0)" }
        return parts.isEmpty ? "a user without any values" : parts.joined(separator: ", ")
    }
}

/// The number of times that conditions of popups read a key or an event, directly or through named
/// conditions.
struct ReaderCounts {
    /// The count for each entry that conditions read, at most `most`.
    private(set) var counts: [SlotTable.Entry: Int] = [:]

    /// A maximum that is large enough to compare. A chain of conditions that use each other twice
    /// doubles the count at each step.
    private static let most = 1 << 40

    /// Counts the reads. Examines each condition once, even if popups share it.
    init(of rules: RuleSet) {
        var programs: [ObjectIdentifier: (program: Program, popups: Int)] = [:]
        for program in rules.popups.lazy.flatMap({ $0.demand(in: rules).conditions }) {
            programs[program.identity, default: (program, 0)].popups += 1
        }
        for (program, popups) in programs.values {
            for (_, entry) in program.slotEntries { add(popups, to: entry) }
        }
        addNamed(in: rules)
    }

    /// Adds the entries that named conditions read. Each follows all conditions that use its name.
    private mutating func addNamed(in rules: RuleSet) {
        var entries: [SlotTable.Entry: [SlotTable.Entry]] = [:]
        for condition in rules.conditions {
            entries[.variable(identity: condition.name)] =
                condition.condition.program.slotEntries.map(\.entry)
        }
        var uses: [SlotTable.Entry: Int] = [:]
        for entry in entries.values.joined() where entries[entry] != nil {
            uses[entry, default: 0] += 1
        }
        var ready = entries.keys.filter { uses[$0] == nil }
        while let name = ready.popLast() {
            for entry in entries[name] ?? [] {
                add(counts[name] ?? 0, to: entry)
                guard let left = uses[entry] else { continue }
                uses[entry] = left - 1
                if left == 1 { ready.append(entry) }
            }
        }
    }

    private mutating func add(_ count: Int, to entry: SlotTable.Entry) {
        counts[entry] = min((counts[entry] ?? 0) + count, Self.most)
    }
}
