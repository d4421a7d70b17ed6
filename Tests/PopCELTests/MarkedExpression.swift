import PopCEL
import PopSource
import Testing

/// An expression in which `«»` mark where a diagnostic must point.
struct MarkedExpression {
    let text: String
    let marked: [Range<Int>]

    init(_ source: String) {
        var text = ""
        var marked: [Range<Int>] = []
        var start = 0
        for character in source {
            switch character {
            case "«": start = text.utf8.count
            case "»": marked.append(start..<text.utf8.count)
            default: text.append(character)
            }
        }
        self.text = text
        self.marked = marked
    }

    /// Compiles the expression and expects exactly one finding, at the marked place.
    func expect(
        _ check: Check, _ message: String, expecting type: CELType? = .bool,
        in environment: Environment = .sample, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let found = environment.compile(text, expecting: type).diagnostics.sorted
        #expect(found.map(\.check.name) == [check.name], sourceLocation: sourceLocation)
        #expect(found.map(\.message) == [message], sourceLocation: sourceLocation)
        #expect(found.map(\.range.bytes) == marked, sourceLocation: sourceLocation)
    }

    /// Compiles the expression and expects no finding at all.
    static func expectNothing(
        _ text: String, expecting type: CELType? = .bool,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let found = Environment.sample.compile(text, expecting: type).diagnostics.sorted
        #expect(found.map(\.message) == [], sourceLocation: sourceLocation)
    }
}

extension Environment {
    /// The keys that a small app would declare.
    static var sample: Environment {
        var environment = Environment()
        let file = FileID(index: 1)
        environment.declare(
            Variable(
                "user.plan", type: .string, allowedValues: ["free", "pro", "team"],
                declaredAt: SourceRange(file: file, 10..<19)))
        environment.declare(
            Variable(
                "user.launches", type: .int, minimum: 0,
                declaredAt: SourceRange(file: file, 30..<43)))
        environment.declare(Variable("user.tags", type: .list(.string)))
        environment.declare(Variable("user.version", type: .string))
        environment.declare(Variable("app.screen", type: .string, mayBeMissing: true))
        environment.declare(Variable("app.retries", type: .int, mayBeMissing: true))
        environment.declare(Variable("net.online", type: .bool))
        environment.declare(Variable("flags", type: .map(.string, .bool)))
        environment.declare(Variable("steps", type: .int, minimum: 1))
        environment.declareSlotFunction("event_count", parameters: [.string], result: .int)
        environment.declareSlotFunction(
            "event_count", parameters: [.string, .duration], result: .int)
        environment.declareSlotFunction(
            "last_event", parameters: [.string], result: .timestamp, mayBeMissing: true)
        environment.declare(Variable("now", type: .timestamp))
        environment.forbid("event", because: "only `where` of a trigger has an event")
        return environment
    }
}
