internal import PopCEL
internal import PopScheduler
internal import PopSource
internal import PopYAML

extension Table<PopupModel> {
    static var content: [Key<PopupModel>] {
        [
            Key(
                "template", format: .oneTemplate, store: { $0.template = $1 },
                alsoCalled: ["type", "kind", "layout", "style", "component", "view", "design"],
                summary: "the kind of popup, which defines what its content must have"
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
                summary: "contexts for which `when` must be true, and others for which it must not"),
        ]
    }
}

extension PopupModel {
    /// The checks of the popup.
    struct Checks: HasUsualValue {
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
