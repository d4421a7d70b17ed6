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

extension Diagnostic {
    fileprivate static func overlap(
        _ range: SourceRange, with other: SourceRange, in layer: Located<String>
    ) -> Self {
        Diagnostic(
            .schemaRange, message: "two experiments share users of the layer `\(layer.value)`",
            at: range, label: "this part", subject: "layer `\(layer.value)`",
            secondary: [Label("overlaps with this", at: other)],
            help: ["experiments of a layer take parts such as `[0, 50]` and `[50, 100]`"])
    }
}
