/// Returns a comparison without its key, such as `> 3`, in the form that follows the key:
/// `{ gt: 3 }`.
///
/// Returns nil for any other text. Equality needs no operator.
package func matcherText(_ text: String) -> String? {
    guard text.utf8.count <= 64 else { return nil }
    if let span = text.wholeMatch(of: #/(-?[0-9.]+) *(?:\.\.+|–|-| to | and ) *(-?[0-9.]+)/#) {
        return matcherText(from: span.output.1, to: span.output.2)
    }
    if let span = text.wholeMatch(of: #/between +(-?[0-9.]+) +and +(-?[0-9.]+)/#) {
        return matcherText(from: span.output.1, to: span.output.2)
    }
    if let least = text.wholeMatch(of: #/(-?[0-9.]+) ?(?:\+|or more|and more|and up)/#) {
        return Double(least.output.1).map { _ in "{ gte: \(least.output.1) }" }
    }
    let parts = text.split(separator: #/ *(?:&&| and ) */#)
    let tests = parts.map { test(String($0)) }
    guard !tests.isEmpty, tests.count <= 2, !tests.contains(where: { $0 == nil }) else {
        return nil
    }
    let matchers = tests.compactMap(\.self)
    if matchers.count == 1, matchers[0].matcher == "eq" { return matchers[0].operand }
    guard matchers.count == 1 || matchers[0].matcher != matchers[1].matcher else { return nil }
    return "{ \(matchers.map { "\($0.matcher): \($0.operand)" }.joined(separator: ", ")) }"
}

private func matcherText(from lower: Substring, to upper: Substring) -> String? {
    guard let first = Double(lower), let last = Double(upper), first < last else { return nil }
    return "{ gte: \(lower), lte: \(upper) }"
}

/// Returns an operator and its operand, which needs no quotes in braces.
private func test(_ text: String) -> (matcher: String, operand: String)? {
    for (signs, matcher) in operators {
        for sign in signs.split(separator: "|") where text.hasPrefix(sign) {
            let operand = text.dropFirst(sign.count).drop { $0 == " " }
            let isWord = sign.last?.isLetter == true && text.dropFirst(sign.count).first != " "
            guard !isWord, isOperand(operand) else { return nil }
            return (matcher, String(operand))
        }
    }
    return nil
}

/// The operators, ordered so that no sign comes before a longer sign that starts with it.
private let operators: [(signs: String, matcher: String)] = [
    (">=|=>|≥|at least|not less than|not below|min", "gte"),
    ("<=|=<|≤|at most|not more than|not above|up to|max", "lte"),
    ("!==|!=|<>|≠|is not|not|!", "ne"), (">|more than|greater than|over|above", "gt"),
    ("<|less than|under|below", "lt"), ("===|==|=|is|equals", "eq"),
]

/// Returns true for a number, a word, or a quoted string.
private func isOperand(_ text: Substring) -> Bool {
    text.wholeMatch(of: #/-?[0-9]+(?:\.[0-9]+)?|[A-Za-z_][A-Za-z0-9_]*|"[^"\\]*"|'[^']*'/#) != nil
}
