internal import PopRuleFiles
public import PopSource

/// An experiment that no popup takes part in, or a layer that no experiment belongs to.
///
/// Bad:
///
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// experiments: { tone: { by: user.id, variants: { short: 1, long: 1 } } }
/// popups: { welcome: {} }
/// ```
///
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// layers: { offers: { by: user.id } }
/// popups: { welcome: {} }
/// ```
///
/// Good:
///
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// layers: { offers: { by: user.id } }
/// experiments: { tone: { layer: offers, range: [0, 50], variants: { short: 1, long: 1 } } }
/// popups: { welcome: { experiment: { of: tone, variants: { short: {}, long: {} } } } }
/// ```
public enum UnusedExperiment: Lint {
    public static let check = Check.refUnusedExperiment
    public static let asksForAll = true

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        let model = subject.model
        let own = model.popups.entries.compactMap { $0.limits.experiment?.value }
        let experiments = Set(own.compactMap { $0.of?.value })
        let layers = Set(
            own.compactMap { $0.division.layer?.value }
                + model.experiments.entries.compactMap { $0.division.layer?.value })
        return model.experiments.entries.filter { !experiments.contains($0.name.value) }
            .map { .unused(experiment: $0.name) }
            + model.layers.entries.filter { !layers.contains($0.name.value) }
            .map { .unused(layer: $0.name) }
    }
}

extension Diagnostic {
    fileprivate static func unused(experiment name: Located<String>) -> Self {
        Diagnostic(
            .refUnusedExperiment, message: "no popup takes part in the experiment `\(name.value)`",
            at: name.range, label: "not used",
            help: [
                "use it in the `experiment` of a popup, such as `of: \(name.value)`, or remove it"
            ])
    }

    fileprivate static func unused(layer name: Located<String>) -> Self {
        Diagnostic(
            .refUnusedExperiment, message: "no experiment is in the layer `\(name.value)`",
            at: name.range, label: "not used",
            help: ["use it in an experiment, such as `layer: \(name.value)`, or remove it"])
    }
}
