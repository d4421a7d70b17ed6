internal import PopCEL
internal import PopSource

extension Linker {
    /// Experiments of a layer have no user in common: their ranges do not overlap.
    mutating func checkLayers() {
        if model.layers.entries.isEmpty { return }
        var parts: [String: [Located<Range<Double>>]] = [:]
        func add(_ division: DivisionModel) {
            guard let layer = division.layer, let range = division.range else { return }
            parts[layer.value, default: []].append(range)
        }
        for experiment in model.experiments.entries { add(experiment.division) }
        // By index: going through the popups themselves copies each.
        for index in model.popups.entries.indices {
            if let experiment = model.popups.entries[index].limits.experiment {
                add(experiment.value.division)
            }
        }
        for layer in model.layers.entries {
            let sorted = (parts[layer.name.value] ?? []).sorted {
                $0.value.lowerBound < $1.value.lowerBound
            }
            for (left, right) in zip(sorted, sorted.dropFirst())
            where right.value.lowerBound < left.value.upperBound {
                diagnostics.report(.overlap(right.range, with: left.range, in: layer.name))
            }
        }
    }
}

extension CELType {
    /// True if users can be assigned by its values; a value of type `any` may be one of these.
    fileprivate var tellsUsersApart: Bool {
        [.bool, .int, .uint, .string, .bytes, .dyn].contains(self)
    }
}

extension Diagnostic {
    fileprivate static func tellsNobodyApart(
        _ key: Located<String>, type: Located<CELType>
    ) -> Self {
        Diagnostic(
            .refUndefinedKey,
            message:
                "`\(key.value)` is \(withArticle("\(type.value)")), which cannot identify users",
            at: key.range, label: "no user would be assigned",
            secondary: [Label("declared here", at: type.range)],
            help: ["use a string or integer key that identifies users, such as the user id"])
    }
}

// Checks the names in the assignment of users, and in variants.
extension Linker {
    mutating func check(_ holdout: HoldoutModel) {
        var found = Diagnostics()
        checkUsers(holdout.by, into: &found)
        if !found.isEmpty { diagnostics.report(contentsOf: found.about("`holdout`")) }
    }

    mutating func check(_ layer: LayerModel) {
        var found = Diagnostics()
        checkUsers(layer.by, into: &found)
        let subject = "layer `\(layer.name.value)`"
        if !found.isEmpty { diagnostics.report(contentsOf: found.about(subject)) }
    }

    mutating func check(_ experiment: NamedExperimentModel) {
        var found = Diagnostics()
        check(experiment.division, into: &found)
        let subject = "experiment `\(experiment.name.value)`"
        if !found.isEmpty { diagnostics.report(contentsOf: found.about(subject)) }
    }

    mutating func check(_ division: DivisionModel, into found: inout Diagnostics) {
        checkUsers(division.by, into: &found)
        if let name = division.layer {
            look(
                name, among: model.layers, check: .refUndefinedExperiment, kind: "layer",
                into: &found)
        }
    }

    /// Checks a key by whose values users are assigned.
    mutating func checkUsers(_ key: Located<String>?, into found: inout Diagnostics) {
        guard let key else { return }
        look(key, among: model.context, check: .refUndefinedKey, kind: "context key", into: &found)
        guard let type = model.context[key.value]?.type else { return }
        if !type.value.tellsUsersApart { found.report(.tellsNobodyApart(key, type: type)) }
    }

    mutating func check(_ experiment: ExperimentModel, into found: inout Diagnostics) {
        check(experiment.division, into: &found)
        if let name = experiment.of {
            look(
                name, among: model.experiments, check: .refUndefinedExperiment,
                kind: "experiment", into: &found)
        }
        for variant in experiment.variants?.value ?? [] {
            guard let name = variant.template else { continue }
            look(
                name, among: model.templates, check: .refUndefinedTemplate, kind: "template",
                into: &found)
        }
    }
}

extension Diagnostic {
    fileprivate static func overlap(
        _ range: SourceRange, with other: SourceRange, in layer: Located<String>
    ) -> Self {
        Diagnostic(
            .schemaRange, message: "two experiments share users of the layer `\(layer.value)`",
            at: range, label: "this range", subject: "layer `\(layer.value)`",
            secondary: [Label("overlaps with this range", at: other)],
            help: ["use ranges that do not overlap, such as `[0, 50]` and `[50, 100]`"])
    }
}
