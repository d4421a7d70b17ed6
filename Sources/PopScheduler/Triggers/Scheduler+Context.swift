public import PopCEL

extension Scheduler {
    /// All changes or none.
    mutating func update(_ values: [String: Value], unset: [String]) {
        var changes: [(key: Int, value: Value?)] = []
        var rejections: [Rejection] = []
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            check(name, value, &changes, &rejections)
        }
        for name in unset.sorted() where values[name] == nil {
            check(name, nil, &changes, &rejections)
        }
        guard rejections.isEmpty else {
            for rejection in rejections { emit(.rejected(rejection)) }
            return
        }
        take(changes)
    }

    private func check(
        _ name: String, _ value: Value?, _ changes: inout [(key: Int, value: Value?)],
        _ rejections: inout [Rejection]
    ) {
        guard let key = triggers.keys[name] else { return rejections.append(.unknownKey(name)) }
        guard let value else { return changes.append((key, nil)) }
        switch rules.keys[key].check(value) {
        case .success(let fitting): changes.append((key, fitting))
        case .failure(let problem):
            rejections.append(.badValue(key: name, message: problem.message))
        }
    }

    private mutating func take(_ changes: [(key: Int, value: Value?)]) {
        var slots: [Int] = []
        var popups: Set<Int> = []
        for (key, value) in changes {
            let before = self.value(ofKey: key)
            sources.context[rules.keys[key].name] = value
            let after = self.value(ofKey: key)
            guard !isSame(before, after) else { continue }
            if let slot = store.graph.slotOfKey[key] {
                store.set(slot, after)
                slots.append(slot)
            }
            if hasStarted, let fired = triggers.changed[key] { popups.formUnion(fired) }
        }
        changed(slots: slots)
        for popup in popups.sorted() { fire(popup) }
    }

    /// The language takes `1` and `1.0` for equal; a key that changes its type has changed.
    private func isSame(_ left: Value?, _ right: Value?) -> Bool {
        left == right && left?.type == right?.type
    }
}

extension ContextKey {
    /// Why a value cannot be the key's, in the words of a person; nil when it can.
    public func refusal(of value: Value) -> String? {
        if case .failure(let problem) = check(value) { problem.message } else { nil }
    }

    struct Problem: Error { var message: String }

    /// The value as one of the key's type, or what is wrong with it.
    func check(_ value: Value) -> Result<Value, Problem> {
        guard let fitting = value.fitting(type) else {
            return .failure(Problem(message: "expected \(type), found \(value.type)"))
        }
        if let allowedValues, !allowedValues.contains(fitting) {
            return .failure(Problem(message: "not among the values that are listed"))
        }
        if let minimum, fitting.isLess(than: minimum) {
            return .failure(Problem(message: "less than the smallest value allowed"))
        }
        if let maximum, maximum.isLess(than: fitting) {
            return .failure(Problem(message: "more than the largest value allowed"))
        }
        return .success(fitting)
    }
}

extension Value {
    /// Both of one type, as the bounds of a key and its values are.
    fileprivate func isLess(than other: Value) -> Bool {
        switch (self, other) {
        case (.int(let left), .int(let right)): left < right
        case (.uint(let left), .uint(let right)): left < right
        case (.double(let left), .double(let right)): left < right
        case (.duration(let left), .duration(let right)): left < right
        case (.timestamp(let left), .timestamp(let right)): left < right
        default: false
        }
    }
}
