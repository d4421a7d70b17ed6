/// A regular expression that is compiled once; a literal in a function is compiled at each call.
///
/// A file of 1 MB can hold 50,000 values that aren't durations or dates, and each is matched with
/// up to ten expressions.
struct SharedRegex<Output>: Sendable {
    // A regex without closures never changes after it is made; the standard library compiles it
    // with an atomic exchange.
    private nonisolated(unsafe) let stored: Regex<Output>
    private var regex: Regex<Output> { unsafe stored }

    init(_ regex: Regex<Output>) { unsafe stored = regex }

    func wholeMatch(of text: some StringProtocol & BidirectionalCollection<Character>)
        -> Regex<Output>.Match?
    {
        try? regex.wholeMatch(in: Substring(text))
    }

    func firstMatch(in text: String) -> Regex<Output>.Match? { try? regex.firstMatch(in: text) }

    func prefixMatch(of text: String) -> Regex<Output>.Match? { try? regex.prefixMatch(in: text) }

    /// Returns the text with each match replaced.
    func replaced(in text: String, with replacement: (Regex<Output>.Match) -> String) -> String {
        text.replacing(regex, with: replacement)
    }
}
