/// A path as its names.
package struct PathNames: Sendable {
    let names: [[Character]]

    /// A path with `/` between its names.
    package init(_ path: String) {
        names = path.split(separator: "/").filter { $0 != "." }.map(Array.init)
    }
}

/// A pattern for paths: `*` and `?` within a name, `**` over folders, `[a-z]` for a character,
/// `{a,b}` for either.
///
/// A path also matches if it is in a folder that matches: `rules/legacy` matches all paths in it.
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

    /// Returns true if a string has a character that makes it a pattern.
    public static func isPattern(_ text: String) -> Bool { text.contains { "*?[{".contains($0) } }

    /// Returns true if a path, with `/` between its names, matches. Takes time in proportion to
    /// both lengths.
    public func matches(_ path: String) -> Bool { matches(PathNames(path)) }

    /// The same of a path that is compared with many patterns.
    package func matches(_ path: PathNames) -> Bool {
        alternatives.contains { Self.reached($0, names: path.names).contains($0.count) }
    }

    /// Returns true if a path in the folder may match.
    func mayMatch(inFolder path: String) -> Bool {
        let names = PathNames(path).names
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
            } else if matches(name, pattern: pattern[state]) {
                next.insert(state + 1)
            }
        }
        return closure(next, pattern: pattern)
    }

    /// `**` matches no folder as well.
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
    /// Returns true if a name matches a pattern without `/`; goes back to the last `*` only, so
    /// that time is bounded by the product of the lengths.
    private static func matches(_ name: [Character], pattern: [Character]) -> Bool {
        var (place, position) = (0, 0)
        var retry: (place: Int, position: Int)?
        while true {
            if position < pattern.count, pattern[position] == "*" {
                position += 1
                if position == pattern.count { return true }
                retry = (place, position)
            } else if place < name.count,
                let next = end(in: pattern, from: position, after: name[place])
            {
                (place, position) = (place + 1, next)
            } else if place == name.count, position == pattern.count {
                return true
            } else if let last = retry, last.place < name.count {
                retry = (last.place + 1, last.position)
                (place, position) = (last.place + 1, last.position)
            } else {
                return false
            }
        }
    }

    /// The position after a part of the pattern, if that part matches the character.
    private static func end(
        in pattern: [Character], from position: Int, after character: Character
    ) -> Int? {
        guard position < pattern.count else { return nil }
        let first = pattern[position]
        if first == "?" { return position + 1 }
        if first == "[", let end = pattern.dropFirst(position + 2).firstIndex(of: "]") {
            let isNegated = pattern[position + 1] == "!"
            let set = pattern[(position + (isNegated ? 2 : 1))..<end]
            return contains(set, character: character) != isNegated ? end + 1 : nil
        }
        return first == character ? position + 1 : nil
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

    /// The strings that the braces of a string expand to.
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
