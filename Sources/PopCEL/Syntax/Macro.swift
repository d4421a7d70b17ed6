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
