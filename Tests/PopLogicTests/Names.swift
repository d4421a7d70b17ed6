import PopCEL
import PopLogic
import PopSource
import Testing

/// Names that conditions may read, and conditions with a name.
struct Names {
    private var environment: Environment
    private var definitions: [String: Program] = [:]

    init(_ variables: Variable..., naming conditions: [(String, String)] = []) throws {
        try self.init(all: variables, naming: conditions)
    }

    init(all variables: [Variable], naming conditions: [(String, String)] = []) throws {
        environment = .ofRules()
        environment.checking = .language
        for variable in variables { environment.declare(variable) }
        for (name, text) in conditions {
            definitions[name] = try condition(text)
            environment.declare(Variable(name, type: .bool))
        }
    }

    func condition(_ text: String) throws -> Program {
        var slots = SlotTable()
        let expression = try #require(Expression.parse(text).value, "\(text)")
        return try #require(
            environment.compile(expression, expecting: .bool, slots: &slots).value, "\(text)")
    }

    func logic(_ conditions: Program..., limits: LogicLimits = .standard) -> Logic {
        Logic(
            of: conditions, declarations: Declarations(conditions: definitions), limits: limits)
    }
}

extension Answer {
    /// The word for it.
    var word: String {
        switch self {
        case .yes: "yes"
        case .no: "no"
        case .notKnown: "not known"
        }
    }
}
