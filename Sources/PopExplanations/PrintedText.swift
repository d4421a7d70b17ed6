internal import PopSource

/// A string cut to a length that users can read; a cut string ends with its full character count.
package func bounded(_ text: String) -> String {
    let longest = PrintLimits.value
    guard text.utf8.count > longest, text.count > longest else { return text }
    return "\(text.prefix(longest))… (\(text.count) characters)"
}

extension Double {
    /// The number in its usual notation: `20` for `20.0`, `0.05` unchanged.
    package var shortText: String {
        let text = "\(self)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

/// Returns the ordinal of a number: `1st`, `2nd`, `3rd`, `4th`, `11th`, `21st`.
package func ordinal(_ number: Int) -> String {
    switch (number % 10, number % 100) {
    case (_, 11...13): "\(number)th"
    case (1, _): "\(number)st"
    case (2, _): "\(number)nd"
    case (3, _): "\(number)rd"
    case (_, _): "\(number)th"
    }
}
