public import PopSource

/// An entry of `templates`, as far as it matters while an app runs: what content must be has been
/// checked in its rule files.
public struct TemplateRule: Sendable {
    /// What a person can do on a popup besides closing it.
    public struct Action: Sendable, Hashable {
        /// Letters, digits and `_` in rule files.
        public var name: String
        /// Whether it says no, which counts as closing the popup.
        public var isRefusal: Bool

        /// An action that the app may report.
        public init(name: String, isRefusal: Bool = false) {
            self.name = name
            self.isRefusal = isRefusal
        }

        /// What closing a popup is called where actions are named; no template declares it.
        public static let close = "close"
    }

    /// The name that popups refer to.
    public var name: String
    /// What the app may report of its popups.
    public var actions: [Action]
    /// The fields of the content that hold a text for each language, or one for all.
    public var localizedFields: [String]
    /// Where the name is written.
    public var range: SourceRange

    /// A template without actions and without localized fields unless they are given.
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

/// How the language of a user is known, and what is read where there is no text in it.
public struct Locales: Sendable, Hashable {
    /// The context key with the language, such as `zh-Hant-TW`.
    public var key: KeyIndex
    /// The language of the texts for everybody else.
    public var fallback: String

    /// The languages of a rule set.
    public init(key: KeyIndex, fallback: String) {
        self.key = key
        self.fallback = fallback
    }
}
