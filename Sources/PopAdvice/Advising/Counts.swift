internal import PopCEL

/// What a comparison with a whole number says of what stands on its left: that it is not below
/// this; nil when it says no such thing. A count is never negative.
func leastCount(_ operation: Operator, number: Int64, is truth: Bool) -> Int64? {
    switch (operation, truth) {
    case (.greater, true), (.lessOrEqual, false): number < .max ? number + 1 : nil
    case (.greaterOrEqual, true), (.less, false), (.equal, true), (.notEqual, false): number
    case (.notEqual, true), (.equal, false): number == 0 ? 1 : nil
    default: nil
    }
}

/// The name of what has a value where a count is not below a number, by what both are read by:
/// `popups.a.last_shown` where `popups.a.shown_count` is at least 1; nil when there is none.
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
