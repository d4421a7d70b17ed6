/// A path as its names.
package struct PathNames: Sendable {
    /// A name, and its bytes if all of them are ASCII.
    struct Name: Sendable {
        let characters: [Character]
        let ascii: [UInt8]?
    }

    let names: [Name]

    /// Splits a path with `/` between its names.
    package init(_ path: String) {
        names = path.split(separator: "/").filter { $0 != "." }.map { name in
            let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
            return Name(characters: Array(name), ascii: isASCII ? Array(name.utf8) : nil)
        }
    }
}

/// A pattern for paths, such as `rules/**/*.yaml`.
///
/// `*` and `?` match within a name, `**` any folders, `[a-z]` and `[!a-z]` a character, and `{a,b}`
/// either of two strings. If a folder matches, everything in it matches too: `rules/legacy` covers
/// all files below it.
public struct PathPattern: Sendable {
    /// The number of patterns that the braces of one may make.
    public static let mostAlternatives = 64
    /// The number of characters of a pattern.
    public static let longest = 1_000

    private enum Part: Sendable {
        case anyFolders
        case name(NamePattern<Character>, ascii: NamePattern<UInt8>?)
    }

    /// One list of names for each alternative.
    private let alternatives: [[Part]]

    /// Reads a pattern, with `/` between names on every system. Every string is a pattern; one that
    /// is beyond the limits matches nothing, see `excess(of:)`.
    public init(_ text: String) {
        guard Self.excess(of: text) == nil else {
            alternatives = []
            return
        }
        alternatives = (Self.expanded(text) ?? []).map { text in
            text.split(separator: "/").filter { $0 != "." }.reduce(into: []) { parts, name in
                let part = Self.part(name)
                // A second `**` says nothing more.
                if case .anyFolders = part, case .anyFolders? = parts.last { return }
                parts.append(part)
            }
        }
    }

    /// Returns what of a pattern is beyond a limit, such as `more than 64 alternatives`; nil if it
    /// is within the limits.
    public static func excess(of text: String) -> String? {
        if text.utf8.count > longest, text.count > longest {
            return "more than \(longest) characters"
        }
        return expanded(text) == nil ? "more than \(mostAlternatives) alternatives in braces" : nil
    }

    /// Returns true if a string has a character that makes it a pattern.
    public static func isPattern(_ text: String) -> Bool { text.contains { "*?[{".contains($0) } }

    /// Returns whether a path, with `/` between its names, matches. Takes time in proportion to
    /// the product of both lengths.
    public func matches(_ path: String) -> Bool { matches(PathNames(path)) }

    /// Returns the same for a path that is compared with many patterns.
    package func matches(_ path: PathNames) -> Bool {
        alternatives.contains { parts in
            // Only a whole path matches a pattern that ends with any folders.
            var isOpenAtEnd = false
            if case .anyFolders? = parts.last { isOpenAtEnd = true }
            var states = Self.start(of: parts)
            var isReached = states[parts.count]
            for name in path.names {
                guard Self.step(&states, by: name, in: parts) else {
                    return isReached && !isOpenAtEnd
                }
                isReached = isReached || states[parts.count]
            }
            return isOpenAtEnd ? states[parts.count] : isReached
        }
    }

    /// Returns whether something in the folder may match.
    func mayMatch(inFolder path: String) -> Bool {
        let names = PathNames(path).names
        return alternatives.contains { parts in
            var states = Self.start(of: parts)
            return names.allSatisfy { Self.step(&states, by: $0, in: parts) }
        }
    }

    /// Returns the names before the first that holds a pattern, where a search starts.
    public static func fixedFolder(of text: String) -> String {
        let names = text.split(separator: "/", omittingEmptySubsequences: false)
        let fixed = names.dropLast().prefix { !isPattern(String($0)) }
        if fixed.isEmpty { return "." }
        return fixed == [""] ? "/" : fixed.joined(separator: "/")
    }
}

// MARK: Matching

extension PathPattern {
    /// Returns true for each position in a pattern that no names lead to; the last is its end.
    private static func start(of parts: [Part]) -> [Bool] {
        var states = [Bool](repeating: false, count: parts.count + 1)
        states[0] = true
        addEmptyFolders(to: &states, in: parts)
        return states
    }

    /// Goes on from positions in a pattern by a name; false if no position is left.
    private static func step(
        _ states: inout [Bool], by name: PathNames.Name, in parts: [Part]
    ) -> Bool {
        var next = [Bool](repeating: false, count: states.count)
        for (position, part) in parts.enumerated() where states[position] {
            switch part {
            case .anyFolders: next[position] = true
            case .name(let pattern, let ascii):
                if let ascii, let letters = name.ascii {
                    if ascii.matches(letters) { next[position + 1] = true }
                } else if pattern.matches(name.characters) {
                    next[position + 1] = true
                }
            }
        }
        addEmptyFolders(to: &next, in: parts)
        states = next
        return next.contains(true)
    }

    /// Adds the positions after `**`, which matches no folder as well.
    private static func addEmptyFolders(to states: inout [Bool], in parts: [Part]) {
        for (position, part) in parts.enumerated() where states[position] {
            if case .anyFolders = part { states[position + 1] = true }
        }
    }
}

// MARK: Reading

extension PathPattern {
    private static func part(_ name: Substring) -> Part {
        if name == "**" { return .anyFolders }
        let characters = Array(name)
        let ascii =
            name.utf8.allSatisfy { $0 < 0x80 }
            ? NamePattern<UInt8>(characters) { $0.asciiValue ?? 0 } : nil
        return .name(NamePattern<Character>(characters) { $0 }, ascii: ascii)
    }

    /// Returns the strings that the braces of a string make; nil if they are too many.
    private static func expanded(_ text: String) -> [String]? {
        var done: [String] = []
        var open = [text]
        while let text = open.popLast() {
            guard let end = text.firstIndex(of: "}"), let start = text[..<end].lastIndex(of: "{")
            else {
                done.append(text)
                continue
            }
            let choices = text[text.index(after: start)..<end]
                .split(separator: ",", omittingEmptySubsequences: false)
            guard done.count + open.count + choices.count <= mostAlternatives else { return nil }
            let (before, after) = (text[..<start], text[end...].dropFirst())
            for choice in choices.reversed() { open.append("\(before)\(choice)\(after)") }
        }
        return done
    }
}
