internal import PopScheduler
public import PopSource
package import PopYAML

/// The experiment of a popup: which users see which variant of it.
public struct ExperimentModel: Sendable {
    /// The users who take part, if the popup has an experiment of its own.
    public var division = DivisionModel()
    /// The name of an entry of `experiments`, which defines who takes part.
    public var of: Located<String>?
    /// The variants for users who take part and are not in the control group.
    public var variants: Located<[VariantModel]>?
}

/// The variant of a popup that the users of an arm see.
public struct VariantModel: Sendable {
    /// The name of the arm.
    public let name: Located<String>
    /// The share of users who get it, relative to the weights of the others; nil is 1.
    public var weight: Located<Int>?
    /// The name of an entry of `templates`; nil is that of the popup.
    public var template: Located<String>?
    package var content: Located<YAMLNode>?

    init(name: Located<String>) { self.name = name }
}

extension Table<ExperimentModel> {
    static let experiment = Table(
        "an experiment",
        keys: divisionKeys { $1(&$0.division) } + [
            Key(
                "of", format: .reference(to: "experiment"), store: { $0.of = $1 },
                alsoCalled: ["experiment", "name", "ref", "uses"],
                summary: "the entry of `experiments` that defines who takes part, instead of all"
                    + " keys except `variants`"
            ).such(as: [
                "name":
                    "\nremove the name for an experiment on one popup:"
                    + " `{ by: user.id, control: 50, variants: { as_is: {} } }`\n"
                    + "use `of` for an entry of `experiments`, which several popups share"
            ]),
            Key(
                "variants", format: .variants, store: { $0.variants = $1 },
                alsoCalled: ["arms", "groups", "variations", "treatments", "buckets", "cases"],
                summary: "the variants that users see, by name"
            ).such(as: "{ short: { content: { title: Hi } }, as_is: {} }"),
        ],
        rules: [
            .oneOf(["by", "layer", "of"]), .with("range", "layer"), .atMostOneOf(["of", "salt"]),
            .atMostOneOf(["of", "share"]), .atMostOneOf(["of", "control"]),
        ])
}

extension Table<VariantModel> {
    static let variant = Table(
        "a variant",
        keys: [
            Key(
                "weight", format: .integer(RuleBounds.weights), default: "1",
                store: { $0.weight = $1 }, alsoCalled: ["share", "percent", "ratio", "split"],
                summary: "how many users get it, relative to the weights of the others"),
            Key(
                "template", format: .reference(to: "template"), store: { $0.template = $1 },
                alsoCalled: ["type", "kind", "layout", "style"],
                summary: "the template of the variant, if it differs from the popup's"),
            Key(
                "content", format: .map(of: .any).orElse { $0 }, store: { $0.content = $1 },
                alsoCalled: ["payload", "data", "params", "changes"],
                holds: ["title", "subtitle", "body", "text", "message", "button", "image", "link"],
                summary: "the content that differs: each key replaces the popup's"),
        ])
}

/// Returns help on an experiment that is only a name.
private func helpWithName(_ name: String) -> String {
    "use `of` for an entry of `experiments`, such as"
        + " `experiment: { of: \(name), variants: { short: { content: { title: Hi } } } }`"
}

extension Format<ExperimentModel> {
    static var experiment: Self {
        let table = Self.table(.experiment, startingWith: ExperimentModel())
        return Format(table.schema) { node, decoder in
            // That there is an experiment is known of one that cannot be read too.
            if let name = node.scalar, NameForm.dotted.fits(name.text.utf8) {
                return decoder.mismatch(table.schema, at: node, help: [helpWithName(name.text)])
                    ?? ExperimentModel()
            }
            guard let experiment = table.read(node, &decoder) else { return ExperimentModel() }
            decoder.checkRange(of: experiment.division, in: node)
            if experiment.of == nil, node["variants"] == nil {
                decoder.report(.noVariants(at: decoder.rangeToBlame(for: node)))
            }
            decoder.checkParts(
                control: experiment.division.control,
                weights: (experiment.variants?.value ?? []).map(\.weight))
            return experiment
        }
    }
}

extension Format<[VariantModel]> {
    /// A map of names to the changes of the variants.
    static var variants: Self {
        let schema = Schema.map(.table(Table.variant.schema), keys: .declared(.id))
        return Format(schema) { node, decoder in
            guard node.kind == .mapping else {
                return decoder.mismatch(schema, at: node, help: [helpWithVariants])
            }
            if node.entries.isEmpty { decoder.report(.noVariants(at: node.range)) }
            return node.entries.compactMap { decoder.variant($0) }
        }
    }
}

extension Decoder {
    /// The name of an arm that is not control.
    mutating func variantName(_ key: YAMLNode) -> Located<String>? {
        guard let name = name(key, of: "variant", form: .id) else { return nil }
        if name.value == Assignment.control { report(.variantCalledControl(name)) }
        if name.value == "none" { report(.variantCalledNone(name)) }
        return name
    }

    fileprivate mutating func variant(_ entry: YAMLEntry) -> VariantModel? {
        guard let name = variantName(entry.key) else { return nil }
        var variant = VariantModel(name: name)
        inside(key: entry.key) { decoder in
            guard entry.value.kind == .mapping else {
                let weight = (entry.value.scalar?.text).flatMap { weightWritten(in: $0) }
                let written = weight.map { "{ weight: \($0) }" } ?? "{}"
                _ =
                    decoder.mismatch(
                        .table(Table.variant.schema), at: entry.value,
                        help: [
                            weight == nil
                                ? "write what it changes, or `\(name.value): {}` for the unchanged"
                                    + " popup"
                                : "write `\(name.value): \(written)` for the unchanged popup"
                        ]
                            + (weight == nil
                                ? []
                                : [
                                    "add `content` if the variant shows something else:"
                                        + " `\(name.value): { weight: \(weight ?? 1), content:"
                                        + " { title: Hi } }`"
                                ]),
                        fixes: weight == nil
                            ? [] : [.rename(entry.value.range, to: written)]) as VariantModel?
                return
            }
            decoder.read(.variant, at: entry.value, into: &variant)
        }
        return variant
    }
}

/// The weight that is meant by `50` and `50%`.
private func weightWritten(in text: String) -> Int? {
    Int(text.hasSuffix("%") ? text.dropLast().filter { $0 != " " } : text)
        .flatMap { RuleBounds.weights.contains($0) ? $0 : nil }
}

private let helpWithVariants =
    "write a name for each variant and what it changes, such as"
    + " `{ short: { content: { title: Hi } }, as_is: {} }`"

extension Diagnostic {
    static func noVariants(at range: SourceRange) -> Self {
        Diagnostic(
            .schemaMissingKey, message: "an experiment needs at least one variant", at: range,
            label: "no variants", help: [helpWithVariants])
    }

    fileprivate static func variantCalledNone(_ name: Located<String>) -> Self {
        Diagnostic(
            .schemaIDFormat, message: "a variant cannot be called `none`", at: name.range,
            label: "reserved: in tests it means no arm of the experiment",
            help: ["write `as_is: {}` for a variant that shows the unchanged popup"])
    }

    fileprivate static func variantCalledControl(_ name: Located<String>) -> Self {
        Diagnostic(
            .schemaIDFormat, message: "a variant cannot be called `control`", at: name.range,
            label: "reserved for the users who see nothing",
            help: [
                "set how many users see nothing where the experiment is declared, such as"
                    + " `control: 10`; for a variant that shows the unchanged popup, write"
                    + " `as_is: {}`"
            ])
    }
}
