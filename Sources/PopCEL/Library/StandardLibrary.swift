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

extension StandardLibrary {
    /// Returns the overloads of a function.
    static func signatures(of code: FunctionCode) -> [Signature] {
        switch code {
        case .size:
            [.string, .bytes, .list(.dyn), .map(.dyn, .dyn)].flatMap { type in
                [Signature.function(type, to: .int), .method(on: type, to: .int)]
            }
        case .contains, .startsWith, .endsWith: [.method(on: .string, .string, to: .bool)]
        case .matches:
            [.method(on: .string, .string, to: .bool), .function(.string, .string, to: .bool)]
        case .type: [.function(any, to: .type(any))]
        case .dyn: [.function(any, to: .dyn)]
        case .bool: from(.bool, .string, to: .bool)
        case .int: from(.int, .uint, .double, .string, .timestamp, .duration, to: .int)
        case .uint: from(.uint, .int, .double, .string, to: .uint)
        case .double: from(.double, .int, .uint, .string, to: .double)
        case .string:
            from(
                .string, .bool, .int, .uint, .double, .bytes, .timestamp, .duration, .version,
                to: .string)
        case .bytes: from(.bytes, .string, to: .bytes)
        case .timestamp: from(.timestamp, .string, .int, to: .timestamp)
        case .duration: from(.duration, .string, to: .duration)
        case .version: from(.version, .string, to: .version)
        case .getDate, .getDayOfMonth, .getDayOfWeek, .getDayOfYear, .getFullYear, .getMonth:
            ofTimestamp
        case .getHours, .getMinutes, .getSeconds, .getMilliseconds:
            ofTimestamp + [.method(on: .duration, to: .int)]
        case .optionalOf, .optionalOfNonZeroValue: [.function(any, to: optional)]
        case .optionalNone: [.function(to: optional)]
        case .optionalUnwrap: [.function(.list(optional), to: .list(any))]
        case .unwrapOpt: [.method(on: .list(optional), to: .list(any))]
        case .hasValue: [.method(on: optional, to: .bool)]
        case .value: [.method(on: optional, to: any)]
        case .or: [.method(on: optional, optional, to: optional)]
        case .orValue: [.method(on: optional, any, to: any)]
        case .first, .last: [.method(on: .list(any), to: optional)]
        case .charAt: [.method(on: .string, .int, to: .string)]
        case .indexOf, .lastIndexOf:
            [
                .method(on: .string, .string, to: .int),
                .method(on: .string, .string, .int, to: .int),
            ]
        case .lowerASCII, .upperASCII, .trim, .reverse: [.method(on: .string, to: .string)]
        case .replace:
            [
                .method(on: .string, .string, .string, to: .string),
                .method(on: .string, .string, .string, .int, to: .string),
            ]
        case .split:
            [
                .method(on: .string, .string, to: .list(.string)),
                .method(on: .string, .string, .int, to: .list(.string)),
            ]
        case .substring:
            [
                .method(on: .string, .int, to: .string),
                .method(on: .string, .int, .int, to: .string),
            ]
        case .join:
            [
                .method(on: .list(.string), to: .string),
                .method(on: .list(.string), .string, to: .string),
            ]
        case .format: [.method(on: .string, .list(.dyn), to: .string)]
        case .quote: [.function(.string, to: .string)]
        // They take any number of numbers, which the checker checks itself.
        case .greatest, .least: []
        case .ceil, .floor, .round, .trunc: [.function(.double, to: .double)]
        case .abs, .sign: [CELType.int, .uint, .double].map { .function($0, to: $0) }
        case .isNaN, .isInf, .isFinite: [.function(.double, to: .bool)]
        case .sqrt: from(.double, .int, .uint, to: .double)
        case .bitAnd, .bitOr, .bitXor:
            [.function(.int, .int, to: .int), .function(.uint, .uint, to: .uint)]
        case .bitNot: [.function(.int, to: .int), .function(.uint, to: .uint)]
        case .bitShiftLeft, .bitShiftRight:
            [.function(.int, .int, to: .int), .function(.uint, .int, to: .uint)]
        case .base64Encode: [.function(.bytes, to: .string)]
        case .base64Decode: [.function(.string, to: .bytes)]
        }
    }

    private static let any = CELType.parameter("T")
    private static let optional = CELType.optional(any)

    private static let ofTimestamp: [Signature] = [
        .method(on: .timestamp, to: .int), .method(on: .timestamp, .string, to: .int),
    ]

    private static func from(_ types: CELType..., to result: CELType) -> [Signature] {
        types.map { .function($0, to: result) }
    }
}

/// One overload of a function: its call style, its parameters and its result.
struct Signature: Sendable {
    var isMember: Bool
    var parameters: [CELType]
    var result: CELType

    /// Called as `name(parameters)`.
    static func function(_ parameters: CELType..., to result: CELType) -> Signature {
        Signature(isMember: false, parameters: parameters, result: result)
    }

    /// Called as `receiver.name(parameters)`.
    static func method(
        on receiver: CELType, _ parameters: CELType..., to result: CELType
    ) -> Signature {
        Signature(isMember: true, parameters: [receiver] + parameters, result: result)
    }
}

/// A signature as the checker compares it.
package struct Overload: Sendable {
    package var isMember: Bool
    package var parameters: [TypeID]
    package var result: TypeID
    /// True if it has type parameters.
    var isGeneric: Bool

    init(_ signature: Signature, in types: inout TypeTable) {
        isMember = signature.isMember
        var names: [String] = []
        parameters = signature.parameters.map { types.id(of: $0, parameters: &names) }
        result = types.id(of: signature.result, parameters: &names)
        isGeneric = !names.isEmpty
    }
}

/// The function that a called name refers to.
package enum Callee: Sendable {
    case library(FunctionCode)
    /// A function of the host, by its index in the environment.
    case host(Int)
}

/// A function with all its overloads.
package struct FunctionDeclaration: Sendable {
    var callee: Callee
    package var overloads: [Overload]
}
