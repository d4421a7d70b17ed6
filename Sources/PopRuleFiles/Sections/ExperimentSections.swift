internal import PopScheduler
public import PopSource
internal import PopYAML

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
            "salt", format: .text, store: { target, salt in change(&target) { $0.salt = salt } },
            alsoCalled: ["seed"],
            summary: "a word; changing it reassigns users (default: the name or the popup's id)"
        ),
        Key(
            "layer", format: .reference(to: "layer"),
            store: { target, layer in change(&target) { $0.layer = layer } },
            summary: "the layer, instead of `by`: experiments of one layer share no users"),
        Key(
            "range", format: .partOfHundred,
            store: { target, range in change(&target) { $0.range = range } },
            alsoCalled: ["part", "between", "bucket"],
            summary:
                "the range of the layer's users who may take part, in percent, such as `[0, 50]`"),
        Key(
            "share", format: .number(0...100), default: "100",
            store: { target, share in change(&target) { $0.share = share } },
            alsoCalled: ["percent", "percentage", "traffic", "allocation"],
            summary: "the percentage of users who take part; the others see the popup unchanged"),
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
                summary: "how many users get each variant, by name"
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
                "salt", format: .text, store: { $0.salt = $1 }, alsoCalled: ["seed"],
                summary: "a word; changing it reassigns users (default: the layer's name)"),
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
            .schemaMissingKey, message: "an experiment of a layer needs the key `range`",
            at: layer.range, label: "no `range` for this layer",
            help: ["add the range of its users who take part, such as `range: [0, 50]`"])
    }

    fileprivate static func allInControl(_ range: SourceRange) -> Self {
        Diagnostic(
            .schemaRange, message: "all participants are in control", at: range,
            label: "no users are left for the variants",
            help: ["set `control` to a percentage of the participants, such as `control: 20`"])
    }

    fileprivate static func noWeight(at range: SourceRange) -> Self {
        Diagnostic(
            .schemaRange, message: "the weights of all variants are 0", at: range,
            label: "no user gets a variant", help: ["give at least one variant a weight above 0"])
    }
}
