internal import PopSource

/// As much of a text as people read: longer ones are cut and say how long they are.
package func bounded(_ text: String) -> String {
    let longest = PrintLimits.value
    guard text.utf8.count > longest, text.count > longest else { return text }
    return "\(text.prefix(longest))… (\(text.count) characters)"
}
