extension Library {
    func optional(
        _ call: FunctionCode.OptionalCall, arguments: [Value]
    ) throws(EvaluationError) -> Value? {
        guard let first = arguments.first else {
            return call == .optionalNone ? .optional(nil) : nil
        }
        guard arguments.count == 1 else { return nil }
        switch call {
        case .optionalNone: return nil
        case .optionalOf: return .optional(first)
        case .optionalOfNonZeroValue: return .optional(first.isZero ? nil : first)
        case .hasValue:
            guard case .optional(let wrapped) = first else { return nil }
            return .bool(wrapped != nil)
        case .value:
            guard case .optional(let wrapped) = first else { return nil }
            guard let wrapped else { throw EvaluationError("the optional value is absent") }
            return wrapped
        case .first:
            guard case .list(let list) = first else { return nil }
            return .optional(list.first)
        case .last:
            guard case .list(let list) = first else { return nil }
            return .optional(list.last)
        case .optionalUnwrap, .unwrapOpt: return present(in: first)
        }
    }

    /// The values of a list of optional values that are not absent.
    private func present(in value: Value) -> Value? {
        guard case .list(let list) = value else { return nil }
        var present: [Value] = []
        for element in list {
            guard case .optional(let wrapped) = element else { return nil }
            if let wrapped { present.append(wrapped) }
        }
        return .list(present)
    }
}

extension Value {
    /// Whether the value is what its type begins with: 0, empty, false, null.
    fileprivate var isZero: Bool {
        switch self {
        case .null: true
        case .bool(let truth): !truth
        case .int(let number): number == 0
        case .uint(let number): number == 0
        case .double(let number): number == 0
        case .string(let text): text.isEmpty
        case .bytes(let bytes): bytes.isEmpty
        case .timestamp(let instant): instant == Timestamp(seconds: 0)
        case .duration(let duration): duration == .zero
        case .list(let list): list.isEmpty
        case .map(let map): map.isEmpty
        case .optional(let wrapped): wrapped == nil
        case .version, .type: false
        }
    }
}
