internal import PopAdvice
internal import PopCEL
internal import PopScheduler
internal import PopSource
internal import PopYAML

extension Compiler {
    /// Nil where it cannot be read, or names what is not there. `rule` has the rest of the popup.
    mutating func experiment(of popup: PopupModel, rule: PopupRule) -> Experiment? {
        guard let experiment = popup.limits.experiment?.value else { return nil }
        let models = experiment.variants?.value ?? []
        let variants = models.map { variant($0, of: popup, rule: rule) }
        checkParts(experiment)
        checkOwnExposures(of: popup, rule: rule)
        if let control = experiment.control, control.value > 0, let place = popup.place.isEssential,
            place.value
        {
            decoder.report(.essentialWithControl(control.range, essential: place.range))
        }
        guard let key = experiment.by.flatMap({ model.context.place(of: $0.value) }) else {
            return nil
        }
        let arms = models.map { Assignment.Arm($0.name.value, weight: $0.weight?.value ?? 1) }
        let assignment = Assignment(
            key: key, salt: experiment.salt?.value ?? rule.id,
            share: experiment.share?.value ?? 100, control: experiment.control?.value ?? 0,
            arms: arms)
        return Experiment(assignment, variants: variants)
    }

    private mutating func variant(
        _ variant: VariantModel, of popup: PopupModel, rule: PopupRule
    ) -> Experiment.Variant {
        about("variant `\(variant.name.value)` of popup `\(rule.id)`", at: variant.name.range) {
            compiler in
            Experiment.Variant(
                variant.name.value, template: variant.template?.value,
                content: compiler.content(of: variant, of: popup, whole: rule.content))
        }
    }

    /// Somebody must be left for the variants, and get one of them.
    private mutating func checkParts(_ experiment: ExperimentModel) {
        if let control = experiment.control, control.value == 100 {
            decoder.report(.allInControl(control.range))
        }
        let variants = experiment.variants?.value ?? []
        if let first = variants.first?.weight, variants.allSatisfy({ $0.weight?.value == 0 }) {
            decoder.report(.noWeight(at: first.range))
        }
    }

    /// Those in control never meet a condition that asks what a variant of this popup did.
    private mutating func checkOwnExposures(of popup: PopupModel, rule: PopupRule) {
        let names = ["variant", "exposed_count"].map { "popups.\(rule.id).\($0)" }
        for condition in rule.ownConditions + rule.triggers.compactMap(\.condition) {
            let mentioned = namesMentioned(by: condition.program.expression)
            for name in names where mentioned.contains(name) {
                decoder.report(.ownExposure(name, of: rule.id, at: condition.range))
            }
        }
    }

    /// With those that named conditions mention.
    private func namesMentioned(by expression: Expression) -> Set<String> {
        var names: Set<String> = []
        var pending = [expression]
        while let next = pending.popLast() {
            for name in next.dottedNames where names.insert(name).inserted {
                if let variable = outside.environment.variable(named: name),
                    let definition = variable.definition
                {
                    pending.append(definition)
                }
            }
        }
        return names
    }
}

extension Trigger {
    fileprivate var condition: Condition? {
        if case .event(let trigger) = self { trigger.where } else { nil }
    }
}

extension Diagnostic {
    fileprivate static func essentialWithControl(
        _ range: SourceRange, essential: SourceRange
    ) -> Self {
        Diagnostic(
            .schemaExclusiveKeys, message: "an essential popup cannot have a `control`", at: range,
            label: "these would not see it",
            secondary: [Label("everybody must see it", at: essential)],
            help: ["remove one of the two"])
    }

    fileprivate static func allInControl(_ range: SourceRange) -> Self {
        Diagnostic(
            .schemaRange, message: "all who take part are in control", at: range,
            label: "nobody is left for the variants",
            help: ["`control` is a percent of those who take part, such as `control: 20`"])
    }

    fileprivate static func noWeight(at range: SourceRange) -> Self {
        Diagnostic(
            .schemaRange, message: "the weights of all variants are 0", at: range,
            label: "nobody gets one", help: ["give at least one variant a weight above 0"])
    }

    fileprivate static func ownExposure(
        _ name: String, of popup: String, at range: SourceRange
    ) -> Self {
        var finding = Diagnostic(
            .logicNeverTrue,
            message: "a condition of `\(popup)` reads `\(name)`, but `\(popup)` has an experiment",
            at: range, label: "users in control would not meet it as the others do",
            help: ["ask this in other popups, or about something else than the experiment"])
        finding.level = .error
        return finding
    }
}
