internal import PopCEL
internal import PopScheduler
public import PopSource
internal import PopYAML

extension Table<PopupModel> {
    static var content: [Key<PopupModel>] {
        [
            Key(
                "template", format: .oneTemplate, store: { $0.template = $1 },
                alsoCalled: ["type", "kind", "layout", "style", "component", "view", "design"],
                summary: "the template, which defines the fields of the content"
            ).comes { $0.template.map { .string($0) } },
            Key(
                "content", format: .map(of: .any).orElse { $0 }, default: "{}",
                store: { $0.content = $1 },
                alsoCalled: ["payload", "data", "params", "props", "parameters"],
                holds: [
                    "title", "subtitle", "headline", "body", "text", "message", "button",
                    "buttons", "cta", "image", "icon", "link", "url",
                ],
                summary: "the content that is passed to the app"
            ).comes { $0.content == .map([:]) ? nil : $0.content },
            Key(
                "examples", format: .table(.examples, startingWith: ExamplesModel()),
                store: { $0.checks.examples = $1 },
                alsoCalled: ["example", "tests"],
                summary:
                    "example contexts for which `when` must be true, and others for which it must not"
                    + " be true"
            ).such(as: "{ match: [{ user.plan: pro }], no_match: [{ user.plan: free }] }"),
        ]
    }
}

extension PopupModel {
    /// The checks of the popup.
    struct Checks: Defaultable {
        var examples: Located<ExamplesModel>?
        var claim: PrecedenceClaim?
    }
}

/// Contexts for which a popup's `when` must, and must not, be true.
struct ExamplesModel: Sendable {
    var match: Located<[Located<YAMLNode>]>?
    var noMatch: Located<[Located<YAMLNode>]>?
}

extension Table<ExamplesModel> {
    static let examples = Table(
        "examples",
        keys: [
            Key(
                "match", format: .list(of: .map(of: .any, keys: .references("context key"))),
                store: { $0.match = $1 },
                alsoCalled: ["matches", "yes"],
                summary: "contexts for which `when` must be true"),
            Key(
                "no_match", format: .list(of: .map(of: .any, keys: .references("context key"))),
                store: { $0.noMatch = $1 },
                alsoCalled: ["not_match", "no_matches", "no"],
                summary: "contexts for which `when` must not be true"),
        ])
}

extension Format<String> {
    /// The name of a template; its copy is written in the content.
    fileprivate static var oneTemplate: Self {
        let name = Self.reference(to: "template")
        return Format(name.schema) { node, decoder in
            if let template = node.entries.first(where: {
                ["name", "id", "template", "type"].contains($0.key.nameForMessages)
            })?.value.scalar?.text, NameForm.id.fits(template.utf8) {
                let help = "use only the name of the template, such as `template: \(template)`"
                return decoder.mismatch(
                    name.schema, at: node,
                    help: [
                        node.entries.count > 1
                            ? help + ", and write the fields under `content`" : help
                    ])
            }
            guard node.entries.count == 1, let entry = node.entries.first,
                let template = entry.key.scalar?.text, entry.value.kind == .mapping
            else { return decoder.read(name, at: node)?.value }
            let content = decoder.onOneLine(entry.value) ?? "{ title: Hi }"
            return decoder.mismatch(
                name.schema, at: node,
                help: [
                    "write the name and the content as two keys: `template: \(template)` and"
                        + " `content: \(content)`"
                ])
        }
    }
}

extension PopupModel {
    /// The notes about the popup for readers of the rules.
    public struct Texts: Defaultable {
        /// The purpose of the popup, for readers of the rules.
        public var description: Located<String>?
        /// The person or team responsible for the popup, for readers of the rules.
        public var owner: Located<String>?
        /// Words to find it by.
        public var tags: Located<[Located<String>]>?

        @usableFromInline package init() {}
    }
}

extension PopupRule.Texts {
    init(_ model: PopupModel.Texts) {
        self.init()
        description = model.description?.value
        owner = model.owner?.value
        tags = model.tags?.value.map(\.value) ?? []
    }
}

extension Table<PopupModel> {
    static var texts: [Key<PopupModel>] {
        [
            Key(
                "description", format: .text, store: { $0.texts.description = $1 },
                alsoCalled: ["summary", "comment", "purpose", "note", "notes", "doc"],
                summary: "the purpose of the popup, for people who read the rules"
            ).comes { $0.texts.description.map { .string($0) } },
            Key(
                "owner", format: .nameOrWord, store: { $0.texts.owner = $1 },
                alsoCalled: ["team", "author", "maintainer", "contact", "responsible"],
                summary: "the person or team responsible for the popup"
            ).comes { $0.texts.owner.map { .string($0) } },
            Key(
                "tags", format: .list(of: .text), default: "[]", store: { $0.texts.tags = $1 },
                alsoCalled: ["labels", "keywords", "categories", "category"],
                summary: "words for finding and selecting the popup"
            ).comes {
                $0.texts.tags.isEmpty ? nil : .list($0.texts.tags.sorted().map { .string($0) })
            },
        ]
    }
}

extension Table<PopupModel> {
    static var conditions: [Key<PopupModel>] {
        [
            Key(
                "trigger", format: .triggers, default: "start", store: { $0.trigger = $1 },
                alsoCalled: ["triggers", "on", "event", "events", "fires_on", "start_on"],
                holds: ["where", "nth"],
                summary:
                    "what puts the popup in the queue: `start` by default, `session`, `manual`, an"
                    + " event, a changed key, a user's action on another popup, or a list of"
                    + " several triggers"),
            Key(
                "when", format: .condition, store: { $0.when = $1 },
                alsoCalled: [
                    "condition", "conditions", "if", "show_when", "show_if", "where", "visible",
                    "visible_if", "visible_when", "display_when", "filter", "audience", "target",
                    "targeting", "segment", "segments", "criteria", "eligibility", "rule", "rules",
                    "expression",
                ] + places.keys,
                summary: "the condition under which the popup may show"
            ).such(as: places),
            Key(
                "dismiss_when", format: .condition, store: { $0.dismissWhen = $1 },
                alsoCalled: ["hide_when", "close_when", "hide_if", "close_if", "dismiss_if"],
                summary:
                    "the condition under which a visible popup is dismissed, and a waiting popup"
                    + " is not shown"),
        ]
    }
}

/// Common keys of popups, such as a screen, that belong in a condition.
private let places: [String: String] = {
    let names = ["screen", "screens", "page", "pages", "route", "path", "view_controller"]
    var places = Dictionary(uniqueKeysWithValues: names.map { ($0, "app.screen == \"$\"") })
    for name in ["platform", "os", "device", "country", "language", "region", "city", "plan"] {
        places[name] =
            "\nuse a condition on a context key, such as"
            + " `when: user.\(name) == \"$\"`"
    }
    for name in ["else", "otherwise", "fallback"] {
        places[name] =
            "\nwrite a separate popup with the opposite condition in its `when`, such as"
            + " `when: user.plan != \"pro\"`"
    }
    return places
}()

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
                summary: "the languages that every localized string must have"
            ).such(as: "[en, de]"),
            Key(
                "fallback", format: .locale, store: { $0.fallback = $1 },
                alsoCalled: ["default", "base", "source", "main"],
                summary: "the language for users of all other languages"
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
            let help = ["write `\(text)`; `key` is the context key with the user's language"]
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
