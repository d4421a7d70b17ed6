internal import PopCEL
internal import PopSource

/// One case: an expression, what it may use, and what must come out.
struct ConformanceCase {
    private let fields: JSON
    private let suite: String

    init(_ fields: JSON, suite: String) {
        self.fields = fields
        self.suite = fields["suite"]?.text ?? suite
    }

    /// Nil when the case passes; otherwise one line that says what was expected and what came.
    func run() -> String? {
        do throws(Malformed) {
            guard let complaint = try check() else { return nil }
            return line(complaint)
        } catch {
            return line("cannot be run: \(error.description)")
        }
    }

    private func line(_ complaint: String) -> String {
        let place = [suite, text("section"), text("name")].joined(separator: "/")
        let expression = text("expr").replacing("\n", with: "\\n")
        return "\(place): \(expression): \(complaint)"
    }

    private func text(_ key: String) -> String { fields[key]?.text ?? "" }

    private func isSet(_ key: String) -> Bool { fields[key]?.bool ?? false }

    private func check() throws(Malformed) -> String? {
        guard let expected = fields["expect"] else { throw Malformed("no `expect`") }
        let outcome = try outcome()
        if expected["error"] != nil || expected["errors"] != nil {
            guard case .value(let value, _) = outcome else { return nil }
            return "expected an error, got \(value.map { $0.description } ?? "no error")"
        }
        guard case .value(let value, let type) = outcome else {
            return "expected \(expected.compact), got \(outcome.description)"
        }
        if let wanted = expected["type"] {
            let wanted = try JSONType.type(wanted)
            if wanted != type {
                return "expected type \(wanted.description), got \(type.description)"
            }
        }
        guard let wanted = expected["value"], !isSet("check_only") else { return nil }
        let wantedValue = try JSONValue.value(wanted)
        if let value, JSONValue.isSame(value, wantedValue) { return nil }
        return
            "expected \(wantedValue.description), got \(value.map { $0.description } ?? "no value")"
    }

    fileprivate enum Outcome {
        /// The value is nil when it was only checked.
        case value(Value?, CELType)
        case rejected(Diagnostics)
        case failed(EvaluationError)
    }

    fileprivate func outcome() throws(Malformed) -> Outcome {
        let bindings = try bindings()
        let environment = try environment(bindings)
        let source = text("expr")
        let map = TextMap(file: FileID(index: 0), offset: 0, length: source.utf8.count)
        let parsed = Expression.parse(source, map: map, macros: !isSet("disable_macros"))
        guard let expression = parsed.value else { return .rejected(parsed.diagnostics) }
        var slots = SlotTable()
        let compiled = environment.compile(expression, slots: &slots)
        guard let program = compiled.value else { return .rejected(compiled.diagnostics) }
        if isSet("check_only") { return .value(nil, program.resultType) }
        do throws(EvaluationError) {
            return .value(try program.evaluate(bindings), program.resultType)
        } catch {
            return .failed(error)
        }
    }
}

// MARK: Environment

extension ConformanceCase {
    private func bindings() throws(Malformed) -> [String: Value] {
        guard case .object(let members) = fields["bindings"] else { return [:] }
        var bindings: [String: Value] = [:]
        for member in members { bindings[member.key] = try JSONValue.value(member.value) }
        return bindings
    }

    private func environment(_ bindings: [String: Value]) throws(Malformed) -> Environment {
        var environment = Environment(container: text("container"))
        environment.checking = isSet("disable_check") ? .none : .language
        for declaration in fields["type_env"]?.items ?? [] {
            guard let name = declaration["name"]?.text else {
                throw Malformed("a declaration without name")
            }
            if let type = declaration["type"] {
                environment.declare(Variable(name, type: try JSONType.type(type)))
            }
            for form in declaration["function"]?.items ?? [] {
                environment.declare(try function(name, form: form))
            }
        }
        return environment
    }

    private func function(_ name: String, form: JSON) throws(Malformed) -> HostFunction {
        guard let result = form["result"] else { throw Malformed("a function without result") }
        return HostFunction(
            name, parameters: try JSONType.types(form["params"]),
            result: try JSONType.type(result), isMethod: form["member"]?.bool ?? false)
    }
}

/// Says what a case lacks to be understood.
struct Malformed: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

extension ConformanceCase.Outcome: CustomStringConvertible {
    var description: String {
        switch self {
        case .value(let value, let type): value?.description ?? type.description
        case .rejected(let diagnostics):
            "rejected: " + diagnostics.list.map { $0.message }.joined(separator: "; ")
        case .failed(let error): "error: \(error.message)"
        }
    }
}
