#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

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
    /// The maximum number of patterns under `rules` of a configuration: each is a search through
    /// folders.
    public static let mostTogether = 500

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

    /// Describes how a pattern exceeds a limit, such as `more than 64 alternatives`; nil if it is
    /// within the limits.
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

// Matching.
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

// Reading.
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

extension PathPattern {
    /// The files of rules, tests and mappings and the folders of them on the disk whose paths
    /// match, in the order of their paths by bytes.
    ///
    /// Names that begin with a dot are passed over, and links to folders are not followed.
    public static func search(
        _ text: String, limits: RuleFileLimits = .standard
    ) throws(ReadError) -> [String] {
        if let excess = excess(of: text) {
            throw ReadError(path: text, .largePattern(excess: excess))
        }
        let home = fixedFolder(of: text)
        var search = PathSearch(pattern: PathPattern(text), home: home, limits: limits)
        try search.visit(home, depth: 0)
        return search.found.sorted {
            Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8))
        }
    }
}

private struct PathSearch {
    let pattern: PathPattern
    let home: String
    let limits: RuleFileLimits
    var found: [String] = []

    mutating func visit(_ folder: String, depth: Int) throws(ReadError) {
        let manager = FileManager.default
        guard depth < limits.folderDepth,
            let names = try? manager.contentsOfDirectory(atPath: folder)
        else { return }
        for name in names.sorted() where !name.hasPrefix(".") {
            let path =
                folder == "." ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
            let kind = try? manager.attributesOfItem(atPath: path)[.type] as? FileAttributeType
            if kind == .typeDirectory {
                if pattern.matches(path), RuleFiles.hasFiles(inFolder: path) { try add(path) }
                if pattern.mayMatch(inFolder: path) { try visit(path, depth: depth + 1) }
            } else if pattern.matches(path), RuleFiles.isKnownFile(name) {
                try add(path)
            }
        }
    }

    private mutating func add(_ path: String) throws(ReadError) {
        guard found.count < limits.files else {
            throw ReadError(path: home, .tooManyFiles(limit: limits.files))
        }
        found.append(path)
    }
}

/// A pattern for one name of a path: `*`, `?`, `[a-z]` and `[!a-z]`, and letters.
///
/// `Letter` is `UInt8` for names in ASCII, which nearly all are, and `Character` for others.
struct NamePattern<Letter: Comparable & Sendable>: Sendable {
    private enum Part: Sendable {
        case anyLetters
        case anyLetter
        case letter(Letter)
        /// Pairs of a first and a last letter; a pair in the wrong order has no letters.
        case set([(low: Letter, high: Letter)], isNegated: Bool)
    }

    private let parts: [Part]

    /// Reads a pattern. `letter` gives the letter of each character.
    init(_ pattern: [Character], letter: (Character) -> Letter) {
        var parts: [Part] = []
        var position = 0
        while position < pattern.count {
            let character = pattern[position]
            let end = character == "[" ? pattern.dropFirst(position + 2).firstIndex(of: "]") : nil
            if let end {
                let isNegated = ["!", "^"].contains(pattern[position + 1])
                let inside = pattern[(position + (isNegated ? 2 : 1))..<end].map(letter)
                let dash = letter("-")
                parts.append(.set(Self.pairs(inside, dash: dash), isNegated: isNegated))
                position = end
            } else if character == "*" {
                parts.append(.anyLetters)
            } else {
                parts.append(character == "?" ? .anyLetter : .letter(letter(character)))
            }
            position += 1
        }
        self.parts = parts
    }

    private static func pairs(_ letters: [Letter], dash: Letter) -> [(low: Letter, high: Letter)] {
        var pairs: [(low: Letter, high: Letter)] = []
        var letters = letters[...]
        while let low = letters.popFirst() {
            if letters.count >= 2, letters.first == dash {
                letters.removeFirst()
                pairs.append((low, letters.removeFirst()))
            } else {
                pairs.append((low, low))
            }
        }
        return pairs
    }

    /// Returns whether a name matches. Goes back to the last `*` only, so that time is bounded by
    /// the product of the lengths.
    func matches(_ name: [Letter]) -> Bool {
        var (place, position) = (0, 0)
        var retry: (place: Int, position: Int)?
        while true {
            if position < parts.count, case .anyLetters = parts[position] {
                position += 1
                if position == parts.count { return true }
                retry = (place, position)
            } else if place < name.count, position < parts.count,
                Self.matches(name[place], parts[position])
            {
                (place, position) = (place + 1, position + 1)
            } else if place == name.count, position == parts.count {
                return true
            } else if let last = retry, last.place < name.count {
                retry = (last.place + 1, last.position)
                (place, position) = (last.place + 1, last.position)
            } else {
                return false
            }
        }
    }

    private static func matches(_ letter: Letter, _ part: Part) -> Bool {
        switch part {
        case .anyLetters, .anyLetter: true
        case .letter(let wanted): letter == wanted
        case .set(let pairs, let isNegated):
            pairs.contains { $0.low <= letter && letter <= $0.high } != isNegated
        }
    }
}
