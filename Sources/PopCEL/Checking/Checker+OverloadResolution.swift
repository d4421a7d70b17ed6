extension Checker {
    /// Returns the result type of the overloads that match the arguments: `dyn` if several match;
    /// nil if none matches.
    mutating func resolve(
        _ overloads: [Overload], isMember: Bool, arguments: [TypeID]
    ) -> TypeID? {
        var result: TypeID?
        for overload in overloads
        where overload.isMember == isMember && overload.parameters.count == arguments.count {
            guard let next = matched(overload, arguments: arguments) else { continue }
            if let known = result {
                if known != .dyn, !subject.checked.typeTable.isSame(known, next) { result = .dyn }
            } else {
                result = next
            }
        }
        return result
    }

    private mutating func matched(_ overload: Overload, arguments: [TypeID]) -> TypeID? {
        var variables: [Int: TypeID] = [:]
        let saved = subject.checked.typeTable.bindings
        for (argument, parameter) in zip(arguments, overload.parameters) {
            let parameter =
                overload.isGeneric
                ? subject.checked.typeTable.instantiate(parameter, variables: &variables)
                : parameter
            guard subject.checked.typeTable.isAssignable(argument, to: parameter) else {
                subject.checked.typeTable.forget(to: saved)
                return nil
            }
        }
        return overload.isGeneric
            ? subject.checked.typeTable.instantiate(overload.result, variables: &variables)
            : overload.result
    }
}
