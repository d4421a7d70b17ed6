internal import PopCEL

/// One form of a function, for display: its call, its parameters, and its result.
struct FunctionForm: Sendable, Hashable {
    let name: String
    /// The type of what it is called on; nil for a function that is called by itself.
    let receiver: String?
    let parameters: [String]
    let result: String

    /// Such as `string.startsWith(string) -> bool`.
    var text: String {
        let call = "\(name)(\(parameters.joined(separator: ", ")))"
        return "\(receiver.map { "\($0)." } ?? "")\(call) -> \(result)"
    }
}

extension Environment {
    /// Every form of every function that expressions may call, macros among them, by name.
    var functionForms: [FunctionForm] {
        let declared = functions.flatMap { name, function in
            function.overloads.map { form($0, of: name) }
        }
        let slots = slotFunctions.flatMap { name, functions in
            functions.map { form($0.overload, of: name) }
        }
        // Operators are functions too, under names that can't be written.
        let callable = (declared + slots).filter { $0.name.utf8.allSatisfy(isNamePart) }
        return (callable + macroForms).sorted { ($0.name, $0.text) < ($1.name, $1.text) }
    }

    private func form(_ overload: Overload, of name: String) -> FunctionForm {
        let parameters = overload.parameters.map { "\(types.publicType($0))" }
        return FunctionForm(
            name: name, receiver: overload.isMember ? parameters.first : nil,
            parameters: Array(parameters.dropFirst(overload.isMember ? 1 : 0)),
            result: "\(types.publicType(overload.result))")
    }

    /// The macros of the language (CEL, section "Macros").
    private var macroForms: [FunctionForm] {
        func form(
            _ name: String, on receiver: String?, _ parameters: [String], to result: String
        ) -> FunctionForm {
            FunctionForm(name: name, receiver: receiver, parameters: parameters, result: result)
        }
        return [
            form("has", on: nil, ["name"], to: "bool"),
            form("all", on: "list", ["x", "condition"], to: "bool"),
            form("exists", on: "list", ["x", "condition"], to: "bool"),
            form("exists_one", on: "list", ["x", "condition"], to: "bool"),
            form("filter", on: "list", ["x", "condition"], to: "list"),
            form("map", on: "list", ["x", "value"], to: "list"),
        ]
    }
}
