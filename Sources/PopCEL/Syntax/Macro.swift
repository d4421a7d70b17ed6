/// A call that is part of the syntax because it declares variables or takes its argument unevaluated.
enum Macro: UInt8, Sendable {
    case all, exists, existsOne, map, filter
    case transformList, transformMap, transformMapEntry
    case bind
    case optMap, optFlatMap

    /// What a call that looks like a macro declares: how many variables, and whether a filter stands before the body.
    struct Shape: Sendable {
        var macro: Macro
        var variables: Int
        var hasFilter = false
    }

    /// The macro that a call on a receiver is, if it is one.
    static func member(_ name: String, argumentCount: Int) -> Shape? {
        switch (name, argumentCount) {
        case ("all", 2): Shape(macro: .all, variables: 1)
        case ("all", 3): Shape(macro: .all, variables: 2)
        case ("exists", 2): Shape(macro: .exists, variables: 1)
        case ("exists", 3): Shape(macro: .exists, variables: 2)
        case ("exists_one", 2), ("existsOne", 2): Shape(macro: .existsOne, variables: 1)
        case ("exists_one", 3), ("existsOne", 3): Shape(macro: .existsOne, variables: 2)
        case ("filter", 2): Shape(macro: .filter, variables: 1)
        case ("map", 2): Shape(macro: .map, variables: 1)
        case ("map", 3): Shape(macro: .map, variables: 1, hasFilter: true)
        case ("transformList", 3): Shape(macro: .transformList, variables: 2)
        case ("transformList", 4): Shape(macro: .transformList, variables: 2, hasFilter: true)
        case ("transformMap", 3): Shape(macro: .transformMap, variables: 2)
        case ("transformMap", 4): Shape(macro: .transformMap, variables: 2, hasFilter: true)
        case ("transformMapEntry", 3): Shape(macro: .transformMapEntry, variables: 2)
        case ("transformMapEntry", 4):
            Shape(macro: .transformMapEntry, variables: 2, hasFilter: true)
        case ("optMap", 2): Shape(macro: .optMap, variables: 1)
        case ("optFlatMap", 2): Shape(macro: .optFlatMap, variables: 1)
        default: nil
        }
    }

    /// As the author writes it.
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
