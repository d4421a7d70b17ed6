internal import PopCEL

/// Returns the lower bound that a comparison with an integer implies for its left side; nil if it
/// implies none. A count is never negative.
func leastCount(_ operation: Operator, number: Int64, is truth: Bool) -> Int64? {
    switch (operation, truth) {
    case (.greater, true), (.lessOrEqual, false): number < .max ? number + 1 : nil
    case (.greaterOrEqual, true), (.less, false), (.equal, true), (.notEqual, false): number
    case (.notEqual, true), (.equal, false): number == 0 ? 1 : nil
    case (.and, _), (.or, _), (.conditional, _), (.less, _), (.lessOrEqual, _), (.greater, _),
        (.greaterOrEqual, _), (.in, _), (.add, _), (.subtract, _), (.multiply, _), (.divide, _),
        (.modulo, _), (.not, _), (.negate, _), (.index, _), (.optionalIndex, _):
        nil
    }
}

/// The same of a list that a count is in; nil when its items are not all whole numbers.
func leastCount(in list: NodeID, of tree: SyntaxTree) -> Int64? {
    guard tree.kind(of: list) == .list else { return nil }
    var least: Int64?
    for item in tree.children(of: list) {
        guard case .int(let number)? = tree.literal(item) else { return nil }
        least = min(least ?? number, number)
    }
    return least
}

/// Returns the name that has a value if the time since an event isn't infinite, as it would be for
/// an event that never came: `last_event("paid")` if `since("paid")` is less than a duration; nil
/// if no such name exists.
func present(
    where length: String, _ operation: Operator, _ other: Value?, is truth: Bool
) -> String? {
    guard length.hasPrefix("since(") else { return nil }
    let isBelow =
        switch (operation, truth) {
        // Less than anything is less than the longest.
        case (.less, true), (.greaterOrEqual, false): true
        case (.lessOrEqual, true), (.greater, false), (.equal, true), (.notEqual, false):
            if case .duration(let bound)? = other { bound < .endless } else { false }
        case (.and, _), (.or, _), (.conditional, _), (.equal, _), (.notEqual, _), (.less, _),
            (.lessOrEqual, _), (.greater, _), (.greaterOrEqual, _), (.in, _), (.add, _),
            (.subtract, _), (.multiply, _), (.divide, _), (.modulo, _), (.not, _), (.negate, _),
            (.index, _), (.optionalIndex, _):
            false
        }
    return isBelow ? "last_event(\(length.dropFirst("since(".count).dropLast()))" : nil
}

/// Returns the name that has a value if a count is at least a number, judging by the data that both
/// use: `popups.a.last_shown` if `popups.a.shown_count` is at least 1; nil if no such name exists.
func present(where count: String, isAtLeast number: Int64) -> String? {
    guard number > 0 else { return nil }
    if count == "session.count" { return number > 1 ? "session.previous_end" : nil }
    let suffix = ".shown_count"
    if count.hasPrefix("popups."), count.hasSuffix(suffix) {
        return count.dropLast(suffix.count) + ".last_shown"
    }
    if count.hasPrefix("acted(") { return "last_\(count)" }
    guard count.hasPrefix("event_count(") else { return nil }
    // The events of a time are some of all.
    let arguments = count.dropFirst("event_count(".count).dropLast()
    let name = arguments.prefix { $0 != "," }
    return "last_event(\(name))"
}
