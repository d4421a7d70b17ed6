import PopSource
import PopTestSupport

/// Rule files with one change, such as a hand in haste makes: a value of another kind, a key too
/// few, too many, or under another name.
struct MutatedRules {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// The members of an object are those of `file`, one of which is changed.
    ///
    /// The context stays: its allowed values decide about values elsewhere, which a schema can't
    /// check.
    mutating func next(_ file: JSON) -> JSON {
        guard case .object(var members) = file else { return file }
        let changeable = members.indices.filter { members[$0].key != "context" }
        guard let index = changeable.randomElement(using: &generator) else { return file }
        if oneIn(12) { return changed(members) }
        members[index].value = mutated(members[index].value)
        return .object(members)
    }

    /// A change somewhere inside of a value.
    private mutating func mutated(_ value: JSON) -> JSON {
        switch value {
        case .object(var members) where !members.isEmpty:
            if oneIn(4) { return changed(members) }
            let index = Int.random(in: members.indices, using: &generator)
            members[index].value = mutated(members[index].value)
            return .object(members)
        case .array(var items) where !items.isEmpty && !oneIn(3):
            let index = Int.random(in: items.indices, using: &generator)
            items[index] = mutated(items[index])
            return .array(items)
        default: return odd()
        }
    }

    /// A key less, one more, or one of another name.
    private mutating func changed(_ members: [JSON.Member]) -> JSON {
        var members = members
        let index = Int.random(in: members.indices, using: &generator)
        let name = Self.names.randomElement(using: &generator) ?? "x"
        switch Int.random(in: 0...3, using: &generator) {
        case 0: members.remove(at: index)
        case 1: members[index].value = odd()
        case _ where members.contains { $0.key == name }: members[index].value = odd()
        case 2: members[index].key = name
        default: members.append(JSON.Member(key: name, value: odd()))
        }
        return .object(members)
    }

    private mutating func odd() -> JSON { Self.values.randomElement(using: &generator) ?? .null }
    private mutating func oneIn(_ count: Int) -> Bool {
        Int.random(in: 1...count, using: &generator) == 1
    }

    private static let values: [JSON] = [
        .null, true, false, .int(0), .int(1), .int(-1), .int(2_000_000), .double(2.5), "", "x",
        "1s",
        "0s", "1h30m", "30m1h", "start", "manual", "high", "2026-11-01", "9:00-21:00", "mon",
        "sun-mon", "calendar_day", "fifo", "latent", "true", "12", [], ["x"], ["mon"], [.int(1)],
        ["1s", "2s"], ["start", "manual"], .object([]), .object(["a": .int(1)]),
        .object(["event": "x"]), .object(["event": "x", "changed": "y"]), .object(["all": [true]]),
        .object(["all": true]), .object(["any": [], "none": []]),
        .object(["x": .object(["gte": .int(1)])]), .object(["x": .object(["atleast": .int(1)])]),
        .object(["max": .int(1), "per": "1d"]), [.object(["max": .int(1), "per": "1d"])],
        .object(["percent": .int(1), "by": "x"]), .object(["zone": "Europe/Berlin"]),
    ]

    private static let names = [
        "description", "tags", "enabled", "scheduler", "group", "priority", "trigger", "when",
        "switch",
        "after", "delay", "grace_time", "hide_after", "schedule", "cap", "rollout", "template",
        "content", "examples", "max", "per", "event", "changed", "where", "nth", "every", "from",
        "until", "days", "hours", "zone", "lifetime", "windows", "percent", "by", "strategy",
        "tie_break", "gap", "type", "required", "match", "all", "any", "none", "poprules", "popups",
        "groups", "now", "in", "a-b", "2nd", "x-y", "nonsense", "UPPER", "a.b",
    ]
}
