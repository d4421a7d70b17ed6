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
                summary:
                    "the name of an experiment under `experiments`, which defines who takes part;"
                    + " `of` replaces all keys except `variants`"
            ).such(as: [
                "name":
                    "\nif only this popup takes part, remove the name:"
                    + " `{ by: user.id, control: 50, variants: { as_is: {} } }`\n"
                    + "if several popups take part, use `of` with the name of an experiment"
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
                summary: "the share of users who see the variant, relative to the other weights"),
            Key(
                "template", format: .reference(to: "template"), store: { $0.template = $1 },
                alsoCalled: ["type", "kind", "layout", "style"],
                summary: "the template of the variant, if it differs from the template of the popup"
            ),
            Key(
                "content", format: .map(of: .any).orElse { $0 }, store: { $0.content = $1 },
                alsoCalled: ["payload", "data", "params", "changes"],
                holds: ["title", "subtitle", "body", "text", "message", "button", "image", "link"],
                summary: "the content that differs; each key replaces the same key of the popup"),
        ])
}

/// Returns help on an experiment that is only a name.
private func helpWithName(_ name: String) -> String {
    "use `of` with the name of an experiment under `experiments`, such as"
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
                                ? "use a map, such as `\(name.value): { weight: 1 }` for a weight,"
                                    + " `\(name.value): { content: { title: Hi } }` for other"
                                    + " content, or `\(name.value): {}` for the unchanged popup"
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
    "write the name of each variant and what the variant changes, such as"
    + " `variants: { short: { content: { title: Hi } }, as_is: {} }`"

extension Diagnostic {
    static func noVariants(at range: SourceRange) -> Self {
        Diagnostic(
            .schemaMissingKey, message: "an experiment needs at least one variant", at: range,
            label: "no variants", help: [helpWithVariants])
    }

    fileprivate static func variantCalledNone(_ name: Located<String>) -> Self {
        Diagnostic(
            .schemaIDFormat, message: "a variant cannot be called `none`", at: name.range,
            label: "reserved: in tests, `none` means that the user has no variant",
            help: ["write `as_is: {}` for a variant that shows the unchanged popup"])
    }

    fileprivate static func variantCalledControl(_ name: Located<String>) -> Self {
        Diagnostic(
            .schemaIDFormat, message: "a variant cannot be called `control`", at: name.range,
            label: "reserved for the users who see nothing",
            help: [
                "use the key `control` of the experiment for users who see nothing, such as"
                    + " `control: 10`; for a variant that shows the unchanged popup, write"
                    + " `as_is: {}`"
            ])
    }
}

/// The users who take part in an experiment, and the share of them that sees nothing.
public struct DivisionModel: Sendable {
    /// The name of the context key that identifies users.
    public var by: Located<String>?
    /// A word that decides how users are assigned; nil is the name of the popup or of the
    /// experiment.
    public var salt: Located<String>?
    /// The name of an entry of `layers`, in place of `by`.
    public var layer: Located<String>?
    /// Which part of a hundred users of the layer may take part.
    public var range: Located<Range<Double>>?
    /// The percentage of users who take part, 0 to 100; nil is all.
    public var share: Located<Double>?
    /// The percentage of participants who see nothing, 0 to 100; nil means 0.
    public var control: Located<Double>?

    init() {}
}

/// An entry of `experiments`: one assignment for several popups.
public struct NamedExperimentModel: Declaration {
    /// The name that popups use under `of`.
    public var name: Located<String>
    /// The users who take part.
    public var division = DivisionModel()
    /// The variants and the share of users for each.
    public var variants: Located<[WeightModel]>?

    init(name: Located<String>) { self.name = name }
}

/// A variant by its name, and how many users get it.
public struct WeightModel: Sendable {
    /// The name of the arm.
    public let name: Located<String>
    /// Relative to the weights of the others; nil if it cannot be read, which has been reported.
    public let weight: Located<Int>?
}

/// An entry of `layers`: experiments in it have no user in common.
public struct LayerModel: Declaration {
    /// The name that experiments use under `layer`.
    public var name: Located<String>
    /// The name of the context key that identifies users.
    public var by: Located<String>?
    /// A word that decides how users are assigned; nil is the name of the layer.
    public var salt: Located<String>?

    init(name: Located<String>) { self.name = name }
}

/// The keys of a division, which may be among others.
func divisionKeys<Target>(
    _ change: @escaping @Sendable (inout Target, (inout DivisionModel) -> Void) -> Void
) -> [Key<Target>] {
    [
        Key(
            "by", format: .reference(to: "context key"),
            store: { target, by in change(&target) { $0.by = by } },
            alsoCalled: ["key", "user", "on", "unit"],
            summary: "the context key that identifies users"
        ).such(as: "user.id"),
        Key(
            "salt", format: .nameOrWord,
            store: { target, salt in change(&target) { $0.salt = salt } },
            alsoCalled: ["seed"],
            summary:
                "a word for the random assignment, by default the name of the experiment or the id"
                + " of the popup; if you change the word, users are assigned again"
        ),
        Key(
            "layer", format: .reference(to: "layer"),
            store: { target, layer in change(&target) { $0.layer = layer } },
            summary:
                "the name of an entry of `layers`, instead of `by`; experiments in the same layer"
                + " have no users in common"),
        Key(
            "range", format: .partOfHundred,
            store: { target, range in change(&target) { $0.range = range } },
            alsoCalled: ["part", "between", "bucket"],
            summary:
                "the range of the layer's users who take part, in percent, such as `[0, 50]`"),
        Key(
            "share", format: .number(0...100), default: "100",
            store: { target, share in change(&target) { $0.share = share } },
            alsoCalled: ["percent", "percentage", "traffic", "allocation"],
            summary: "the percentage of users who take part; other users see the unchanged popup"),
        Key(
            "control", format: .number(0...100), default: "0",
            store: { target, control in change(&target) { $0.control = control } },
            alsoCalled: ["holdout", "control_group", "holdback"],
            summary: "the percentage of participants who see nothing, for comparison"),
    ]
}

extension Table<NamedExperimentModel> {
    static let namedExperiment = Table(
        "an entry of `experiments`",
        keys: divisionKeys { $1(&$0.division) } + [
            Key(
                "variants", format: .weights, store: { $0.variants = $1 },
                alsoCalled: ["arms", "groups", "variations", "treatments", "buckets"],
                summary: "the weight of each variant, by name"
            ).such(as: "{ short: 1, long: 1 }").required
        ], rules: [.oneOf(["by", "layer"]), .with("range", "layer")])
}

extension Table<LayerModel> {
    static let layer = Table(
        "a layer",
        keys: [
            Key(
                "by", format: .reference(to: "context key"), store: { $0.by = $1 },
                alsoCalled: ["key", "user", "on"],
                summary: "the context key that identifies users"
            ).such(as: "user.id").required,
            Key(
                "salt", format: .nameOrWord, store: { $0.salt = $1 }, alsoCalled: ["seed"],
                summary:
                    "a word for the random assignment, by default the name of the layer; if you"
                    + " change the word, users are assigned again"),
        ])
}

extension Format<[WeightModel]> {
    /// A map of names to weights.
    static var weights: Self {
        let weight = Format<Int>.integer(RuleBounds.weights)
        let schema = Schema.map(weight.schema, keys: .declared(.id))
        return Format(schema) { node, decoder in
            guard node.kind == .mapping else {
                return decoder.mismatch(
                    schema, at: node,
                    help: ["write a weight for each variant, such as `{ short: 1, long: 1 }`"])
            }
            if node.entries.isEmpty { decoder.report(.noVariants(at: node.range)) }
            return node.entries.compactMap { entry in
                guard let name = decoder.variantName(entry.key) else { return nil }
                return WeightModel(
                    name: name,
                    weight: decoder.inside(key: entry.key) { $0.read(weight, at: entry.value) })
            }
        }
    }
}

extension Decoder {
    /// A layer is shared with other experiments.
    mutating func checkRange(of division: DivisionModel, in node: YAMLNode) {
        if let layer = division.layer, node["range"] == nil { report(.noRange(layer)) }
    }

    /// Reports a division that leaves no users for the variants, or gives none of them a variant.
    mutating func checkParts(control: Located<Double>?, weights: [Located<Int>?]) {
        if let control, control.value == 100 { report(.allInControl(control.range)) }
        if let first = weights.first, let first, weights.allSatisfy({ $0?.value == 0 }) {
            report(.noWeight(at: first.range))
        }
    }
}

extension Diagnostic {
    fileprivate static func noRange(_ layer: Located<String>) -> Self {
        Diagnostic(
            .schemaMissingKey, message: "an experiment in a layer needs the key `range`",
            at: layer.range, label: "experiments in this layer need a `range`",
            help: [
                "add the range of users who take part, in percent, such as `range: [0, 50]`"
            ])
    }

    fileprivate static func allInControl(_ range: SourceRange) -> Self {
        Diagnostic(
            .schemaRange,
            message: "`control` is 100 percent, so all participants are in the control group and no"
                + " user gets a variant",
            at: range, label: "no users are left for the variants",
            help: ["set `control` to a percentage of the participants, such as `control: 20`"])
    }

    fileprivate static func noWeight(at range: SourceRange) -> Self {
        Diagnostic(
            .schemaRange, message: "the weights of all variants are 0", at: range,
            label: "no user gets a variant", help: ["give at least one variant a weight above 0"])
    }
}
