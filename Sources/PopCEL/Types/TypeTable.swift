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

// Assignability of types, by the specification's gradual typing: `dyn` is assignable to and from
// everything, type variables take the most general of the types they meet.
extension TypeTable {
    /// Returns true if a value of type `from` can be used where `to` is expected. On success, type
    /// variables have been bound.
    mutating func isAssignable(_ from: TypeID, to: TypeID) -> Bool {
        if from == to || from.isDynamic && isPrimitive(to) || to.isDynamic && isPrimitive(from) {
            return true
        }
        let saved = bindings
        if agree(from, to: to) { return true }
        restoreBindings(saved)
        return false
    }

    /// Returns the common type of a list's elements, or of the branches of a conditional, that have
    /// these types.
    mutating func join(_ left: TypeID, _ right: TypeID) -> TypeID? {
        isAssignable(left, to: right) ? mostGeneral(left, right) : nil
    }

    private func isPrimitive(_ id: TypeID) -> Bool { id.raw <= TypeID.error.raw }

    private mutating func agree(_ from: TypeID, to: TypeID) -> Bool {
        if from == to { return true }
        let source = self[from]
        let target = self[to]
        if case .variable(let variable) = target {
            let wasBound = bindings[variable] != nil
            if substitute(variable, id: to, by: from) { return true }
            if wasBound { return false }
        }
        if case .variable(let variable) = source { return substitute(variable, id: from, by: to) }
        if from.isDynamic || to.isDynamic { return true }
        if from == .null { return isNullable(to) }
        if to == .null { return isNullable(from) }
        return agree(source, from: from, target: target, to: to)
    }

    private mutating func agree(
        _ source: TypeEntry, from: TypeID, target: TypeEntry, to: TypeID
    ) -> Bool {
        switch (source, target) {
        case (.list(let a), .list(let b)), (.optional(let a), .optional(let b)),
            (.wrapper(let a), .wrapper(let b)):
            agree(a, to: b)
        case (.map(let keyA, let a), .map(let keyB, let b)):
            agree(keyA, to: keyB) && agree(a, to: b)
        case (.wrapper(let a), .primitive): agree(a, to: to)
        case (.primitive, .wrapper(let b)): agree(from, to: b)
        case (.type, .type): true
        case (.type, .primitive): to == .type
        case (.primitive, .type): from == .type
        case (.opaque(let nameA, let a), .opaque(let nameB, let b)):
            nameA == nameB && a.count == b.count && zip(a, b).allSatisfy { agree($0, to: $1) }
        case (.list, _), (.map, _), (.optional, _), (.type, _), (.wrapper, _), (.opaque, _),
            (.parameter, _), (.variable, _), (.primitive, _):
            false
        }
    }

    /// Binds the variable `id` to a type if possible; returns true if it did.
    private mutating func substitute(_ variable: Int, id: TypeID, by type: TypeID) -> Bool {
        guard let bound = bindings[variable] else {
            if case .variable(let other) = self[type], other == variable { return true }
            guard !mentions(type, variable: variable) else { return false }
            bind(variable, to: type)
            return true
        }
        if bound == type { return true }
        guard agree(type, to: bound) else { return false }
        let general = mostGeneral(type, bound)
        if !mentions(general, variable: variable) { bind(variable, to: general) }
        return true
    }

    private func mentions(_ type: TypeID, variable: Int) -> Bool {
        switch self[type] {
        case .variable(let other):
            other == variable || bindings[other].map { mentions($0, variable: variable) } ?? false
        case .list(let a), .optional(let a), .type(let a), .wrapper(let a):
            mentions(a, variable: variable)
        case .map(let a, let b): mentions(a, variable: variable) || mentions(b, variable: variable)
        case .opaque(_, let types): types.contains { mentions($0, variable: variable) }
        case .parameter, .primitive: false
        }
    }

    /// Returns true for the types to which the specification's reference implementation lets null
    /// be assigned.
    func isNullable(_ type: TypeID) -> Bool {
        if type == .null || type == .timestamp || type == .duration { return true }
        switch self[type] {
        case .wrapper, .optional, .opaque: return true
        case .list, .map, .type, .parameter, .variable, .primitive: return false
        }
    }

    /// Returns the less specific of two types that agree.
    func mostGeneral(_ left: TypeID, _ right: TypeID) -> TypeID {
        isEqualOrLessSpecific(left, right) ? left : right
    }

    private func isEqualOrLessSpecific(_ left: TypeID, _ right: TypeID) -> Bool {
        let left = resolved(left)
        let right = resolved(right)
        if left == right || left.isDynamic { return true }
        if case .variable = self[left] { return true }
        if right.isDynamic { return false }
        if right == .null { return isNullable(left) }
        switch (self[left], self[right]) {
        case (_, .variable): return false
        case (.list(let a), .list(let b)), (.optional(let a), .optional(let b)),
            (.wrapper(let a), .wrapper(let b)):
            return isEqualOrLessSpecific(a, b)
        case (.wrapper(let a), .primitive): return a == right
        case (.map(let keyA, let a), .map(let keyB, let b)):
            return isEqualOrLessSpecific(keyA, keyB) && isEqualOrLessSpecific(a, b)
        case (.opaque(let nameA, let a), .opaque(let nameB, let b)):
            return nameA == nameB && a.count == b.count
                && zip(a, b).allSatisfy { isEqualOrLessSpecific($0, $1) }
        case (.type, .type), (.primitive, .type): return true
        case (.list, _), (.map, _), (.optional, _), (.type, _), (.wrapper, _), (.opaque, _),
            (.parameter, _), (.variable, _), (.primitive, _):
            return false
        }
    }
}

extension TypeTable {
    /// Returns a declared type with its parameters replaced by variables, which are created when
    /// they are first met.
    mutating func instantiate(_ type: TypeID, variables: inout [Int: TypeID]) -> TypeID {
        switch self[type] {
        case .parameter(let number):
            if let variable = variables[number] { return variable }
            let variable = newVariable()
            variables[number] = variable
            return variable
        case .list(let a): return add(.list(instantiate(a, variables: &variables)))
        case .optional(let a): return add(.optional(instantiate(a, variables: &variables)))
        case .type(let a): return add(.type(instantiate(a, variables: &variables)))
        case .map(let a, let b):
            let key = instantiate(a, variables: &variables)
            return add(.map(key, instantiate(b, variables: &variables)))
        case .opaque(let name, let types):
            return add(.opaque(name, types.map { instantiate($0, variables: &variables) }))
        case .wrapper, .variable, .primitive: return type
        }
    }
}

extension TypeTable {
    /// Returns true if two types are the same, by content.
    func isSame(_ left: TypeID, _ right: TypeID) -> Bool {
        left == right || publicType(left) == publicType(right)
    }

    /// Takes back the bindings since `saved`, and keeps variables created since then unbound.
    mutating func forget(to saved: [TypeID?]) {
        restoreBindings(saved + Array(repeating: nil, count: bindings.count - saved.count))
    }
}
