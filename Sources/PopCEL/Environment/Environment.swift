public import PopSource

/// The names that expressions may use: variables, functions, the container; and the limits that
/// apply to them.
public struct Environment: Sendable {
    /// A call of a slot function with constant arguments.
    public struct SlotCall: Sendable {
        /// The name that was passed to `declareSlotFunction`.
        public var function: String
        /// The constants that it is called with, and their places.
        public var arguments: [Located<Value>]
        /// The whole call.
        public var range: SourceRange
    }

    /// The extent of the checks before an expression runs.
    public enum Checking: Sendable, Hashable {
        /// The rules of the language, and the environment's advice about parts that are probably
        /// wrong or may fail.
        case strict
        /// Only the rules of the language.
        case language
        /// No checks: invalid parts fail when they are evaluated.
        case none
    }

    /// The strictness of the checks; `strict` by default.
    public var checking = Checking.strict
    /// Indicates whether a finding about an unknown name suggests similar declared names, which
    /// takes time linear in all of them.
    public var suggestsNames = true
    /// True if `duration("30d")` is thirty days of 24 hours; the language itself has no days.
    public var knowsDays = false
    /// Names that always have a value when the expression is evaluated.
    package var presumed: Set<String> = []
    private var declarations: Declarations

    /// Creates an environment. Names are looked up in the container first, then in its enclosing
    /// containers, as in `a.b.name`, `a.name`, `name`.
    public init(
        container: String = "", timeZones: TimeZones = .system,
        limits: CELLimits = .standard
    ) {
        declarations = Declarations(
            Declared(container: container, timeZones: timeZones, limits: limits))
    }

    /// Returns the environment of conditions in rules: the language, days in durations, and
    /// versions.
    package static func ofRules() -> Environment {
        var environment = Environment()
        environment.knowsDays = true
        environment.change { $0.functions = StandardLibrary.shared.functionsOfRules }
        return environment
    }

    /// The advice on mistakes and on probable mistakes: nil for none, or `Advice.full` of the
    /// module PopAdvice.
    public var advice: Advice? {
        get { declarations.all.advice }
        set { change { $0.advice = newValue } }
    }

    package var container: String { declarations.all.container }
    package var limits: CELLimits { declarations.all.limits }
    var timeZones: TimeZones { declarations.all.timeZones }
    package var types: TypeTable { declarations.all.types }
    /// All variables; those that this environment adds to another one come last.
    package var variables: [Variable] { declarations.all.variables }

    /// Returns a part of the variable with a number. The variable isn't copied, which would retain
    /// all its parts: `make guard` counts that in `compile-E1`.
    @inline(__always)
    package func part<Part>(ofVariable number: Int, get: (Variable) -> Part) -> Part {
        let count = declarations.sharedCount
        return number < count
            ? get(declarations.all.shared.variables[number])
            : get(declarations.all.added.variables[number - count])
    }

    package func variable(at number: Int) -> Variable { part(ofVariable: number) { $0 } }

    func type(ofVariableAt number: Int) -> TypeID {
        let count = declarations.sharedCount
        return number < count
            ? declarations.all.shared.types[number] : declarations.all.added.types[number - count]
    }
    package var slotFunctions: [String: [SlotFunction]] { declarations.all.slotFunctions }

    /// Returns true if a slot function exists and can be called with a single string.
    package func canCall(_ function: String, with text: String, at range: SourceRange) -> Bool {
        let call = SlotCall(
            function: function, arguments: [Located(.string(text), at: range)], range: range)
        return slotFunctions[function]?.first?.check(call).isEmpty ?? false
    }
    var hostFunctions: [HostFunction] { declarations.all.hostFunctions }
    package var functions: [String: FunctionDeclaration] { declarations.all.functions }
    /// The first parts of the names of functions that contain dots, without repetition.
    var namespaces: [String] { declarations.all.namespaces }
    var forbidden: [String: Prohibition] { declarations.all.forbidden }

    private mutating func change(_ body: (inout Declared) -> Void) {
        var changed = declarations.all
        // If nothing else references the lists, they are changed in place.
        declarations = .none
        body(&changed)
        declarations = Declarations(changed)
    }

    /// Declares a variable, or replaces the one of the same name.
    public mutating func declare(_ variable: Variable) { change { $0.declare(variable) } }

    /// Declares variables and slot functions, with one change of the environment.
    package mutating func declare(
        _ variables: [Variable], functions: [SlotDeclaration] = []
    ) {
        change { declared in
            if !declared.isAdding { declared.shared.reserveCapacity(for: variables.count) }
            for variable in variables { declared.declare(variable) }
            for function in functions { declared.declare(function) }
        }
    }

    /// Returns the environment with more variables, which hide others of the same names.
    ///
    /// The two share what they declare: each event of a rule set adds its fields to thousands of
    /// names.
    package func adding(_ variables: [Variable]) -> Environment {
        var environment = self
        environment.change { declared in
            declared.isAdding = true
            for variable in variables { declared.declare(variable) }
        }
        return environment
    }

    /// Returns the variable that is declared with that name.
    package func variable(named name: String) -> Variable? {
        number(ofVariable: name).map { variable(at: $0) }
    }

    package func number(ofVariable name: String) -> Int? {
        if declarations.hasAdded, let number = declarations.all.added.numbers[name] {
            return declarations.sharedCount + number
        }
        return declarations.all.shared.numbers[name]
    }

    /// Returns the number of the variable whose name is at that place in a text; nil also if it can
    /// only be found as a string.
    func number(ofVariableAt place: Range<Int>, in text: [UInt8]) -> Int? {
        if declarations.hasAdded,
            let number = declarations.all.added.numbers.number(of: place, in: text)
        {
            return declarations.sharedCount + number
        }
        return declarations.all.shared.numbers.number(of: place, in: text)
    }

    /// The names of all variables.
    package var variableNames: some Sequence<String> { variables.lazy.map { $0.name } }

    /// Declares a function, or another overload of a declared one.
    public mutating func declare(_ function: HostFunction) {
        let signature = Signature(
            isMember: function.isMethod, parameters: function.parameters, result: function.result)
        change { declared in
            let overload = Overload(signature, in: &declared.types)
            declared.hostFunctions.append(function)
            let callee = Callee.host(declared.hostFunctions.count - 1)
            let none = FunctionDeclaration(callee: callee, overloads: [])
            declared.functions[function.name, default: none].overloads.append(overload)
            declared.note(namespaceOf: function.name)
        }
    }

    /// Declares a function whose arguments must be constants: each distinct call becomes a slot.
    ///
    /// Declaring it again with other parameters adds an overload. `check` may report diagnostics
    /// about the constants.
    public mutating func declareSlotFunction(
        _ name: String, parameters: [CELType], result: CELType, mayBeMissing: Bool = false,
        check: @escaping @Sendable (SlotCall) -> [Diagnostic] = { _ in [] }
    ) {
        let function = SlotDeclaration(
            name, parameters: parameters, result: result, mayBeMissing: mayBeMissing, check: check)
        change { $0.declare(function) }
    }

    /// Describes the owner of the names that begin with `root` and a dot: "`order.paid`".
    public mutating func describe(_ root: String, as description: String) {
        change { $0.owners.append(NameOwner(root: root, description: description)) }
    }

    /// Returns the owner of an undeclared name.
    package func owner(of name: String) -> NameOwner? {
        declarations.all.owners.first { name.hasPrefix($0.root + ".") }
    }

    /// Makes using a variable or function an error that explains why it isn't available here.
    ///
    /// The reason ends a sentence: "`event` cannot be used in this condition: REASON". The help
    /// names what to write instead.
    public mutating func forbid(_ name: String, because reason: String, help: String? = nil) {
        change { $0.forbidden[name] = Prohibition(reason: reason, help: help) }
    }
}

/// The reason why a name isn't available, and what to write instead.
struct Prohibition: Sendable {
    let reason: String
    let help: String?
}

/// A slot function as it is declared.
package struct SlotDeclaration: Sendable {
    let name: String
    let signature: Signature
    let mayBeMissing: Bool
    /// Returns the type of a call with these constants, if it depends on them; nil if it isn't
    /// known.
    let resultOf: (@Sendable ([Value]) -> CELType?)?
    let check: @Sendable (Environment.SlotCall) -> [Diagnostic]

    package init(
        _ name: String, parameters: [CELType], result: CELType, mayBeMissing: Bool = false,
        resultOf: (@Sendable ([Value]) -> CELType?)? = nil,
        check: @escaping @Sendable (Environment.SlotCall) -> [Diagnostic]
    ) {
        self.name = name
        self.resultOf = resultOf
        signature = Signature(isMember: false, parameters: parameters, result: result)
        self.mayBeMissing = mayBeMissing
        self.check = check
    }
}

/// The owner of the names with a common prefix.
package struct NameOwner: Sendable {
    package let root: String
    package let description: String
}

/// Variables with their types and the numbers of their names.
private struct VariableList: Sendable {
    private(set) var variables: [Variable] = []
    private(set) var types: [TypeID] = []
    private(set) var numbers = NameIndex()

    mutating func reserveCapacity(for more: Int) {
        variables.reserveCapacity(variables.count + more)
        types.reserveCapacity(variables.count + more)
        numbers.reserveCapacity(variables.count + more)
    }

    /// Declares a variable, or replaces the one of the same name.
    mutating func declare(_ variable: Variable, type: TypeID) {
        if let index = numbers[variable.name] {
            variables[index] = variable
            types[index] = type
        } else {
            numbers.append(variable.name)
            variables.append(variable)
            types.append(type)
        }
    }
}

/// The declarations of an environment.
private struct Declared: Sendable {
    let container: String
    let timeZones: TimeZones
    let limits: CELLimits
    var types = StandardLibrary.shared.types
    /// The variables that environments share, and those that this one adds to them. Numbers count
    /// through both.
    var shared = VariableList()
    var added = VariableList()
    /// True if the next variable is an added one.
    var isAdding = false
    var slotFunctions: [String: [SlotFunction]] = [:]
    var hostFunctions: [HostFunction] = []
    var functions = StandardLibrary.shared.functions
    var namespaces = StandardLibrary.shared.namespaces
    var forbidden: [String: Prohibition] = [:]
    var owners: [NameOwner] = []
    var advice: Advice?

    init(container: String, timeZones: TimeZones, limits: CELLimits) {
        self.container = container
        self.timeZones = timeZones
        self.limits = limits
    }

    /// All variables except those that are hidden by others of the same name.
    var variables: [Variable] {
        shared.variables.filter { added.numbers[$0.name] == nil } + added.variables
    }

    mutating func declare(_ variable: Variable) {
        let type = types.id(of: variable.type)
        if isAdding {
            added.declare(variable, type: type)
        } else {
            shared.declare(variable, type: type)
        }
        if !forbidden.isEmpty { forbidden[variable.name] = nil }
    }

    mutating func note(namespaceOf function: String) {
        if let name = namespace(ofFunction: function), !namespaces.contains(name) {
            namespaces.append(name)
        }
    }

    mutating func declare(_ function: SlotDeclaration) {
        let overload = Overload(function.signature, in: &types)
        slotFunctions[function.name, default: []].append(
            SlotFunction(
                name: function.name, overload: overload, resultOf: function.resultOf,
                mayBeMissing: function.mayBeMissing, check: function.check))
    }
}

/// The declarations in one reference, since every program keeps its environment.
///
/// They are constants, because every access to a variable of a class is checked for exclusivity.
private final class Declarations: Sendable {
    static let none = Declarations(
        Declared(container: "", timeZones: .system, limits: .standard))

    let all: Declared
    /// The number of shared variables, and whether variables are added: read for each name of an
    /// expression.
    let sharedCount: Int
    let hasAdded: Bool

    init(_ all: Declared) {
        self.all = all
        sharedCount = all.shared.variables.count
        hasAdded = !all.added.variables.isEmpty
    }
}
