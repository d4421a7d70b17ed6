internal import PopSource

/// The functions that every environment has: the standard library and the optional, strings, math
/// and encoders extensions.
struct StandardLibrary: Sendable {
    let types: TypeTable
    let functions: [String: FunctionDeclaration]
    /// The same functions, and the additional ones for rules.
    let functionsOfRules: [String: FunctionDeclaration]
    let operators: [[Overload]]
    /// The first parts of the names of functions that contain dots, without repetition.
    let namespaces: [String]
    /// Names that are types as values.
    let typeNames: [String: CELType]

    static let shared = StandardLibrary()

    private init() {
        var types = TypeTable()
        var functions: [String: FunctionDeclaration] = [:]
        functions.reserveCapacity(FunctionCode.allCases.count)
        for code in FunctionCode.allCases {
            let overloads = Self.signatures(of: code).map { Overload($0, in: &types) }
            functions[code.name] = FunctionDeclaration(callee: .library(code), overloads: overloads)
        }
        operators = (0...Operator.optionalIndex.rawValue).map { raw in
            let signatures = Operator(rawValue: raw).map(Self.signatures(of:)) ?? []
            return signatures.map { Overload($0, in: &types) }
        }
        self.types = types
        functionsOfRules = functions
        functions[FunctionCode.version.name] = nil
        self.functions = functions
        namespaces = Set(functions.keys.compactMap(namespace(ofFunction:))).ordered()
        typeNames = [
            "bool": .bool, "int": .int, "uint": .uint, "double": .double, "string": .string,
            "bytes": .bytes, "null_type": .null, "type": .type(nil), "list": .list(.dyn),
            "map": .map(.dyn, .dyn), "optional_type": .optional(.dyn),
            "google.protobuf.Timestamp": .timestamp, "google.protobuf.Duration": .duration,
        ]
    }

    func overloads(of operation: Operator) -> [Overload] { operators[Int(operation.rawValue)] }
}

/// Returns `math` for `math.abs`; nil for a name without dots.
func namespace(ofFunction name: String) -> String? {
    name.utf8.firstIndex(of: UInt8(ascii: ".")).map { String(name[..<$0]) }
}

// MARK: Operators

extension StandardLibrary {
    /// Returns the signatures of an operator; the checker implements the operators that have none.
    private static func signatures(of operation: Operator) -> [Signature] {
        func same(_ types: CELType...) -> [Signature] {
            types.map { .function($0, $0, to: $0) }
        }
        let lists = CELType.list(.parameter("T"))
        return switch operation {
        case .add:
            same(.int, .uint, .double, .string, .bytes, .duration, lists) + [
                .function(.timestamp, .duration, to: .timestamp),
                .function(.duration, .timestamp, to: .timestamp),
            ]
        case .subtract:
            same(.int, .uint, .double, .duration) + [
                .function(.timestamp, .timestamp, to: .duration),
                .function(.timestamp, .duration, to: .timestamp),
            ]
        case .multiply, .divide: same(.int, .uint, .double)
        case .modulo: same(.int, .uint)
        case .negate: [.function(.int, to: .int), .function(.double, to: .double)]
        case .less, .lessOrEqual, .greater, .greaterOrEqual: orderings
        case .and, .or, .conditional, .equal, .notEqual, .in, .not, .index, .optionalIndex: []
        }
    }

    private static var orderings: [Signature] {
        let numbers: [CELType] = [.int, .uint, .double]
        let mixed = numbers.flatMap { left in
            numbers.map { Signature.function(left, $0, to: .bool) }
        }
        let others: [CELType] = [.bool, .string, .bytes, .timestamp, .duration, .version]
        return mixed + others.map { .function($0, $0, to: .bool) }
    }
}
