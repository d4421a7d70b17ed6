internal import PopSource
internal import PopYAML

/// A top-level key of a rule file that isn't a map of entries.
struct SettingKey: Sendable {
    let name: String
    let summary: String
    let schema: Schema
    /// Reads the value of the key into the file.
    let read: @Sendable (YAMLNode, inout RuleFile, inout Decoder) -> Void

    init<Value>(
        _ name: String, format: Format<Value>, summary: String,
        store: @escaping @Sendable (inout RuleFile, Located<Value>) -> Void
    ) {
        self.name = name
        self.summary = summary
        schema = format.schema
        read = { node, file, decoder in
            if let value = decoder.read(format, at: node) { store(&file, value) }
        }
    }

    static func named(_ name: String) -> SettingKey? { all.first { $0.name == name } }

    /// In the order in which the format's documentation names them.
    static let all: [SettingKey] = [
        SettingKey(
            "defaults", format: .defaults(.fileDefaults),
            summary: "the values of keys that popups of this file don't set"
        ) { $0.defaults = $1 },
        SettingKey(
            "limits", format: .sharedLimits,
            summary: "how many popups are shown across all schedulers, or across some"
        ) { $0.limits += $1.value },
        SettingKey(
            "holdout", format: .table(.holdout, startingWith: HoldoutModel()),
            summary: "the users who see only popups that are `essential`"
        ) { $0.holdout = $1 },
        SettingKey(
            "quiet", format: .quiet,
            summary: "a part of each day in which popups are not shown"
        ) { $0.quiet = $1 },
        SettingKey(
            "session", format: .table(.session, startingWith: SessionModel()),
            summary: "when a session starts"
        ) { $0.session = $1 },
        SettingKey(
            "locales", format: .locales,
            summary: "the languages of localized content"
        ) { $0.locales = $1 },
    ]
}
