import PopCEL

/// Makes formulas of a wanted type at random.
struct FormulaGenerator {
    enum Kind: CaseIterable { case bool, int, double, string, list, map }

    var random: any RandomNumberGenerator
    /// The variables of the macros around.
    private var bound: [String] = []

    init(_ random: any RandomNumberGenerator) { self.random = random }

    /// The names that expressions may use, and their types; the values come from `values()`.
    static let variables: [(name: String, kind: Kind, type: CELType)] = [
        ("flag", .bool, .bool), ("user.new", .bool, .bool), ("count", .int, .int),
        ("user.launches", .int, .int), ("total", .double, .double), ("plan", .string, .string),
        ("user.name", .string, .string), ("numbers", .list, .list(.int)),
        ("limits", .map, .map(.string, .int)),
    ]

    /// Returns values for the variables; some variables have no value.
    mutating func values() -> [String: Value] {
        var values: [String: Value] = [:]
        for variable in Self.variables where chance(9, in: 10) {
            values[variable.name] = constant(variable.kind)
        }
        return values
    }

    mutating func formula(_ kind: Kind, depth: Int) -> Formula {
        // Now and then something of another type, which only evaluating finds out.
        if depth > 0, chance(1, in: 25), let other = Kind.allCases.randomElement(using: &random) {
            return .call("dyn", formula(other, depth: depth - 1))
        }
        if depth == 0 || chance(1, in: 6) { return leaf(kind) }
        if chance(1, in: 8) {
            return .conditional(
                formula(.bool, depth: depth - 1), formula(kind, depth: depth - 1),
                formula(kind, depth: depth - 1))
        }
        return switch kind {
        case .bool: bool(depth: depth - 1)
        case .int: int(depth: depth - 1)
        case .double: double(depth: depth - 1)
        case .string: .binary(formula(.string, depth: depth - 1), "+", string(depth: depth - 1))
        case .list: list(depth: depth - 1)
        case .map: leaf(.map)
        }
    }
}

extension FormulaGenerator {
    private mutating func chance(_ part: Int, in whole: Int) -> Bool {
        Int.random(in: 0..<whole, using: &random) < part
    }

    private mutating func one(of words: String...) -> String {
        words[Int.random(in: 0..<words.count, using: &random)]
    }

    private mutating func leaf(_ kind: Kind) -> Formula {
        if kind == .int, !bound.isEmpty, chance(1, in: 2) {
            return .variable(bound[Int.random(in: 0..<bound.count, using: &random)])
        }
        let names = Self.variables.filter { $0.kind == kind }.map(\.name)
        if !names.isEmpty, chance(2, in: 3) {
            return .variable(names[Int.random(in: 0..<names.count, using: &random)])
        }
        return .constant(constant(kind))
    }

    private mutating func constant(_ kind: Kind) -> Value {
        switch kind {
        case .bool: return .bool(Bool.random(using: &random))
        case .int:
            return .int(
                chance(1, in: 12)
                    ? [.min, .max, .max - 1][Int.random(in: 0..<3, using: &random)]
                    : Int64.random(in: -3...9, using: &random))
        case .double: return .double(Double(Int.random(in: -8...8, using: &random)) / 4)
        case .string:
            return .string(one(of: "", "a", "b", "ab", "é", "free", "a longer text than fits"))
        case .list:
            return .list((0..<Int.random(in: 0...4, using: &random)).map { _ in constant(.int) })
        case .map:
            let keys = ["a", "b", "free"].filter { _ in Bool.random(using: &random) }
            return .map(ValueMap(keys.map { (.string($0), constant(.int)) }))
        }
    }

    private mutating func bool(depth: Int) -> Formula {
        switch Int.random(in: 0..<12, using: &random) {
        case 0...3:
            return .binary(
                formula(.bool, depth: depth), one(of: "&&", "||"), formula(.bool, depth: depth))
        case 4: return .unary("!", formula(.bool, depth: depth))
        case 5...6:
            let kinds: [Kind] = [.int, .double, .string, .int]
            let left = kinds[Int.random(in: 0..<4, using: &random)]
            let right: Kind = left == .int && chance(1, in: 4) ? .double : left
            let sign = one(of: "<", "<=", ">", ">=")
            guard left == right else {
                return .binary(
                    .call("dyn", formula(left, depth: depth)), sign, formula(right, depth: depth))
            }
            return .binary(formula(left, depth: depth), sign, formula(right, depth: depth))
        case 7:
            let kind = Kind.allCases[Int.random(in: 0..<6, using: &random)]
            return .binary(
                formula(kind, depth: depth), one(of: "==", "!="), formula(kind, depth: depth))
        case 8:
            return .binary(
                formula(.int, depth: depth), "in", formula(.list, depth: depth))
        case 9:
            return chance(1, in: 2)
                ? .binary(formula(.string, depth: depth), "in", leaf(.map))
                : .has(.variable("limits"), one(of: "a", "b"))
        case 10:
            return .method(
                formula(.string, depth: depth), one(of: "startsWith", "endsWith", "contains"),
                formula(.string, depth: depth))
        default: return macro(one(of: "all", "exists", "exists_one"), .bool, depth: depth)
        }
    }

    private mutating func int(depth: Int) -> Formula {
        switch Int.random(in: 0..<8, using: &random) {
        case 0...3:
            return .binary(
                formula(.int, depth: depth), one(of: "+", "-", "*", "/", "%"),
                formula(.int, depth: depth))
        case 4: return .unary("-", formula(.int, depth: depth))
        case 5: return .call("size", formula(chance(1, in: 2) ? .string : .list, depth: depth))
        case 6: return .index(formula(.list, depth: depth), formula(.int, depth: depth))
        default:
            return chance(1, in: 2)
                ? .index(leaf(.map), formula(.string, depth: depth))
                : .call("int", formula(.double, depth: depth))
        }
    }

    private mutating func double(depth: Int) -> Formula {
        chance(1, in: 3)
            ? .call("double", formula(.int, depth: depth))
            : .binary(
                formula(.double, depth: depth), one(of: "+", "-", "*", "/"),
                formula(.double, depth: depth))
    }

    private mutating func string(depth: Int) -> Formula {
        chance(1, in: 3)
            ? .call("string", formula(.int, depth: depth)) : formula(.string, depth: depth)
    }

    private mutating func list(depth: Int) -> Formula {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: .list((0..<2).map { _ in formula(.int, depth: depth) })
        case 1: .binary(formula(.list, depth: depth), "+", formula(.list, depth: depth))
        case 2: macro("map", .int, depth: depth)
        default: macro("filter", .bool, depth: depth)
        }
    }

    private mutating func macro(_ name: String, _ body: Kind, depth: Int) -> Formula {
        let list = formula(.list, depth: min(depth, 1))
        let variable = "x\(bound.count)"
        bound.append(variable)
        defer { bound.removeLast() }
        return .macro(list, name, variable, formula(body, depth: depth))
    }
}
