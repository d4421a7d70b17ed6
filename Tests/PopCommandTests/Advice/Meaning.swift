import PopCEL
import PopScheduler
import PopSource
import PopTestSupport

/// A comparison that finds out if two rule sets mean the same, by evaluating conditions.
enum Meaning {
    /// Returns the values for which the conditions of a set differ before and after a fix; nil if
    /// they agree, or if one of them can't be read.
    ///
    /// If the author's text fails, any result is allowed.
    static func difference(
        _ before: AdvisedWorkspace, _ after: AdvisedWorkspace, about finding: Diagnostic,
        _ fix: Diagnostic.Fix
    ) -> String? {
        guard finding.level != .error, let old = before.rules, let new = after.rules else {
            return nil
        }
        for (name, condition) in old.namedPrograms {
            guard let other = new.namedPrograms[name] else { return "\(name) is gone" }
            if let difference = difference(condition, in: old, other, in: new) {
                return "\(name): \(difference)"
            }
        }
        return nil
    }

    /// A moment at which the first gives true or false and the second something else.
    static func difference(
        _ first: PopCEL.Program, in firstRules: RuleSet, _ second: PopCEL.Program,
        in secondRules: RuleSet
    ) -> String? {
        let constants = first.expression.literals + second.expression.literals
        var moments = Moments(firstRules, secondRules, constants)
        moments.look(at: first, in: firstRules)
        moments.look(at: second, in: secondRules)
        for moment in moments.all {
            let expected = first.isTrue(moment.values(for: firstRules))
            let found = second.isTrue(moment.values(for: secondRules))
            switch (expected, found) {
            case (.yes, .yes), (.no, .no), (.error, _): continue
            default: return "for \(moment): \(expected), but \(found)"
            }
        }
        return nil
    }
}

extension RuleSet {
    /// The conditions of a set, by the key that contains them.
    fileprivate var namedPrograms: [String: PopCEL.Program] {
        var programs: [String: PopCEL.Program] = [:]
        for condition in conditions { programs[condition.name] = condition.condition.program }
        for popup in popups {
            programs["\(popup.id).when"] = popup.when?.program
            programs["\(popup.id).dismiss_when"] = popup.dismissWhen?.program
        }
        return programs
    }
}

/// A moment: what each thing that conditions read is.
struct Moment: CustomStringConvertible {
    private(set) var facts: [(name: String, value: SlotValue)]

    var description: String { facts.map { "\($0.name) \($0.value)" }.joined(separator: ", ") }

    func values(for rules: RuleSet) -> SlotValues {
        var values = SlotValues(count: rules.slots.count)
        for slot in rules.slots.places {
            let name = rules.name(of: rules.slots[slot])
            if let fact = facts.first(where: { $0.name == name }) { values[slot] = fact.value }
        }
        return values
    }
}

/// The moments that tell two conditions apart: all combinations of the constants that occur, or a
/// sample of them.
private struct Moments {
    private let constants: [Value]
    private var choices: [(name: String, values: [SlotValue])] = []
    private static let limit = 5_000

    init(_ first: RuleSet, _ second: RuleSet, _ constants: [Value]) {
        self.constants = constants + first.constants + second.constants
    }

    mutating func look(at program: PopCEL.Program, in rules: RuleSet) {
        for slot in program.slots {
            let meaning = rules.slots[slot]
            let name = rules.name(of: meaning)
            guard !choices.contains(where: { $0.name == name }) else { continue }
            choices.append((name, values(of: meaning, in: rules)))
        }
    }

    var all: [Moment] {
        let count = choices.reduce(1) { min($0 * max($1.values.count, 1), 1 << 40) }
        var generator = SeededGenerator(seed: 1)
        return (0..<min(count, Self.limit)).map { number in
            var rest = count <= Self.limit ? number : Int.random(in: 0..<count, using: &generator)
            return Moment(
                facts: choices.map { choice in
                    defer { rest /= choice.values.count }
                    return (choice.name, choice.values[rest % choice.values.count])
                })
        }
    }

    private func values(of meaning: SlotMeaning, in rules: RuleSet) -> [SlotValue] {
        switch meaning {
        case .key(let index):
            let key = rules.keys[index]
            let values = key.allowedValues ?? near(key.type)
            return values.map { .value($0) } + (key.defaultValue == nil ? [.missing] : [])
        case .condition, .scheduleOpen: return [.value(.bool(true)), .value(.bool(false))]
        case .now: return near(.timestamp).map { .value($0) }
        case .session(let fact):
            return near(fact.type).map { .value($0) } + (fact.mayBeMissing ? [.missing] : [])
        case .lastShown, .lastEvent, .lastActed:
            return near(.timestamp).map { .value($0) } + [.missing]
        case .shownCount, .exposedCount, .closedCount, .acted, .eventCount:
            return near(.int).map { .value($0) }
        case .converted: return near(.bool).map { .value($0) }
        case .variant, .lastAction: return near(.string).map { .value($0) }
        case .lastReason: return near(.string).map { .value($0) } + [.missing]
        case .sinceEvent:
            return near(.duration).map { .value($0) } + [.value(.duration(.endless))]
        case .eventSum(let sum): return near(sum.type).map { .value($0) }
        case .payload: return [.value(.map([:])), .missing]
        case .payloadField(let event, let field):
            return near(rules.events[event].fields[field].type).map { .value($0) } + [.missing]
        }
    }

    /// The constants of a type that occur, and their neighbours.
    private func near(_ type: CELType) -> [Value] {
        var values: [Value]
        switch type {
        case .bool: values = [.bool(true), .bool(false)]
        case .int: values = [.int(0)]
        case .uint: values = [.uint(0)]
        case .double: values = [.double(0)]
        case .string: values = [.string(""), .string("another")]
        case .timestamp: values = [.timestamp(Timestamp(seconds: 1_795_000_000))]
        case .duration: values = [.duration(.zero)]
        case .version:
            values = ["0", "1.2", "1.12.0-rc.1", "1.12", "3"].compactMap {
                Version($0).map { .version($0) }
            }
        case .list(let element):
            let elements = Array(near(element).prefix(4))
            values = [.list([]), .list(elements)] + elements.map { .list([$0]) }
        default: values = [.null]
        }
        for constant in constants where constant.type == type { values += constant.neighbours }
        return values
    }
}

extension Value {
    fileprivate var neighbours: [Value] {
        switch self {
        case .int(let value): [.int(value &- 1), self, .int(value &+ 1)]
        case .uint(let value): [self, .uint(value &+ 1)]
        case .double(let value): [.double(value - 0.5), self, .double(value + 0.5)]
        case .duration(let value):
            [.duration(value - .seconds(1)), self, .duration(value + .seconds(1))]
        case .timestamp(let value):
            [self, .timestamp(Timestamp(seconds: value.seconds + 1))]
        default: [self]
        }
    }
}

extension RuleSet {
    fileprivate var constants: [Value] {
        popups.flatMap { ($0.when?.program.expression.literals ?? []) }
            + conditions.flatMap { $0.condition.program.expression.literals }
    }

    /// Returns a name for the meaning of a slot that is the same in two sets.
    fileprivate func name(of meaning: SlotMeaning) -> String {
        switch meaning {
        case .key(let index): keys[index].name
        case .condition(let index): conditions[index].name
        case .shownCount(let popup): "popups.\(popups[popup].id).shown_count"
        case .lastShown(let popup): "popups.\(popups[popup].id).last_shown"
        case .lastReason(let popup): "popups.\(popups[popup].id).last_reason"
        case .lastAction(let popup): "popups.\(popups[popup].id).last_action"
        case .closedCount(let popup): "popups.\(popups[popup].id).closed_count"
        case .converted(let popup): "popups.\(popups[popup].id).converted"
        case .acted(let popup, let action): "acted \(popups[popup].id) \(action)"
        case .lastActed(let popup, let action): "last_acted \(popups[popup].id) \(action)"
        case .payloadField(let event, let field):
            "\(events[event].name).\(events[event].fields[field].name)"
        default: "\(meaning)"
        }
    }
}
