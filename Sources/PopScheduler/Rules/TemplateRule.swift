public import PopSource

/// An entry of `templates`, as far as it matters at run time: content was checked in the rule
/// files.
public struct TemplateRule: Sendable {
    /// An action of users on a popup besides closing it.
    public struct Action: Sendable, Hashable {
        /// Letters, digits and `_` in rule files.
        public var name: String
        /// True if the action refuses the popup, which counts as closing it.
        public var isRefusal: Bool

        /// Creates an action that the app may report.
        public init(name: String, isRefusal: Bool = false) {
            self.name = name
            self.isRefusal = isRefusal
        }

        /// The name for closing a popup where actions are named; no template declares it.
        public static let close = "close"
    }

    /// The name that popups refer to.
    public var name: String
    /// The actions on its popups that the app may report.
    public var actions: [Action]
    /// The fields of the content that contain a string for each language, or one for all.
    public var localizedFields: [String]
    /// The place of the name in its file.
    public var range: SourceRange

    /// Creates a template without actions and localized fields unless they are given.
    public init(
        name: String, actions: [Action] = [], localizedFields: [String] = [],
        at range: SourceRange
    ) {
        self.name = name
        self.actions = actions
        self.localizedFields = localizedFields
        self.range = range
    }
}

/// The source of a user's language, and the fallback if there is no string in that language.
public struct Locales: Sendable, Hashable {
    /// The context key with the language, such as `zh-Hant-TW`.
    public var key: KeyIndex
    /// The language of the strings for all other users.
    public var fallback: String

    /// Creates the languages of a rule set.
    public init(key: KeyIndex, fallback: String) {
        self.key = key
        self.fallback = fallback
    }
}
