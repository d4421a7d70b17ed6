public import PopScheduler
public import PopSource
internal import PopYAML

/// The goal of a popup: the event that it should lead to.
public struct GoalModel: Sendable {
    /// Its name; nil if it is invalid.
    public var name: Located<String>?
    /// The name of an entry of `events`; nil if it is invalid.
    public var event: Located<String>?
    /// The condition that the event must meet; it may read `event`.
    public var `where`: Located<ConditionModel>?
    /// The time after an exposure in which the event converts it; nil if it is invalid.
    public var within: Located<Duration>?
    /// The effect of a matching event on the popup; nil for none.
    public var ends: Located<Goal.Ending?>?
}

extension Table<GoalModel> {
    static let goal = Table(
        "a goal",
        keys: [
            Key(
                "name", format: .goalName, store: { $0.name = $1 }, alsoCalled: ["id", "goal"],
                summary: "the name of the goal in reports of conversions"
            ).required.such(as: "buy"),
            Key(
                "event", format: .reference(to: "event"), store: { $0.event = $1 },
                alsoCalled: ["on", "trigger", "events"],
                summary: "the event that the app sends when the user reaches the goal"
            ).required,
            Key(
                "where", format: .condition, store: { $0.where = $1 },
                alsoCalled: ["when", "condition", "if", "filter"],
                summary: "the condition that the event must meet; it may read `event`"),
            Key(
                "within", format: .within, store: { $0.within = $1 },
                alsoCalled: ["window", "in", "for", "attribution_window", "lookback", "period"],
                summary: "how long the event counts after the popup was seen, or would have been"
                    + " seen by users in control"
            ).required.such(as: "7d"),
            Key(
                "ends", format: .goalEnding, default: "false", store: { $0.ends = $1 },
                alsoCalled: ["end", "stops", "stop", "ends_popup", "final", "exit"],
                summary: "whether the goal ends the popup for the user, seen or not: `true`, or for"
                    + " how long"),
        ])
}

extension Format<[Located<GoalModel>]> {
    /// A list of goals with different names.
    static var goals: Self {
        let goal = Format<GoalModel>.table(.goal, startingWith: GoalModel())
        let list = Self.list(of: goal, minimum: 1)
        return Format(list.schema) { node, decoder in
            // That there are goals is known of those that cannot be read too.
            if let named = decoder.goalsByName(node) {
                return decoder.mismatch(list.schema, at: node, readings: [Reading(named)]) ?? []
            }
            return list.read(node, &decoder).map { decoder.eachOnce($0) } ?? []
        }
    }
}

extension Format<String> {
    fileprivate static var goalName: Self {
        let schema = Schema.pattern(
            phrase: "the name of a goal such as `buy`", expression: "^[A-Za-z_][A-Za-z0-9_]*$")
        return Format(schema) { node, decoder in
            guard case .string? = node.coreValue else { return decoder.mismatch(schema, at: node) }
            return decoder.name(node, of: "goal", form: .id)?.value
        }
    }
}

extension Format<Duration> {
    /// The time in which an event counts: it is required, and has an end.
    fileprivate static var within: Self {
        let time = duration(atLeast: 1)
        return Format(time.schema) { node, decoder in
            guard let text = node.scalar?.text.lowercased(),
                Double(text) == 0 || wordsForEnding[text] != nil
            else { return time.read(node, &decoder) }
            return decoder.mismatch(time.schema, at: node, help: [helpWithWithin])
        }
    }
}

private let helpWithWithin =
    "write how long the event counts after the popup was seen, such as `within: 7d`; the maximum"
    + " is `36500d`"

extension Format<Goal.Ending?> {
    /// True if it ends the popup permanently, or the length of a pause.
    fileprivate static var goalEnding: Self {
        let schema = Schema.either([.bool, .duration(minimum: 1)])
        return Format(schema) { node, decoder in
            if case .bool(let isOver)? = node.coreValue { return .some(isOver ? .forGood : nil) }
            if let text = node.scalar?.text, let flag = wordsForEnding[text.lowercased()] {
                return decoder.mismatch(schema, at: node, readings: [Reading(flag)])
            }
            return decoder.duration(node, atLeast: 1, schema: schema).map { .pause($0) }
        }
    }
}

/// Common words for permanently and for not at all.
private let wordsForEnding = wordTable([
    ("yes on always forever for_good permanently ever unlimited infinite", "true"),
    ("no off never not none", "false"),
])

extension Decoder {
    /// The list that is meant by a map of names to goals; nil for anything else.
    fileprivate func goalsByName(_ node: YAMLNode) -> String? {
        guard node.kind == .mapping, !node.entries.isEmpty else { return nil }
        var items: [String] = []
        for entry in node.entries {
            let text = source.text(in: entry.value.range)
            guard entry.value.kind == .mapping, entry.value["name"] == nil, text.hasPrefix("{"),
                !entry.value.entries.isEmpty
            else { return nil }
            items.append(
                "{ name: \(entry.key.nameForMessages), \(text.dropFirst().drop { $0 == " " })")
        }
        let list = "[\(items.joined(separator: ", "))]"
        return list.utf8.count > 160 || list.contains("\n") ? nil : list
    }

    /// The first of those with one name; reports the others.
    fileprivate mutating func eachOnce(_ goals: [Located<GoalModel>]) -> [Located<GoalModel>] {
        var first: [String: SourceRange] = [:]
        return goals.filter { goal in
            guard let name = goal.value.name else { return true }
            guard let place = first[name.value] else {
                first[name.value] = name.range
                return true
            }
            report(.goalTwice(name, first: place))
            return false
        }
    }
}

extension Diagnostic {
    fileprivate static func goalTwice(_ name: Located<String>, first: SourceRange) -> Self {
        Diagnostic(
            .refDuplicateID, message: "the popup has two goals `\(name.value)`", at: name.range,
            label: "declared again", secondary: [Label("first declared here", at: first)],
            help: ["rename one of them; the first is used"])
    }
}
