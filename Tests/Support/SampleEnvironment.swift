package import PopCEL
internal import PopSource

extension Environment {
    /// The keys that a small app would declare.
    package static var sample: Environment {
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
