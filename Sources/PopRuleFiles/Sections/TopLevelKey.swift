/// A top-level key of a rule file: its purpose, its value, and the things that it declares.
package struct TopLevelKey: Sendable {
    package let name: String
    package let summary: String
    package let schema: Schema
    /// The noun for each entry, such as "popup"; nil for a key that isn't a section.
    package let kind: String?

    package init(_ name: String, summary: String, schema: Schema, kind: String? = nil) {
        self.name = name
        self.summary = summary
        self.schema = schema
        self.kind = kind
    }

    /// In the order in which the format's documentation names them.
    package static let all: [TopLevelKey] =
        SectionKey.all.map { section in
            TopLevelKey(
                section.name, summary: section.summary,
                schema: .map(section.schema, keys: .declared(section.form)), kind: section.kind)
        }
        + SettingKey.all.map { setting in
            TopLevelKey(setting.name, summary: setting.summary, schema: setting.schema)
        }
}

/// The words by which the value of a key is compared in the map form of a condition.
package let matcherWords = Matcher.allCases.map(\.rawValue)

/// The words that combine conditions in their map form.
package let combinerWordsOfConditions = combiners
