import PopCEL
import PopTestSupport

/// Makes conditions at random, over keys of all kinds.
struct RandomCondition {
    var random: SeededGenerator
    /// The names of conditions that may be used.
    var named: [String] = []

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    static let zones = [
        "timestamp(\"2026-01-01T00:00:00Z\")", "timestamp(\"2026-01-03T00:00:00Z\")",
    ]

    /// The variables that conditions may read.
    static var variables: [Variable] {
        [
            Variable("flag", type: .bool), Variable("beta", type: .bool, mayBeMissing: true),
            Variable("count", type: .int, minimum: .int(0), maximum: .int(5)),
            Variable("other", type: .int, minimum: .int(0), maximum: .int(5)),
            Variable("number", type: .int, mayBeMissing: true),
            Variable("amount", type: .uint), Variable("total", type: .double, mayBeMissing: true),
            Variable("share", type: .double, minimum: .double(0), maximum: .double(1)),
            Variable(
                "plan", type: .string, allowedValues: [.string("free"), .string("pro"), "team"]),
            Variable("name", type: .string, mayBeMissing: true), Variable("screen", type: .string),
            Variable("tags", type: .list(.string)),
            Variable("scores", type: .list(.int), mayBeMissing: true),
            Variable("limits", type: .map(.string, .int), mayBeMissing: true),
            Variable("app", type: .version, mayBeMissing: true),
            Variable("now", type: .timestamp),
            Variable("seen", type: .timestamp, mayBeMissing: true),
            Variable("wait", type: .duration),
        ]
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &random)
    }

    mutating func one(_ words: String...) -> String { words[number(0...words.count - 1)] }

    mutating func condition(depth: Int) -> String {
        if depth == 0 { return test() }
        let (left, right) = (condition(depth: depth - 1), condition(depth: depth - 1))
        switch number(0...9) {
        case 0...3: return "(\(left) && \(right))"
        case 4...6: return "(\(left) || \(right))"
        case 7: return "!(\(left))"
        case 8: return "(\(left) ? \(right) : \(test()))"
        default: return "((\(left)) \(one("==", "!=")) (\(right)))"
        }
    }

    private mutating func order() -> String { one("<", "<=", ">", ">=", "==", "!=") }

    /// Numbers of different types have an order only.
    private mutating func inequality() -> String { one("<", "<=", ">", ">=") }

    private mutating func test() -> String {
        switch number(0...15) {
        case 0: return one("flag", "beta", "flag", "true", "has(beta)")
        case 1: return named.isEmpty ? "flag" : named[number(0...named.count - 1)]
        case 2: return "\(one("count", "other", "number")) \(order()) \(number(-1...6))"
        case 3:
            return one(
                "number \(inequality()) \(number(-2...3)).5",
                "amount \(order()) \(number(0...3))u", "amount \(inequality()) 2",
                "count in [1, 3]", "number \(inequality()) 9007199254740993.0")
        case 4:
            return "total \(order()) \(one("0.0", "-0.0", "1.5", "2.5", "double('inf')"))"
        case 5: return "share \(order()) \(one("0.0", "0.5", "1.0", "2.0"))"
        case 6: return one("plan", "name", "screen") + " \(one("==", "!=")) \"\(word())\""
        case 7: return "\(one("plan", "name")) in [\"\(word())\", \"\(word())\"]"
        case 8, 9: return textTest()
        case 10: return listTest()
        case 11: return mapTest()
        case 12: return "app \(order()) version(\"\(one("1", "1.2", "1.10", "2.0.0-beta"))\")"
        case 13: return timeTest()
        case 14: return differenceTest()
        default: return freeTest()
        }
    }

    private mutating func word() -> String {
        one("free", "pro", "team", "a", "ab", "", "b")
    }

    private mutating func textTest() -> String {
        let text = one("name", "screen", "plan", "name.lowerAscii()", "screen.upperAscii()")
        switch number(0...6) {
        case 0: return "\(text).startsWith(\"\(one("a", "fr", "ab", "A"))\")"
        case 1: return "\(text).endsWith(\"\(one("b", "o", "ee", "B"))\")"
        case 2: return "\(text).contains(\"\(one("a", "ba", "r", "AB"))\")"
        case 3: return "\(text).matches(\"\(one("^[ab]+$", "o$", "a.b", "^p|m$"))\")"
        case 4: return "\(one("name", "screen")) \(order()) \"\(one("ab", "b", "pro"))\""
        case 5: return "size(\(one("name", "screen"))) \(order()) \(number(0...3))"
        default: return "\(text) \(one("==", "!=")) \"\(one("ab", "AB", "pro"))\""
        }
    }

    private mutating func listTest() -> String {
        switch number(0...7) {
        case 0: return "\"\(word())\" in tags"
        case 1: return "\(number(0...3)) in scores"
        case 2: return "size(\(one("tags", "scores"))) \(order()) \(number(0...3))"
        case 3: return "tags.\(one("exists", "all"))(t, t.startsWith(\"\(one("a", "b"))\"))"
        case 4: return "tags.\(one("exists", "all"))(t, t == \"\(word())\" || t == \"ab\")"
        case 5: return "scores.\(one("exists", "all"))(s, s \(order()) \(number(0...3)))"
        case 6: return "has(scores)"
        default: return "scores.exists_one(s, s \(order()) 1)"
        }
    }

    private mutating func mapTest() -> String {
        switch number(0...4) {
        case 0: return "has(limits.\(one("a", "b")))"
        case 1: return "\"\(one("a", "b"))\" in limits"
        case 2: return "limits[\"a\"] \(order()) \(number(0...2))"
        case 3: return "has(limits)"
        default: return "limits.\(one("a", "b")) \(order()) \(number(0...2))"
        }
    }

    private mutating func timeTest() -> String {
        let date = Self.zones[number(0...1)]
        return one(
            "\(one("now", "seen")) \(order()) \(date)", "now \(order()) seen",
            "wait \(order()) duration(\"\(one("1h", "48h", "0s"))\")", "has(seen)")
    }

    private mutating func differenceTest() -> String {
        one(
            "now - seen \(order()) duration(\"48h\")", "seen + duration(\"24h\") \(order()) now",
            "count - other \(order()) \(number(-2...2))", "count \(order()) other",
            "count + 1 \(order()) other", "number - count \(order()) 1",
            "number \(inequality()) amount",
            "now - duration(\"48h\") \(order()) seen", "other \(order()) number")
    }

    private mutating func freeTest() -> String {
        one(
            "count * 2 \(order()) \(number(0...8))", "name \(order()) screen",
            "count % 2 == \(number(0...1))", "scores[0] \(order()) 1", "tags == [\"a\"]",
            "int(name) > 0", "10 / count \(order()) 3", "share * 2.0 \(order()) 1.0")
    }
}
