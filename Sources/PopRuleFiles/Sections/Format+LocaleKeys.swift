internal import PopScheduler
internal import PopSource
internal import PopYAML

extension Table<LocalesModel> {
    static let locales = Table(
        "`locales`",
        keys: [
            Key(
                "key", format: .reference(to: "context key"), store: { $0.key = $1 },
                alsoCalled: ["by", "from", "context", "user", "locale", "language"],
                summary: "the context key with the user's language, such as `de-CH`"
            ).such(as: "user.locale").required,
            Key(
                "required",
                format: .list(
                    of: .locale, minimum: 1, maximum: RuleBounds.requiredLanguages),
                store: { $0.required = $1 },
                alsoCalled: ["languages", "supported", "all", "list", "values", "locales"],
                summary: "the languages in which every localized text must be written"
            ).such(as: "[en, de]"),
            Key(
                "fallback", format: .locale, store: { $0.fallback = $1 },
                alsoCalled: ["default", "base", "source", "main"],
                summary: "the language for all other users"
            ).such(as: "en").required,
        ])
}

extension Format<LocalesModel> {
    /// The map; for a list of languages, help shows the map form. Even if it cannot be read, it is
    /// known that there are languages.
    static var locales: Self {
        let table = Self.table(.locales, startingWith: LocalesModel())
        return Format(table.schema) { node, decoder in
            let names = node.items.compactMap { $0.scalar?.text }
            guard let first = names.first, names.count == node.items.count else {
                return decoder.read(table, at: node)?.value
            }
            let text =
                "locales: { key: user.locale, required: [\(names.joined(separator: ", "))],"
                + " fallback: \(first) }"
            let help = ["write `\(text)`: `key` is the context key with the user's language"]
            return decoder.mismatch(table.schema, at: node, help: help) ?? LocalesModel()
        }
    }
}

extension Format<String> {
    /// A language, such as `en` and `zh-Hant`.
    static var locale: Self {
        let schema = Schema.pattern(
            phrase: "a language such as `en` or `zh-Hant`",
            expression: "^[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8})*$")
        return Format(schema) { node, decoder in
            guard case .string? = node.coreValue, let text = node.text else {
                return decoder.mismatch(schema, at: node)
            }
            if let problem = LocaleProblem(text, among: []) {
                decoder.report(problem.finding(at: node.range))
            }
            return text
        }
    }
}
