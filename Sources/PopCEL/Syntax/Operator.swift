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

/// A call that is part of the syntax because it declares variables or takes its argument
/// unevaluated.
enum Macro: UInt8, Sendable {
    case all, exists, existsOne, map, filter
    case transformList, transformMap, transformMapEntry
    case bind
    case optMap, optFlatMap

    /// The form of a call of a macro: the number of its variables, and whether a filter precedes
    /// the body.
    struct Shape: Sendable {
        var macro: Macro
        var variables: Int
        var hasFilter = false
    }

    /// Returns the macro that a call on a receiver is; nil if it isn't one.
    static func member(_ name: String, argumentCount: Int) -> Shape? {
        // The count first: most methods take one argument, and are compared with no name then.
        switch (argumentCount, name) {
        case (2, "all"): Shape(macro: .all, variables: 1)
        case (3, "all"): Shape(macro: .all, variables: 2)
        case (2, "exists"): Shape(macro: .exists, variables: 1)
        case (3, "exists"): Shape(macro: .exists, variables: 2)
        case (2, "exists_one"), (2, "existsOne"): Shape(macro: .existsOne, variables: 1)
        case (3, "exists_one"), (3, "existsOne"): Shape(macro: .existsOne, variables: 2)
        case (2, "filter"): Shape(macro: .filter, variables: 1)
        case (2, "map"): Shape(macro: .map, variables: 1)
        case (3, "map"): Shape(macro: .map, variables: 1, hasFilter: true)
        case (3, "transformList"): Shape(macro: .transformList, variables: 2)
        case (4, "transformList"): Shape(macro: .transformList, variables: 2, hasFilter: true)
        case (3, "transformMap"): Shape(macro: .transformMap, variables: 2)
        case (4, "transformMap"): Shape(macro: .transformMap, variables: 2, hasFilter: true)
        case (3, "transformMapEntry"): Shape(macro: .transformMapEntry, variables: 2)
        case (4, "transformMapEntry"):
            Shape(macro: .transformMapEntry, variables: 2, hasFilter: true)
        case (2, "optMap"): Shape(macro: .optMap, variables: 1)
        case (2, "optFlatMap"): Shape(macro: .optFlatMap, variables: 1)
        default: nil
        }
    }

    /// The name as the author writes it.
    var name: String {
        switch self {
        case .all: "all"
        case .exists: "exists"
        case .existsOne: "exists_one"
        case .map: "map"
        case .filter: "filter"
        case .transformList: "transformList"
        case .transformMap: "transformMap"
        case .transformMapEntry: "transformMapEntry"
        case .bind: "cel.bind"
        case .optMap: "optMap"
        case .optFlatMap: "optFlatMap"
        }
    }
}
