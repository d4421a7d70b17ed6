internal import PopScheduler
public import PopSource
package import PopYAML

/// What is shown to whom in place of a popup as it stands.
public struct ExperimentModel: Sendable {
    /// The name of the context key that tells users apart.
    public var by: Located<String>?
    /// A word whose change draws other users; nil is the popup's id.
    public var salt: Located<String>?
    /// How many of a hundred users take part, 0 to 100; nil is all.
    public var share: Located<Double>?
    /// How many of a hundred who take part see nothing, 0 to 100; nil is nobody.
    public var control: Located<Double>?
    /// What the others see.
    public var variants: Located<[VariantModel]>?
}

/// What the users of an arm see in place of a popup as it stands.
public struct VariantModel: Sendable {
    /// The name of the arm.
    public let name: Located<String>
    /// How many users get it, beside the weights of the others; nil is 1.
    public var weight: Located<Int>?
    /// The name of an entry of `templates`; nil is that of the popup.
    public var template: Located<String>?
    package var content: Located<YAMLNode>?

    init(name: Located<String>) { self.name = name }
}

extension Table<ExperimentModel> {
    static let experiment = Table(
        "an experiment",
        keys: [
            Key(
                "by", format: .reference(to: "context key"), store: { $0.by = $1 },
                alsoCalled: ["key", "user", "on", "unit"],
                summary: "the context key that tells users apart"
            ).such(as: "user.id").required,
            Key(
                "salt", format: .text, store: { $0.salt = $1 }, alsoCalled: ["seed", "name", "id"],
                summary: "a word whose change draws other users; the popup's id when there is none"),
            Key(
                "share", format: .number(0...100), default: "100", store: { $0.share = $1 },
                alsoCalled: ["percent", "percentage", "traffic", "allocation"],
                summary:
                    "how many of a hundred users take part; the others see the popup as it stands"
            ),
            Key(
                "control", format: .number(0...100), default: "0", store: { $0.control = $1 },
                alsoCalled: ["holdout", "control_group", "holdback"],
                summary: "how many of a hundred who take part see nothing, for comparison"),
            Key(
                "variants", format: .variants, store: { $0.variants = $1 },
                alsoCalled: ["arms", "groups", "variations", "treatments", "buckets", "cases"],
                summary: "what the others see, by name"
            ).such(as: "{ short: { content: { title: Hi } }, as_is: {} }").required,
        ])
}

extension Table<VariantModel> {
    static let variant = Table(
        "a variant",
        keys: [
            Key(
                "weight", format: .integer(0...1_000_000), default: "1",
                store: { $0.weight = $1 }, alsoCalled: ["share", "percent", "ratio", "split"],
                summary: "how many users get it, beside the weights of the others"),
            Key(
                "template", format: .reference(to: "template"), store: { $0.template = $1 },
                alsoCalled: ["type", "kind", "layout", "style"],
                summary: "what kind of popup it is, where that is another than the popup's"),
            Key(
                "content", format: .map(of: .any).orElse { $0 }, store: { $0.content = $1 },
                alsoCalled: ["payload", "data", "params", "changes"],
                holds: ["title", "subtitle", "body", "text", "message", "button", "image", "link"],
                summary: "what it says otherwise: each key replaces the popup's"),
        ])
}

extension Format<[VariantModel]> {
    /// A map of names to what the variants change.
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
    fileprivate mutating func variant(_ entry: YAMLEntry) -> VariantModel? {
        guard let name = name(entry.key, of: "variant", form: .id) else { return nil }
        if name.value == Assignment.control { report(.variantCalledControl(name)) }
        var variant = VariantModel(name: name)
        inside(key: entry.key) { decoder in
            guard entry.value.kind == .mapping else {
                let weight = entry.value.scalar?.text ?? "1"
                let isWeight = Int(weight) != nil
                _ =
                    decoder.mismatch(
                        .table(Table.variant.schema), at: entry.value,
                        help: [
                            isWeight
                                ? "write `\(name.value): { weight: \(weight) }`"
                                : "write what it changes, or `\(name.value): {}` for the popup as it"
                                    + " stands"
                        ]) as VariantModel?
                return
            }
            decoder.read(.variant, at: entry.value, into: &variant)
        }
        return variant
    }
}

private let helpWithVariants =
    "write a name for each variant and what it changes, such as"
    + " `{ short: { content: { title: Hi } }, as_is: {} }`"

extension Diagnostic {
    fileprivate static func noVariants(at range: SourceRange) -> Self {
        Diagnostic(
            .schemaMissingKey, message: "an experiment needs at least one variant", at: range,
            label: "no variants", help: [helpWithVariants])
    }

    fileprivate static func variantCalledControl(_ name: Located<String>) -> Self {
        Diagnostic(
            .schemaIDFormat, message: "a variant cannot be called `control`", at: name.range,
            label: "the name of those who see nothing",
            help: [
                "how many see nothing stands beside `variants`, such as `control: 10`; a variant"
                    + " that is the popup as it stands is written `as_is: {}`"
            ])
    }
}
