public import PopCEL

extension Scheduler {
    /// Applies all changes or none.
    mutating func update(_ values: [String: Value], unset: [String]) {
        // One value is by far the usual case, and needs no list of changes.
        if values.count == 1, unset.isEmpty, let (name, value) = values.first {
            do throws(Refusal) {
                take(try check(name, value: value))
            } catch {
                emit(.rejected(error.rejection))
            }
        } else {
            updateTogether(values, unset: unset)
        }
    }

    private mutating func updateTogether(_ values: [String: Value], unset: [String]) {
        var changes: [Change] = []
        var rejections: [Rejection] = []
        let sets = values.sorted { $0.key < $1.key }.map { ($0.key, Value?.some($0.value)) }
        let unsets = unset.sorted().filter { values[$0] == nil }.map { ($0, Value?.none) }
        for (name, value) in sets + unsets {
            do throws(Refusal) {
                changes.append(try check(name, value: value))
            } catch {
                rejections.append(error.rejection)
            }
        }
        guard rejections.isEmpty else {
            for rejection in rejections { emit(.rejected(rejection)) }
            return
        }
        take(changes)
    }

    private struct Change {
        var key: KeyIndex
        var slot: SlotIndex
        var value: Value?
    }

    private struct Refusal: Error { var rejection: Rejection }

    private func check(_ name: String, value: Value?) throws(Refusal) -> Change {
        guard let key = catalog.triggers.keys[name] else {
            throw Refusal(rejection: .unknownKey(name))
        }
        guard let value, key.unboundType?.takes(value) != true else {
            return Change(key: key.index, slot: key.slot, value: value)
        }
        switch catalog.rules.keys[key.index].check(value) {
        case .success(let fitting):
            return Change(key: key.index, slot: key.slot, value: fitting)
        case .failure(let problem):
            throw Refusal(rejection: .badValue(key: name, message: problem.message))
        }
    }

    private mutating func take(_ change: Change) {
        guard set(change) else { return }
        changed(slot: change.slot)
        keyChanged(change.key)
        if hasStarted, let fired = catalog.triggers.changed[change.key] {
            for popup in fired { fire(popup) }
        }
    }

    private mutating func take(_ changes: [Change]) {
        var slots: [SlotIndex] = []
        var popups: Set<PopupIndex> = []
        for change in changes where set(change) {
            slots.append(change.slot)
            if hasStarted, let fired = catalog.triggers.changed[change.key] {
                popups.formUnion(fired)
            }
        }
        changed(slots: slots)
        for change in changes { keyChanged(change.key) }
        for popup in popups.sorted() { fire(popup) }
    }

    /// Applies a change. Returns true if the value of the key changed.
    private mutating func set(_ change: Change) -> Bool {
        conditions.set(change.key, at: change.slot, to: change.value)
    }
}

extension ContextKey {
    /// Returns a sentence for people about why a value isn't allowed for the key; nil if it is
    /// allowed.
    public func refusal(of value: Value) -> String? {
        if case .failure(let problem) = check(value) { problem.message } else { nil }
    }

    struct Problem: Error { var message: String }

    /// Returns the value as the key's type, or the problem with it.
    func check(_ value: Value) -> Result<Value, Problem> {
        guard let fitting = value.fitting(type) else {
            return .failure(Problem(message: type.refusal(of: value)))
        }
        if let allowedValues, !allowedValues.contains(fitting) {
            return .failure(Problem(message: "not one of the allowed values"))
        }
        if let minimum, fitting.isLess(than: minimum) {
            return .failure(Problem(message: "less than the minimum"))
        }
        if let maximum, maximum.isLess(than: fitting) {
            return .failure(Problem(message: "greater than the maximum"))
        }
        return .success(fitting)
    }
}

extension Value {
    /// Returns true if a value is less than another of the same type, as the bounds of a key and
    /// its values are. NaN is within no bounds.
    fileprivate func isLess(than other: Value) -> Bool {
        switch (self, other) {
        case (.int(let left), .int(let right)): left < right
        case (.uint(let left), .uint(let right)): left < right
        case (.double(let left), .double(let right)): !(left >= right)
        case (.duration(let left), .duration(let right)): left < right
        case (.timestamp(let left), .timestamp(let right)): left < right
        case (.version(let left), .version(let right)): left < right
        case (.null, _), (.bool, _), (.int, _), (.uint, _), (.double, _), (.string, _), (.bytes, _),
            (.timestamp, _), (.duration, _), (.version, _), (.list, _), (.map, _), (.type, _),
            (.optional, _):
            false
        }
    }
}

extension CELType {
    /// Returns the reason why a value isn't of the type.
    fileprivate func refusal(of value: Value) -> String {
        if self == .version, case .string(let text) = value {
            return "expected version, such as 1.12.0, found `\(text.prefix(Version.mostBytes))`"
        }
        return "expected \(self), found \(value.type)"
    }
}
