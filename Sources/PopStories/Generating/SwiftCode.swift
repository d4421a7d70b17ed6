package import PopRuleFiles
package import PopScheduler

/// Swift types for what rules declare: a name that is misspelt does not compile.
package struct SwiftCode {
    package private(set) var text: String

    /// The first line, by which the file is known.
    package static let header = "// Made by `poprules generate swift` from the rules: do not edit."

    /// Throws where two names of the rules would be one in Swift.
    ///
    /// `model` says what the rule files write of templates.
    package init(_ rules: RuleSet, model: RuleModel) throws(SwiftNameClash) {
        let parts = [
            try Self.keys(rules), try Self.events(rules), try Self.popups(rules),
            try Self.schedulers(rules), try Self.templates(model),
        ].filter { !$0.isEmpty }
        let imports = [Self.header, "", "public import PopEngine"]
        text =
            ([imports] + parts).map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }
}
