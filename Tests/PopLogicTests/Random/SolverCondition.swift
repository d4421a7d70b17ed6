import PopCEL
import PopTestSupport

/// A random condition in the language of rules, and when it is true and false in SMT-LIB, the
/// language of solvers. For others it fails.
struct SolverCondition {
    var text: String
    var yes: String
    var no: String
}

/// Makes conditions that a solver understands completely: Booleans, integers and strings over a
/// small alphabet.
struct SolverConditions {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    static let variables = [
        Variable("flag", type: .bool), Variable("beta", type: .bool, mayBeMissing: true),
        Variable("count", type: .int, minimum: .int(0), maximum: .int(5)),
        Variable("other", type: .int, minimum: .int(0), maximum: .int(5)),
        Variable("number", type: .int, mayBeMissing: true),
        Variable("name", type: .string, mayBeMissing: true), Variable("screen", type: .string),
    ]

    /// The declarations of the variables for a solver.
    static let declarations = [
        "(declare-const flag Bool)", "(declare-const beta Bool)", "(declare-const has_beta Bool)",
        "(declare-const count Int)", "(declare-const other Int)", "(declare-const number Int)",
        "(declare-const has_number Bool)", "(declare-const name String)",
        "(declare-const has_name Bool)", "(declare-const screen String)",
        "(assert (and (<= 0 count 5) (<= 0 other 5)))",
        "(assert (<= (- 9223372036854775808) number 9223372036854775807))",
    ]

    mutating func condition(depth: Int) -> SolverCondition {
        guard depth > 0 else { return test() }
        let (left, right) = (condition(depth: depth - 1), condition(depth: depth - 1))
        switch number(in: 0...8) {
        case 0...3:
            return SolverCondition(
                text: "(\(left.text) && \(right.text))", yes: "(and \(left.yes) \(right.yes))",
                no: "(or \(left.no) \(right.no))")
        case 4...5:
            return SolverCondition(
                text: "(\(left.text) || \(right.text))", yes: "(or \(left.yes) \(right.yes))",
                no: "(and \(left.no) \(right.no))")
        case 6: return SolverCondition(text: "!(\(left.text))", yes: left.no, no: left.yes)
        case 7:
            let last = test()
            return SolverCondition(
                text: "(\(left.text) ? \(right.text) : \(last.text))",
                yes: "(or (and \(left.yes) \(right.yes)) (and \(left.no) \(last.yes)))",
                no: "(or (and \(left.yes) \(right.no)) (and \(left.no) \(last.no)))")
        default:
            return SolverCondition(
                text: "((\(left.text)) == (\(right.text)))",
                yes: "(or (and \(left.yes) \(right.yes)) (and \(left.no) \(right.no)))",
                no: "(or (and \(left.yes) \(right.no)) (and \(left.no) \(right.yes)))")
        }
    }

    private mutating func number(in range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &random)
    }

    private mutating func one(_ words: String...) -> String {
        words[number(in: 0...words.count - 1)]
    }
}

// MARK: Tests of one value

extension SolverConditions {
    private mutating func test() -> SolverCondition {
        switch number(in: 0...9) {
        case 0: return reading(one("flag", "beta"))
        case 1:
            let name = one("beta", "number", "name")
            return SolverCondition(
                text: "has(\(name))", yes: "has_\(name)", no: "(not has_\(name))")
        case 2, 3: return ordered(one("count", "other", "number"), number(in: -1...6))
        case 4: return ordered("count - other", number(in: -2...2), as: "(- count other)")
        default: return textTest(one("name", "screen"))
        }
    }

    /// A test of a name that may have no value, for which it fails.
    private func test(of name: String, _ text: String, _ formula: String) -> SolverCondition {
        let isThere = ["beta", "number", "name"].contains(name) ? "has_\(name)" : "true"
        return SolverCondition(
            text: text, yes: "(and \(isThere) \(formula))",
            no: "(and \(isThere) (not \(formula)))")
    }

    private func reading(_ name: String) -> SolverCondition { test(of: name, name, name) }

    private mutating func ordered(
        _ name: String, _ bound: Int, as term: String? = nil
    ) -> SolverCondition {
        let sign = one("<", "<=", ">", ">=", "==", "!=")
        let number = bound < 0 ? "(- \(-bound))" : "\(bound)"
        return test(
            of: name, "\(name) \(sign) \(bound)", Self.compared(term ?? name, sign, number))
    }

    private static func compared(_ left: String, _ sign: String, _ right: String) -> String {
        switch sign {
        case "==": "(= \(left) \(right))"
        case "!=": "(not (= \(left) \(right)))"
        default: "(\(sign) \(left) \(right))"
        }
    }

    private mutating func textTest(_ name: String) -> SolverCondition {
        let word = one("a", "b", "ab", "ba", "aab")
        switch number(in: 0...7) {
        case 0:
            return test(
                of: name, "\(name).startsWith(\"\(word)\")", "(str.prefixof \"\(word)\" \(name))")
        case 1:
            return test(
                of: name, "\(name).endsWith(\"\(word)\")", "(str.suffixof \"\(word)\" \(name))")
        case 2:
            return test(
                of: name, "\(name).contains(\"\(word)\")", "(str.contains \(name) \"\(word)\")")
        case 3:
            let sign = one("==", "!=")
            return test(
                of: name, "\(name) \(sign) \"\(word)\"",
                Self.compared(name, sign, "\"\(word)\""))
        case 4:
            let (sign, bound) = (one("<", ">", "=="), number(in: 0...3))
            return test(
                of: name, "size(\(name)) \(sign) \(bound)",
                Self.compared("(str.len \(name))", sign, "\(bound)"))
        case 5:
            return test(of: name, "\(name) < \"\(word)\"", "(str.< \(name) \"\(word)\")")
        default: return matching(name)
        }
    }
}

// MARK: Patterns

extension SolverConditions {
    /// A pattern, as it is written and as a solver has it.
    private struct Pattern {
        var text: String
        var term: String
    }

    private mutating func matching(_ name: String) -> SolverCondition {
        let pattern = pattern(depth: 2)
        let (isFirst, isLast) = (number(in: 0...1) == 1, number(in: 0...1) == 1)
        let text = (isFirst ? "^" : "") + "(\(pattern.text))" + (isLast ? "$" : "")
        let parts = [isFirst ? nil : "re.all", pattern.term, isLast ? nil : "re.all"]
            .compactMap { $0 }
        let whole = parts.count == 1 ? parts[0] : "(re.++ \(parts.joined(separator: " ")))"
        return test(of: name, "\(name).matches(\"\(text)\")", "(str.in_re \(name) \(whole))")
    }

    private mutating func pattern(depth: Int) -> Pattern {
        guard depth > 0 else {
            switch number(in: 0...4) {
            case 0:
                return Pattern(text: ".", term: "(re.diff re.allchar (str.to_re \"\\u{a}\"))")
            case 1:
                return Pattern(text: "[ab]", term: "(re.union (str.to_re \"a\") (str.to_re \"b\"))")
            case 2: return Pattern(text: "[^a]", term: "(re.diff re.allchar (str.to_re \"a\"))")
            default:
                let letter = one("a", "b")
                return Pattern(text: letter, term: "(str.to_re \"\(letter)\")")
            }
        }
        let (left, right) = (pattern(depth: depth - 1), pattern(depth: depth - 1))
        switch number(in: 0...5) {
        case 0, 1, 2:
            return Pattern(
                text: left.text + right.text, term: "(re.++ \(left.term) \(right.term))")
        case 3:
            return Pattern(
                text: "(\(left.text)|\(right.text))", term: "(re.union \(left.term) \(right.term))")
        case 4: return Pattern(text: "(\(left.text))*", term: "(re.* \(left.term))")
        default: return Pattern(text: "(\(left.text))+", term: "(re.+ \(left.term))")
        }
    }
}
