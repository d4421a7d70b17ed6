internal import PopCEL
internal import PopScheduler
internal import PopSource

extension WireForm<Assignment.Arm> {
    fileprivate static let arm = object(
        [
            WireKey(
                "name", form: .text, isRequired: true, value: { $0.name }, store: { $0.name = $1 }),
            WireKey(
                "weight", form: .weight, value: { $0.weight == 1 ? nil : $0.weight },
                store: { $0.weight = $1 }),
        ], from: Assignment.Arm(""))
}

extension WireForm<Assignment.LayerPart> {
    fileprivate static let layerPart = object(
        [
            WireKey(
                "layer", form: .text, isRequired: true, value: { $0.layer },
                store: { $0.layer = $1 }),
            WireKey(
                "salt", form: .text, isRequired: true, value: { $0.salt }, store: { $0.salt = $1 }),
            WireKey(
                "range", form: .part, isRequired: true, value: { $0.range },
                store: { $0.range = $1 }),
        ], from: Assignment.LayerPart(of: "", salt: "", range: 0..<0))
}

extension WireForm<Range<Double>> {
    /// Two percents.
    fileprivate static let part = WireForm(
        write: { .array([$0.lowerBound, $0.upperBound].map { .double($0) }) },
        read: { json, reader throws(BundleError) in
            let bounds = try WireForm<[Double]>.list(of: .percent).read(json, &reader)
            guard bounds.count == 2, bounds[0] <= bounds[1] else {
                throw .damaged("a range of a layer is not valid")
            }
            return bounds[0]..<bounds[1]
        })
}

extension WireForm<Assignment> {
    fileprivate static let assignment = object(
        [
            WireKey(
                "key", form: .place { $0.counts.keys }, isRequired: true, value: { $0.key },
                store: { $0.key = $1 }),
            WireKey(
                "salt", form: .text, isRequired: true, value: { $0.salt }, store: { $0.salt = $1 }),
            WireKey("layer", form: .layerPart, value: { $0.layer }, store: { $0.layer = $1 }),
            WireKey(
                "share", form: .percent, value: { $0.share == 100 ? nil : $0.share },
                store: { $0.share = $1 }),
            WireKey(
                "control", form: .percentBelowAll, value: { $0.control == 0 ? nil : $0.control },
                store: { $0.control = $1 }),
            WireKey(
                "arms", form: .list(of: .arm), isRequired: true, value: { $0.arms },
                store: { $0.arms = $1 }),
        ], from: Assignment(key: 0, salt: "", arms: []))
}

extension WireForm<Experiment.Variant> {
    fileprivate static let variant = object(
        [
            WireKey(
                "name", form: .text, isRequired: true, value: { $0.name }, store: { $0.name = $1 }),
            WireKey(
                "template", form: .text, value: { $0.template }, store: { $0.template = $1 }),
            WireKey("content", form: .value, value: { $0.content }, store: { $0.content = $1 }),
        ], from: Experiment.Variant(""))
}

extension WireForm<Experiment> {
    static let experiment = object(
        [
            WireKey(
                "assignment", form: .assignment, isRequired: true, value: { $0.assignment },
                store: { $0.assignment = $1 }),
            WireKey(
                "variants", form: .list(of: .variant), value: { $0.variants.unlessEmpty },
                store: { $0.variants = $1 }),
            WireKey("name", form: .text, value: { $0.name }, store: { $0.name = $1 }),
        ], from: Experiment(Assignment(key: 0, salt: "", arms: [])))
}
