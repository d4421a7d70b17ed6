/// Two names of the rules that would be the same name in Swift.
package struct SwiftNameClash: Error, Hashable {
    /// The kind of both names, such as `popups`.
    package var kind: String
    package var first: String
    package var second: String
    /// The name that both would have in Swift.
    package var name: String
}

/// Names of the rules as names of Swift.
enum SwiftName {
    /// Words that can't be names without backticks, at least in some places.
    private static let keywords: Set<String> = [
        "as", "associatedtype", "await", "borrowing", "break", "case", "catch", "class", "consume",
        "consuming", "continue", "copy", "default", "defer", "deinit", "discard", "do", "each",
        "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard",
        "if", "import", "in", "inout", "internal", "is", "isolated", "let", "nil", "open",
        "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows",
        "return", "sending", "some", "static", "struct", "subscript", "super", "switch", "throw",
        "throws", "true", "try", "typealias", "unsafe", "var", "where", "while", "any",
    ]
    /// Words that aren't member names even in backticks, and members that the generated types have.
    private static let takenMembers: Set<String> = [
        "self", "init", "allCases", "hashValue", "payload", "rawValue",
    ]
    /// Words that aren't type names, and names that the generated code uses for something else.
    private static let takenTypes: Set<String> = [
        "Any", "Bool", "CaseIterable", "CodingKey", "CodingKeys", "Date", "Decodable", "Double",
        "Duration", "Int", "Protocol", "RuleEvent", "Self", "Sendable", "String", "Timestamp",
        "Type", "UInt64", "Value",
    ]

    /// `checkout.completed` as `CheckoutCompleted`.
    static func type(_ text: String) -> String {
        safe(words(text).map(capitalized).joined(), taken: takenTypes)
    }

    /// `user.plan_name` as `userPlanName`, in backticks where it is a keyword.
    static func member(_ text: String) -> String {
        let words = words(text)
        let name = safe(
            lowered(words.first ?? "") + words.dropFirst().map(capitalized).joined(),
            taken: takenMembers)
        return keywords.contains(name) ? "`\(name)`" : name
    }

    /// Returns a string literal.
    static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                literal += "\\u{\(String(scalar.value, radix: 16))}"
            default:
                if scalar == "\"" || scalar == "\\" { literal += "\\" }
                literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }

    private static func safe(_ name: String, taken: Set<String>) -> String {
        let startsWithDigit = name.utf8.first.map { (48...57).contains($0) } ?? false
        return startsWithDigit || taken.contains(name) ? "_\(name)" : name
    }

    /// Returns the parts between characters that a name can't contain; if there are no such parts,
    /// the code points of the characters.
    private static func words(_ text: String) -> [String] {
        let words = text.split { !($0.isLetter || $0.isASCII && $0.isNumber) }.map(String.init)
        if !words.isEmpty { return words }
        return text.isEmpty
            ? ["empty"] : text.unicodeScalars.map { "u" + String($0.value, radix: 16) }
    }

    private static func capitalized(_ word: String) -> String {
        word.prefix(1).uppercased() + word.dropFirst()
    }

    /// Returns the word with its first letter in lower case, or entirely in lower case if it has no
    /// lower-case letter: `USD` becomes `usd`, `iPhone` stays unchanged.
    private static func lowered(_ word: String) -> String {
        word.allSatisfy { !$0.isLowercase }
            ? word.lowercased() : word.prefix(1).lowercased() + word.dropFirst()
    }
}

extension SwiftName {
    /// Returns the name of each string; throws the first two strings that would get the same name.
    static func distinct(
        _ texts: [String], as kind: String, by name: (String) -> String
    ) throws(SwiftNameClash) -> [(text: String, name: String)] {
        var owners: [String: String] = [:]
        var result: [(String, String)] = []
        for text in texts {
            let name = name(text)
            if let first = owners[name] {
                throw SwiftNameClash(kind: kind, first: first, second: text, name: name)
            }
            owners[name] = text
            result.append((text, name))
        }
        return result
    }
}
