public import PopSource

/// What expressions may name: variables, functions, the container, and the limits that they are held to.
public struct Environment: Sendable {
    /// A call of a slot function with constant arguments.
    public struct SlotCall: Sendable {
        public var function: String
        public var arguments: [Located<Value>]
        public var range: SourceRange
    }

    /// How much is found out about an expression before it runs.
    public enum Checking: Sendable, Hashable {
        /// The language's own rules, and advice about what is likely to be wrong or to fail.
        case strict
        /// The language's own rules alone.
        case language
        /// Nothing: what cannot work fails when it is evaluated.
        case none
    }

    public var checking = Checking.strict
    /// Whether a finding about an unknown name says which declared names are similar, which takes time linear in all of
    /// them.
    public var suggestsNames = true

    let container: String
    let limits: CELLimits
    let timeZones: any TimeZones
    var types = StandardLibrary.shared.types
    private(set) var variables: [Variable] = []
    private(set) var variableTypes: [TypeID] = []
    private(set) var variableIndex: [String: Int] = [:]
    private(set) var slotFunctions: [String: [SlotFunction]] = [:]
    private(set) var hostFunctions: [HostFunction] = []
    private(set) var functions = StandardLibrary.shared.functions
    private(set) var forbidden: [String: String] = [:]

    /// Names are looked up in the container first, then in those that it stands in, as in `a.b.name`, `a.name`, `name`.
    public init(
        container: String = "", timeZones: any TimeZones = SystemTimeZones(),
        limits: CELLimits = .standard
    ) {
        self.container = container
        self.timeZones = timeZones
        self.limits = limits
    }

    /// A variable of the same name is replaced.
    public mutating func declare(_ variable: Variable) {
        let type = types.id(of: variable.type)
        if let index = variableIndex[variable.name] {
            variables[index] = variable
            variableTypes[index] = type
        } else {
            variableIndex[variable.name] = variables.count
            variables.append(variable)
            variableTypes.append(type)
        }
        forbidden[variable.name] = nil
    }

    /// Declares a function, or another form of one that is declared already.
    public mutating func declare(_ function: HostFunction) {
        let signature = Signature(
            isMember: function.isMethod, parameters: function.parameters, result: function.result)
        let overload = Overload(signature, in: &types)
        hostFunctions.append(function)
        let callee = Callee.host(hostFunctions.count - 1)
        functions[function.name, default: FunctionDeclaration(callee: callee, overloads: [])]
            .overloads.append(overload)
    }

    /// Declares a function whose arguments must be constants: each distinct call becomes a slot.
    ///
    /// Declared again with other parameters it has several forms. `check` may complain about the constants.
    public mutating func declareSlotFunction(
        _ name: String, parameters: [CELType], result: CELType, mayBeMissing: Bool = false,
        check: @escaping @Sendable (SlotCall) -> [Diagnostic] = { _ in [] }
    ) {
        let signature = Signature(isMember: false, parameters: parameters, result: result)
        let overload = Overload(signature, in: &types)
        slotFunctions[name, default: []].append(
            SlotFunction(name: name, overload: overload, mayBeMissing: mayBeMissing, check: check))
    }

    /// Makes naming a variable or function an error that says why it is not available here.
    ///
    /// The reason ends a sentence: "`event` is not available here: REASON".
    public mutating func forbid(_ name: String, because reason: String) {
        forbidden[name] = reason
    }
}
