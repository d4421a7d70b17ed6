/// Two names of the rules for which there is one in Swift only.
package struct SwiftNameClash: Error, Hashable {
    /// What both are, such as `popups`.
    package var kind: String
    package var first: String
    package var second: String
    /// What both would be called.
    package var name: String
}

/// Names of the rules as names of Swift.
enum SwiftName {
    /// What may not stand as a name without backticks, at least in some places.
    private static let keywords: Set<String> = [
        "as", "associatedtype", "await", "borrowing", "break", "case", "catch", "class", "consume",
        "consuming", "continue", "copy", "default", "defer", "deinit", "discard", "do", "each",
        "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard",
        "if", "import", "in", "inout", "internal", "is", "isolated", "let", "nil", "open",
        "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows",
        "return", "sending", "some", "static", "struct", "subscript", "super", "switch", "throw",
        "throws", "true", "try", "typealias", "unsafe", "var", "where", "while", "any",
    ]
    /// What backticks do not make a name of a member, and what the types that are written have.
    private static let takenMembers: Set<String> = [
        "self", "init", "allCases", "hashValue", "payload", "rawValue",
    ]
    /// What is no name of a type, and what the code that is written means something else by.
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

    /// A text in quotes.
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

    /// The parts between what no name may hold; of a text that has none, what its characters are.
    private static func words(_ text: String) -> [String] {
        let words = text.split { !($0.isLetter || $0.isASCII && $0.isNumber) }.map(String.init)
        if !words.isEmpty { return words }
        return text.isEmpty
            ? ["empty"] : text.unicodeScalars.map { "u" + String($0.value, radix: 16) }
    }

    private static func capitalized(_ word: String) -> String {
        word.prefix(1).uppercased() + word.dropFirst()
    }

    /// With all capitals in front in small letters: `USD` as `usd`, `iPhone` as it is.
    private static func lowered(_ word: String) -> String {
        word.allSatisfy { !$0.isLowercase }
            ? word.lowercased() : word.prefix(1).lowercased() + word.dropFirst()
    }
}

extension SwiftName {
    /// The name of each text; throws the first two of which one name would come.
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
