/// A type while an expression is checked: a built-in one, or an entry of a `TypeTable`.
package struct TypeID: Hashable, Sendable {
    let raw: Int32

    static let dyn = TypeID(raw: 0)
    static let null = TypeID(raw: 1)
    package static let bool = TypeID(raw: 2)
    package static let int = TypeID(raw: 3)
    package static let uint = TypeID(raw: 4)
    package static let double = TypeID(raw: 5)
    package static let string = TypeID(raw: 6)
    static let bytes = TypeID(raw: 7)
    package static let timestamp = TypeID(raw: 8)
    package static let duration = TypeID(raw: 9)
    /// A type as a value, of any type.
    static let type = TypeID(raw: 10)
    /// The type of parts that have been reported already; assignable to everything.
    package static let error = TypeID(raw: 11)
    /// `list<any>`, `map<any, any>` and `optional<any>`.
    static let anyList = TypeID(raw: 12)
    static let anyMap = TypeID(raw: 13)
    static let anyOptional = TypeID(raw: 14)
    package static let version = TypeID(raw: 15)

    static let builtInCount: Int32 = 16

    /// True if it isn't an entry of a table.
    var isBuiltIn: Bool { raw < Self.builtInCount }
    var isDynamic: Bool { self == .dyn || self == .error }
    package var isNumber: Bool { self == .int || self == .uint || self == .double }
}

extension TypeID {
    /// Creates the type of a value, as far as the value determines it: elements of lists, maps and
    /// optional values are `any`.
    init(of value: Value) {
        self =
            switch value {
            case .null: .null
            case .bool: .bool
            case .int: .int
            case .uint: .uint
            case .double: .double
            case .string: .string
            case .bytes: .bytes
            case .timestamp: .timestamp
            case .duration: .duration
            case .version: .version
            case .list: .anyList
            case .map: .anyMap
            case .type: .type
            case .optional: .anyOptional
            }
    }
}

/// A type that is composed of others.
package enum TypeEntry: Sendable {
    case list(TypeID)
    case map(TypeID, TypeID)
    case optional(TypeID)
    case type(TypeID)
    case wrapper(TypeID)
    case opaque(String, [TypeID])
    /// A type parameter in the declaration of a function, by its number in that declaration.
    case parameter(Int)
    /// A type not yet known, by its number in the check.
    case variable(Int)
    case primitive
}

/// The types that a check uses: those of the environment, then those that it creates itself.
package struct TypeTable: Sendable {
    private var base: [TypeEntry] = []
    private var own: [TypeEntry] = []
    private var isSealed = false
    /// The types that the type variables are bound to; nil if a variable is unbound.
    private(set) var bindings: [TypeID?] = []

    /// Returns a table that continues where this one ends and shares its entries.
    func extended() -> TypeTable {
        var table = self
        table.isSealed = true
        return table
    }

    package subscript(id: TypeID) -> TypeEntry {
        switch id {
        case .anyList: return .list(.dyn)
        case .anyMap: return .map(.dyn, .dyn)
        case .anyOptional: return .optional(.dyn)
        default: break
        }
        let index = Int(id.raw - TypeID.builtInCount)
        if index < 0 { return .primitive }
        return index < base.count ? base[index] : own[index - base.count]
    }

    mutating func add(_ entry: TypeEntry) -> TypeID {
        if isSealed { own.append(entry) } else { base.append(entry) }
        return TypeID(raw: TypeID.builtInCount + Int32(base.count + own.count - 1))
    }

    mutating func newVariable() -> TypeID {
        bindings.append(nil)
        return add(.variable(bindings.count - 1))
    }

    mutating func bind(_ variable: Int, to type: TypeID) { bindings[variable] = type }

    /// Takes back the bindings that were created since the table was `saved`.
    mutating func restoreBindings(_ saved: [TypeID?]) { bindings = saved }

    /// Returns the type itself, or the type that a variable is bound to, if it is bound.
    package func resolved(_ id: TypeID) -> TypeID {
        if id.isBuiltIn { return id }
        var id = id
        while case .variable(let variable) = self[id], let bound = bindings[variable] { id = bound }
        return id
    }
}

// MARK: From and to public types

extension TypeTable {
    /// Returns the id of a type. Type parameters are numbered by their place in `parameters`, to
    /// which new ones are added.
    mutating func id(of type: CELType, parameters: inout [String]) -> TypeID {
        switch type {
        case .dyn: return .dyn
        case .null: return .null
        case .bool: return .bool
        case .int: return .int
        case .uint: return .uint
        case .double: return .double
        case .string: return .string
        case .bytes: return .bytes
        case .timestamp: return .timestamp
        case .duration: return .duration
        case .version: return .version
        case .type(nil): return .type
        case .list(let element): return add(.list(id(of: element, parameters: &parameters)))
        case .map(let key, let value):
            let key = id(of: key, parameters: &parameters)
            return add(.map(key, id(of: value, parameters: &parameters)))
        case .optional(let type): return add(.optional(id(of: type, parameters: &parameters)))
        case .type(let type?): return add(.type(id(of: type, parameters: &parameters)))
        case .wrapper(let type): return add(.wrapper(id(of: type, parameters: &parameters)))
        case .opaque(let name, let types):
            return add(.opaque(name, types.map { id(of: $0, parameters: &parameters) }))
        case .parameter(let name):
            let known = parameters.firstIndex(of: name)
            if known == nil { parameters.append(name) }
            return add(.parameter(known ?? parameters.count - 1))
        }
    }

    mutating func id(of type: CELType) -> TypeID {
        var parameters: [String] = []
        return id(of: type, parameters: &parameters)
    }

    /// Returns the public type of an id. Unbound type variables become `dyn`.
    package func publicType(_ id: TypeID) -> CELType {
        let id = resolved(id)
        return CELType(builtIn: id) ?? publicType(of: self[id])
    }

    private func publicType(of entry: TypeEntry) -> CELType {
        switch entry {
        case .list(let element): .list(publicType(element))
        case .map(let key, let value): .map(publicType(key), publicType(value))
        case .optional(let type): .optional(publicType(type))
        case .type(let type): .type(publicType(type))
        case .wrapper(let type): .wrapper(publicType(type))
        case .opaque(let name, let types): .opaque(name, types.map(publicType))
        case .parameter(let number): .parameter("T\(number)")
        case .variable, .primitive: .dyn
        }
    }
}

extension CELType {
    /// Creates the type if it needs no table; nil for others.
    init?(builtIn id: TypeID) {
        switch id {
        case .dyn, .error: self = .dyn
        case .null: self = .null
        case .bool: self = .bool
        case .int: self = .int
        case .uint: self = .uint
        case .double: self = .double
        case .string: self = .string
        case .bytes: self = .bytes
        case .timestamp: self = .timestamp
        case .duration: self = .duration
        case .version: self = .version
        case .type: self = .type(nil)
        default: return nil
        }
    }
}
