@testable import PopCEL

/// An expression that writes itself as text, and evaluates itself by walking its tree: slow, and
/// plain to read.
indirect enum Formula {
    case constant(Value)
    case variable(String)
    case unary(String, Formula)
    case binary(Formula, String, Formula)
    case conditional(Formula, Formula, Formula)
    case call(String, Formula)
    case method(Formula, String, Formula)
    case index(Formula, Formula)
    case has(Formula, String)
    case list([Formula])
    /// A macro over a list; its variable is `x` with the depth.
    case macro(Formula, String, String, Formula)

    var text: String {
        switch self {
        case .constant(let value): "(\(value))"
        case .variable(let name): name
        case .unary(let sign, let operand): "\(sign)(\(operand.text))"
        case .binary(let left, let sign, let right): "(\(left.text) \(sign) \(right.text))"
        case .conditional(let condition, let one, let other):
            "(\(condition.text) ? \(one.text) : \(other.text))"
        case .call(let name, let argument): "\(name)(\(argument.text))"
        case .method(let target, let name, let argument):
            "\(target.text).\(name)(\(argument.text))"
        case .index(let target, let position): "\(target.text)[\(position.text)]"
        case .has(let target, let key): "has(\(target.text).\(key))"
        case .list(let elements): "[\(elements.map(\.text).joined(separator: ", "))]"
        case .macro(let list, let name, let variable, let body):
            "\(list.text).\(name)(\(variable), \(body.text))"
        }
    }

    /// The formula with variables replaced by their values, so that a compiler may fold all of it.
    func replacing(_ variables: [String: Value]) -> Formula {
        func replaced(_ formula: Formula) -> Formula { formula.replacing(variables) }
        return switch self {
        case .constant, .has(.constant, _): self
        case .variable(let name): variables[name].map { .constant($0) } ?? self
        case .unary(let sign, let operand): .unary(sign, replaced(operand))
        case .binary(let left, let sign, let right):
            .binary(replaced(left), sign, replaced(right))
        case .conditional(let condition, let one, let other):
            .conditional(replaced(condition), replaced(one), replaced(other))
        case .call(let name, let argument): .call(name, replaced(argument))
        case .method(let target, let name, let argument):
            .method(replaced(target), name, replaced(argument))
        case .index(let target, let position): .index(replaced(target), replaced(position))
        case .has(let target, let key): .has(replaced(target), key)
        case .list(let elements): .list(elements.map(replaced))
        case .macro(let list, let name, let variable, let body):
            .macro(replaced(list), name, variable, replaced(body))
        }
    }
}

// MARK: Evaluation

extension Formula {
    /// Nil for an error.
    func evaluate(_ variables: [String: Value]) -> Value? {
        switch self {
        case .constant(let value): value
        case .variable(let name): variables[name]
        case .unary(let sign, let operand): Self.unary(sign, operand.evaluate(variables))
        case .binary(let left, "&&", let right):
            Self.absorbing([left.evaluate(variables), right.evaluate(variables)], deciding: false)
        case .binary(let left, "||", let right):
            Self.absorbing([left.evaluate(variables), right.evaluate(variables)], deciding: true)
        case .binary(let left, let sign, let right):
            Self.binary(left.evaluate(variables), sign, right.evaluate(variables))
        case .conditional(let condition, let one, let other):
            switch condition.evaluate(variables) {
            case .bool(let isTrue)?: (isTrue ? one : other).evaluate(variables)
            default: nil
            }
        case .call(let name, let argument):
            argument.evaluate(variables).flatMap { Self.call(name, $0) }
        case .method(let target, let name, let argument):
            Self.method(target.evaluate(variables), name, argument.evaluate(variables))
        case .index(let target, let position):
            Self.index(target.evaluate(variables), position.evaluate(variables))
        case .has(let target, let key):
            if case .map(let map)? = target.evaluate(variables) {
                .bool(map[.string(key)] != nil)
            } else {
                nil
            }
        case .list(let elements): Self.all(elements.map { $0.evaluate(variables) }).map(Value.list)
        case .macro(let list, let name, let variable, let body):
            Self.macro(list.evaluate(variables), name) { element in
                body.evaluate(variables.merging([variable: element]) { $1 })
            }
        }
    }

    private static func all(_ values: [Value?]) -> [Value]? {
        let found = values.compactMap { $0 }
        return found.count == values.count ? found : nil
    }

    /// An error counts for nothing when another operand decides.
    private static func absorbing(_ operands: [Value?], deciding: Bool) -> Value? {
        if operands.contains(.bool(deciding)) { return .bool(deciding) }
        return operands.allSatisfy { $0 == .bool(!deciding) } ? .bool(!deciding) : nil
    }

    private static func unary(_ sign: String, _ operand: Value?) -> Value? {
        switch (sign, operand) {
        case ("!", .bool(let flag)?): .bool(!flag)
        case ("-", .int(let number)?): number == .min ? nil : .int(-number)
        case ("-", .double(let number)?): .double(-number)
        default: nil
        }
    }

    private static func binary(_ left: Value?, _ sign: String, _ right: Value?) -> Value? {
        guard let left, let right else { return nil }
        switch sign {
        case "==": return .bool(left == right)
        case "!=": return .bool(left != right)
        case "<", "<=", ">", ">=": return compare(left, sign, right).map(Value.bool)
        case "in":
            if case .list(let list) = right { return .bool(list.contains(left)) }
            if case .map(let map) = right { return .bool(map[left] != nil) }
            return nil
        default: return arithmetic(left, sign, right)
        }
    }

    private static func compare(_ left: Value, _ sign: String, _ right: Value) -> Bool? {
        func ordered<Operand: Comparable>(_ left: Operand, _ right: Operand) -> Bool {
            switch sign {
            case "<": left < right
            case "<=": left <= right
            case ">": left > right
            default: left >= right
            }
        }
        switch (left, right) {
        case (.int(let left), .int(let right)): return ordered(left, right)
        case (.double(let left), .double(let right)): return ordered(left, right)
        case (.string(let left), .string(let right)):
            let isLess = left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
            return ordered(isLess ? -1 : left == right ? 0 : 1, 0)
        case (.bool(let left), .bool(let right)): return ordered(left ? 1 : 0, right ? 1 : 0)
        case (.int(let left), .double(let right)):
            // Doubles in the samples are small or infinite, ints small or extreme: no rounding
            // decides.
            return ordered(Double(left), right)
        case (.double(let left), .int(let right)): return ordered(left, Double(right))
        default: return nil
        }
    }

    private static func arithmetic(_ left: Value, _ sign: String, _ right: Value) -> Value? {
        switch (left, right) {
        case (.int(let left), .int(let right)): integer(left, sign, right)
        case (.double(let left), .double(let right)):
            switch sign {
            case "+": .double(left + right)
            case "-": .double(left - right)
            case "*": .double(left * right)
            case "/": .double(left / right)
            default: nil
            }
        case (.string(let left), .string(let right)): sign == "+" ? .string(left + right) : nil
        case (.list(let left), .list(let right)): sign == "+" ? .list(left + right) : nil
        default: nil
        }
    }

    private static func integer(_ left: Int64, _ sign: String, _ right: Int64) -> Value? {
        let (result, overflow) =
            switch sign {
            case "+": left.addingReportingOverflow(right)
            case "-": left.subtractingReportingOverflow(right)
            case "*": left.multipliedReportingOverflow(by: right)
            case "/": left.dividedReportingOverflow(by: right)
            default: left.remainderReportingOverflow(dividingBy: right)
            }
        return overflow ? nil : .int(result)
    }

    private static func call(_ name: String, _ argument: Value) -> Value? {
        switch (name, argument) {
        case ("dyn", _): argument
        case ("size", .string(let text)): .int(Int64(text.unicodeScalars.count))
        case ("size", .list(let list)): .int(Int64(list.count))
        case ("size", .map(let map)): .int(Int64(map.count))
        case ("int", .double(let number)):
            number > -0x1p63 && number < 0x1p63 ? .int(Int64(number)) : nil
        case ("int", .int), ("double", .double), ("string", .string): argument
        case ("int", .string(let text)): Int64(text).map(Value.int)
        case ("double", .int(let number)): .double(Double(number))
        case ("double", .string(let text)): Double(text).map(Value.double)
        case ("string", .int(let number)): .string(String(number))
        case ("string", .bool(let flag)): .string(String(flag))
        case ("string", .double(let number)): .string(NumberText.string(number))
        default: nil
        }
    }

    private static func method(_ target: Value?, _ name: String, _ argument: Value?) -> Value? {
        guard case .string(let text)? = target, case .string(let part)? = argument else {
            return nil
        }
        switch name {
        case "startsWith": return .bool(text.hasPrefix(part))
        case "endsWith": return .bool(text.hasSuffix(part))
        default: return .bool(part.isEmpty || text.contains(part))
        }
    }

    private static func index(_ target: Value?, _ position: Value?) -> Value? {
        switch (target, position) {
        case (.list(let list)?, .int(let position)?):
            position >= 0 && position < list.count ? list[Int(position)] : nil
        case (.list, .double(let position)?): index(target, Int64(exactly: position).map(Value.int))
        case (.map(let map)?, let key?): map[key]
        default: nil
        }
    }

    private static func macro(
        _ list: Value?, _ name: String, _ body: (Value) -> Value?
    ) -> Value? {
        let elements: [Value]
        switch list {
        case .list(let list)?: elements = list
        case .map(let map)?: elements = map.keys
        default: return nil
        }
        let results = elements.map(body)
        switch name {
        case "all": return absorbing(results, deciding: false)
        case "exists": return absorbing(results, deciding: true)
        case "map": return all(results).map(Value.list)
        default:
            guard let found = all(results) else { return nil }
            guard found.allSatisfy({ if case .bool = $0 { true } else { false } }) else {
                return nil
            }
            let kept = zip(elements, found).filter { $0.1 == .bool(true) }.map(\.0)
            return name == "filter" ? .list(kept) : .bool(kept.count == 1)
        }
    }
}
