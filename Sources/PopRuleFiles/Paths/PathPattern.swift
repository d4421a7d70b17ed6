/// A pattern for paths: `*` and `?` within a name, `**` over folders, `[a-z]` for a character,
/// `{a,b}` for either.
///
/// A path matches too when it lies in a folder that matches: `rules/legacy` stands for all that is
/// in it.
public struct PathPattern: Sendable {
    /// Alternatives that braces may make.
    private static let maximumAlternatives = 64

    /// One list of names for each alternative.
    private let alternatives: [[[Character]]]

    /// Reads a pattern, with `/` between names on every system. Every text is one.
    public init(_ text: String) {
        alternatives = Self.expanded(text).map { text in
            text.split(separator: "/").filter { $0 != "." }.map(Array.init)
        }
    }

    /// Whether the text has a character that makes it a pattern.
    public static func isPattern(_ text: String) -> Bool { text.contains { "*?[{".contains($0) } }

    /// Whether a path, with `/` between its names, matches. Takes time in proportion to both
    /// lengths.
    public func matches(_ path: String) -> Bool {
        let names = path.split(separator: "/").filter { $0 != "." }.map(Array.init)
        return alternatives.contains { Self.reached($0, names: names).contains($0.count) }
    }

    /// Whether something in the folder may match.
    func mayMatch(inFolder path: String) -> Bool {
        let names = path.split(separator: "/").filter { $0 != "." }.map(Array.init)
        return alternatives.contains { !Self.states($0, names: names).isEmpty }
    }

    /// The names before the first that holds a pattern, where a search begins.
    public static func fixedFolder(of text: String) -> String {
        let names = text.split(separator: "/", omittingEmptySubsequences: false)
        let fixed = names.dropLast().prefix { !isPattern(String($0)) }
        if fixed.isEmpty { return "." }
        return fixed == [""] ? "/" : fixed.joined(separator: "/")
    }

    /// The positions in the pattern that any leading part of the names leads to.
    private static func reached(_ pattern: [[Character]], names: [[Character]]) -> Set<Int> {
        var states = closure([0], pattern: pattern)
        var all = states
        for name in names {
            states = step(states, pattern: pattern, name: name)
            all.formUnion(states)
        }
        // Nothing but a whole path matches a pattern that ends open.
        return pattern.last == ["*", "*"] ? states : all
    }

    /// The positions in the pattern that all names lead to.
    private static func states(_ pattern: [[Character]], names: [[Character]]) -> Set<Int> {
        names.reduce(closure([0], pattern: pattern)) { step($0, pattern: pattern, name: $1) }
    }

    private static func step(
        _ states: Set<Int>, pattern: [[Character]], name: [Character]
    ) -> Set<Int> {
        var next: Set<Int> = []
        for state in states where state < pattern.count {
            if pattern[state] == ["*", "*"] {
                next.insert(state)
            } else if matches(name[...], pattern: pattern[state][...]) {
                next.insert(state + 1)
            }
        }
        return closure(next, pattern: pattern)
    }

    /// `**` stands for no folder as well.
    private static func closure(_ states: Set<Int>, pattern: [[Character]]) -> Set<Int> {
        var all = states
        for state in states {
            var next = state
            while next < pattern.count, pattern[next] == ["*", "*"] {
                next += 1
                all.insert(next)
            }
        }
        return all
    }
}

// MARK: one name

extension PathPattern {
    /// Whether a name matches a pattern without `/`; goes back to the last `*` only, so that time
    /// is bounded by the product of the lengths.
    private static func matches(
        _ name: ArraySlice<Character>, pattern: ArraySlice<Character>
    ) -> Bool {
        var (name, pattern) = (name, pattern)
        var retry: (name: ArraySlice<Character>, pattern: ArraySlice<Character>)?
        while true {
            if pattern.first == "*" {
                pattern = pattern.dropFirst()
                retry = (name, pattern)
            } else if let character = name.first, let rest = rest(of: pattern, after: character) {
                name = name.dropFirst()
                pattern = rest
            } else if name.isEmpty, pattern.isEmpty {
                return true
            } else if let last = retry, !last.name.isEmpty {
                retry = (last.name.dropFirst(), last.pattern)
                name = last.name.dropFirst()
                pattern = last.pattern
            } else {
                return false
            }
        }
    }

    /// What is left of the pattern when its first part matches the character.
    private static func rest(
        of pattern: ArraySlice<Character>, after character: Character
    ) -> ArraySlice<Character>? {
        guard let first = pattern.first else { return nil }
        if first == "?" { return pattern.dropFirst() }
        if first == "[", let end = pattern.dropFirst(2).firstIndex(of: "]") {
            let isNegated = pattern[pattern.startIndex + 1] == "!"
            let set = pattern[(pattern.startIndex + (isNegated ? 2 : 1))..<end]
            return contains(set, character: character) != isNegated ? pattern[(end + 1)...] : nil
        }
        return first == character ? pattern.dropFirst() : nil
    }

    private static func contains(_ set: ArraySlice<Character>, character: Character) -> Bool {
        var set = set
        while let low = set.first {
            if set.count >= 3, set[set.startIndex + 1] == "-" {
                let high = set[set.startIndex + 2]
                if low <= character, character <= high { return true }
                set = set.dropFirst(3)
            } else {
                if low == character { return true }
                set = set.dropFirst()
            }
        }
        return false
    }

    /// The texts that the braces of a text stand for.
    private static func expanded(_ text: String) -> [String] {
        var done: [String] = []
        var open = [text]
        while let text = open.popLast() {
            guard let end = text.firstIndex(of: "}"),
                let start = text[..<end].lastIndex(of: "{"),
                done.count + open.count < maximumAlternatives
            else {
                done.append(text)
                continue
            }
            let choices = text[text.index(after: start)..<end]
                .split(separator: ",", omittingEmptySubsequences: false)
            let (before, after) = (text[..<start], text[end...].dropFirst())
            for choice in choices.reversed() { open.append("\(before)\(choice)\(after)") }
        }
        return done
    }
}
