/// An operator of the language.
package enum Operator: UInt8, Sendable {
    case and, or, conditional
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual, `in`
    case add, subtract, multiply, divide, modulo
    case not, negate
    case index, optionalIndex

    /// The name of the function that the operator calls, by the specification.
    var functionName: String {
        switch self {
        case .and: "_&&_"
        case .or: "_||_"
        case .conditional: "_?_:_"
        case .equal: "_==_"
        case .notEqual: "_!=_"
        case .less: "_<_"
        case .lessOrEqual: "_<=_"
        case .greater: "_>_"
        case .greaterOrEqual: "_>=_"
        case .in: "_in_"
        case .add: "_+_"
        case .subtract: "_-_"
        case .multiply: "_*_"
        case .divide: "_/_"
        case .modulo: "_%_"
        case .not: "!_"
        case .negate: "-_"
        case .index: "_[_]"
        case .optionalIndex: "_[?_]"
        }
    }

    private static let all: [Operator] = (0...Operator.optionalIndex.rawValue).compactMap(
        Operator.init(rawValue:))

    /// Creates the operator of such a function; the specification spells `in` and the two unary
    /// operators in several ways.
    init?(functionName: String) {
        switch functionName {
        case "@in", "in": self = .in
        default:
            guard let found = Self.all.first(where: { $0.functionName == functionName }) else {
                return nil
            }
            self = found
        }
    }

    /// The spelling in the source text.
    package var symbol: String {
        switch self {
        case .conditional: "? :"
        case .index: "[ ]"
        case .optionalIndex: "[? ]"
        case .not: "!"
        case .negate: "-"
        case .and, .or, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in,
            .add, .subtract, .multiply, .divide, .modulo:
            String(functionName.dropFirst().dropLast())
        }
    }

    /// The precedence of a binary operator: higher binds tighter.
    var precedence: Int {
        switch self {
        case .conditional: 0
        case .or: 1
        case .and: 2
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in: 3
        case .add, .subtract: 4
        case .multiply, .divide, .modulo: 5
        case .not, .negate: 6
        case .index, .optionalIndex: 7
        }
    }

    package var isLogical: Bool {
        switch self {
        case .and, .or, .not, .conditional: true
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in, .add,
            .subtract, .multiply, .divide, .modulo, .negate, .index, .optionalIndex:
            false
        }
    }

    package var isOrdering: Bool {
        switch self {
        case .less, .lessOrEqual, .greater, .greaterOrEqual: true
        case .and, .or, .conditional, .equal, .notEqual, .in, .add, .subtract, .multiply, .divide,
            .modulo, .not, .negate, .index, .optionalIndex:
            false
        }
    }

    /// The operator for swapped operands: `a < b` is `b > a`. Operators that don't order are
    /// unchanged.
    package var mirrored: Operator {
        switch self {
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        case .and, .or, .conditional, .equal, .notEqual, .in, .add, .subtract, .multiply, .divide,
            .modulo, .not, .negate, .index, .optionalIndex:
            self
        }
    }
}
