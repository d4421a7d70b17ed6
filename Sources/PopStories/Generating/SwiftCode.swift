package import PopRuleFiles
package import PopScheduler

/// Swift types for the declarations of rules: a misspelled name doesn't compile.
package struct SwiftCode {
    package private(set) var text: String

    /// The first line, which identifies the file.
    package static let header = "// Made by `poprules generate swift` from the rules: do not edit."

    /// The types that the code may use, and the module that each comes from.
    private static let uses = [
        ("Date", "Foundation"), ("PopupEngine", "PopEngine"), ("Timestamp", "PopEngine"),
        ("TypedKey", "PopEngine"), ("ValueConvertible", "PopEngine"),
    ]

    /// Throws if two names of the rules would be the same in Swift.
    ///
    /// `model` contains the templates as the rule files write them.
    package init(_ rules: RuleSet, model: RuleModel) throws(SwiftNameClash) {
        let parts = [
            try Self.keys(rules), try Self.events(rules), try Self.popups(rules),
            try Self.schedulers(rules), try Self.templates(model, hasPopups: !rules.popups.isEmpty),
        ].filter { !$0.isEmpty }
        let code = parts.map { $0.joined(separator: "\n") }
        let words = Set(code.joined(separator: " ").split { !$0.isLetter && !$0.isNumber })
        let modules = Set(Self.uses.filter { words.contains(Substring($0.0)) }.map(\.1))
        let beginning = [Self.header, "// swift-format-ignore-file"]
        let imports = modules.sorted().map { "public import \($0)" }
        text =
            ([beginning.joined(separator: "\n"), imports.joined(separator: "\n")] + code)
            .filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }
}
