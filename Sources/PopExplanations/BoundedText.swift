internal import PopSource

/// A string cut to a length that users can read; a cut string ends with its full character count.
package func bounded(_ text: String) -> String {
    let longest = PrintLimits.value
    guard text.utf8.count > longest, text.count > longest else { return text }
    return "\(text.prefix(longest))… (\(text.count) characters)"
}
