extension Library {
    func optional(
        _ code: FunctionCode, arguments: [Value]
    ) throws(EvaluationError) -> Value? {
        guard let first = arguments.first else {
            return code == .optionalNone ? .optional(nil) : nil
        }
        guard arguments.count == 1 else { return nil }
        switch (code, first) {
        case (.optionalOf, _): return .optional(first)
        case (.optionalOfNonZeroValue, _): return .optional(first.isZero ? nil : first)
        case (.hasValue, .optional(let wrapped)): return .bool(wrapped != nil)
        case (.value, .optional(let wrapped)):
            guard let wrapped else { throw EvaluationError("the optional value is absent") }
            return wrapped
        case (.first, .list(let list)): return .optional(list.first)
        case (.last, .list(let list)): return .optional(list.last)
        case (.optionalUnwrap, .list(let list)), (.unwrapOpt, .list(let list)):
            var present: [Value] = []
            for element in list {
                guard case .optional(let wrapped) = element else { return nil }
                if let wrapped { present.append(wrapped) }
            }
            return .list(present)
        default: return nil
        }
    }
}

extension Value {
    /// True if the value is the zero value of its type: 0, empty, false, null.
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
