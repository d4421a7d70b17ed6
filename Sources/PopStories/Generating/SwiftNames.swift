internal import PopSource

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
    /// What may not stand as a name without backticks.
    private static let keywords: Set<String> = [
        "Any", "Protocol", "Self", "Type", "as", "associatedtype", "break", "case", "catch",
        "class", "continue", "default", "defer", "deinit", "do", "else", "enum", "extension",
        "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init",
        "inout", "internal", "is", "let", "nil", "open", "operator", "precedencegroup", "private",
        "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct",
        "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var",
        "where", "while",
    ]
    /// What backticks do not make a name of a type or of a member of one.
    private static let taken: Set<String> = ["Type", "Protocol", "self", "init"]

    /// `checkout.completed` as `CheckoutCompleted`.
    static func type(_ text: String) -> String { safe(words(text).map(capitalized).joined()) }

    /// `user.plan_name` as `userPlanName`, in backticks where it is a keyword.
    static func member(_ text: String) -> String {
        let words = words(text)
        guard let first = words.first else { return "_" }
        let name = safe(
            lowered(first) + words.dropFirst().map(capitalized).joined())
        return keywords.contains(name) ? "`\(name)`" : name
    }

    private static func safe(_ name: String) -> String {
        if name.isEmpty { return "_" }
        let startsWithDigit = name.utf8.first.map { (48...57).contains($0) } ?? false
        return startsWithDigit || taken.contains(name) ? "_\(name)" : name
    }

    /// The parts between what no name may hold.
    private static func words(_ text: String) -> [String] {
        text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
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
