internal import PopAdvice
internal import PopCEL
internal import PopScheduler
internal import PopSource
internal import PopYAML

extension RuleCompiler {
    /// Nil if the experiment cannot be read, or names something that does not exist. `rule` has the
    /// rest of the popup.
    mutating func experiment(of popup: PopupModel, rule: PopupRule) -> Experiment? {
        guard let experiment = popup.limits.experiment?.value else { return nil }
        let models = experiment.variants?.value ?? []
        let variants = models.map { variant($0, of: popup, rule: rule) }
        let named = experiment.of.flatMap { model.experiments[$0.value] }
        let control = (named?.division ?? experiment.division).control
        let hasControl = control.map { $0.value > 0 } ?? false
        checkOwnExposures(of: popup, rule: rule, hasControl: hasControl)
        if let control, hasControl, let place = popup.place.isEssential, place.value {
            decoder.report(.essentialWithControl(control.range, essential: place.range))
        }
        if let name = experiment.of {
            checkVariants(models, of: named)
            return named.flatMap { assignment($0) }
                .map { Experiment($0, variants: variants, name: name.value) }
        }
        let arms = models.map { Assignment.Arm($0.name.value, weight: $0.weight?.value ?? 1) }
        return assignment(experiment.division, salt: rule.id, arms: arms)
            .map { Experiment($0, variants: variants) }
    }

    private func assignment(_ named: NamedExperimentModel) -> Assignment? {
        let arms = (named.variants?.value ?? []).map {
            Assignment.Arm($0.name.value, weight: $0.weight?.value ?? 1)
        }
        return assignment(named.division, salt: named.name.value, arms: arms)
    }

    /// Nil if the layer, the range or the key that identifies users is missing.
    private func assignment(
        _ division: DivisionModel, salt: String, arms: [Assignment.Arm]
    ) -> Assignment? {
        let layer = division.layer.flatMap { model.layers[$0.value] }
        if division.layer != nil, layer == nil || division.range == nil { return nil }
        guard let by = layer?.by ?? division.by, let key = model.context.place(of: by.value) else {
            return nil
        }
        var assignment = Assignment(
            key: key, salt: division.salt?.value ?? salt, share: division.share?.value ?? 100,
            control: division.control?.value ?? 0, arms: arms)
        if let layer, let range = division.range {
            assignment.layer = Assignment.LayerPart(
                of: layer.name.value, salt: layer.salt?.value ?? layer.name.value,
                range: range.value)
        }
        return assignment
    }

    /// Checks that variants have the names of the named experiment and no weights of their own.
    private mutating func checkVariants(
        _ variants: [VariantModel], of named: NamedExperimentModel?
    ) {
        guard let named else { return }
        let arms = (named.variants?.value ?? []).map(\.name.value)
        for variant in variants {
            if let weight = variant.weight {
                decoder.report(.weightApart(weight.range, experiment: named.name))
            }
            if arms.contains(variant.name.value) { continue }
            let similar = decoder.suggestions(for: variant.name.value, among: arms)
            decoder.report(
                .unknownVariant(variant.name, of: named.name, arms: arms, similar: similar))
        }
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

    /// Reports conditions that read what a variant of this popup did. Users in the control group
    /// never meet such a condition, and without a control group the condition would not treat the
    /// arms alike.
    private mutating func checkOwnExposures(
        of popup: PopupModel, rule: PopupRule, hasControl: Bool
    ) {
        let names = [
            "variant", "last_action", "closed_count", "converted", "exposed_count",
        ].map { "popups.\(rule.id).\($0)" }
        for condition in rule.ownConditions + rule.triggers.compactMap(\.condition) {
            let mentioned = namesMentioned(by: condition.program.expression)
            for name in names where mentioned.contains(name) {
                decoder.report(
                    .ownExposure(name, of: rule.id, hasControl: hasControl, at: condition.range))
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
    fileprivate static func weightApart(
        _ range: SourceRange, experiment: Located<String>
    ) -> Self {
        Diagnostic(
            .schemaExclusiveKeys, message: "`weight` has no effect together with `of`", at: range,
            label: "the weights are set in the experiment",
            secondary: [
                Label("the experiment `\(experiment.value)` is defined here", at: experiment.range)
            ],
            help: ["remove `weight` here, and set the weight under `experiments`"])
    }

    fileprivate static func unknownVariant(
        _ name: Located<String>, of experiment: Located<String>, arms: [String],
        similar: [String]
    ) -> Self {
        Diagnostic(
            .refUndefinedExperiment,
            message: "the experiment `\(experiment.value)` has no variant `\(name.value)`",
            at: name.range, label: "not a variant of the experiment",
            secondary: [
                Label("the experiment `\(experiment.value)` is defined here", at: experiment.range)
            ],
            help: [
                similar.isEmpty
                    ? "use one of the variants \(enumeration(arms, atMost: 5))"
                    : "did you mean \(alternatives(similar))?"
            ], fixes: similar.count == 1 ? [.rename(name.range, to: similar[0])] : [])
    }

    fileprivate static func essentialWithControl(
        _ range: SourceRange, essential: SourceRange
    ) -> Self {
        Diagnostic(
            .schemaExclusiveKeys,
            message: "the experiment of an essential popup cannot have a `control`", at: range,
            label: "users in the control group would not see the popup",
            secondary: [Label("every user must see the popup", at: essential)],
            help: ["remove `control` from the experiment, or `essential` from the popup"])
    }

    fileprivate static func ownExposure(
        _ name: String, of popup: String, hasControl: Bool, at range: SourceRange
    ) -> Self {
        var finding = Diagnostic(
            .logicNeverTrue,
            message: "`\(popup)` has an experiment, so its own conditions cannot read `\(name)`",
            at: range, label: "reads `\(name)`",
            notes: [
                hasControl
                    ? "users in the control group never see `\(popup)`, so `\(name)` differs for"
                        + " them, and the condition would treat them differently from other users"
                    : "`\(name)` depends on the variant, so the condition would treat the users of"
                        + " each variant differently"
            ],
            help: [
                "move this check to another popup, or check something that does not depend on the"
                    + " experiment"
            ])
        finding.level = .error
        return finding
    }
}

extension RuleCompiler {
    /// Nil if the share or the key that identifies users cannot be read.
    func rollout(_ rollout: RolloutModel, of popup: String) -> Rollout? {
        guard let share = share(of: rollout),
            let key = rollout.by.flatMap({ model.context.place(of: $0.value) })
        else { return nil }
        return Rollout(share: share, key: key, salt: rollout.salt?.value ?? popup)
    }

    private func share(of rollout: RolloutModel) -> Rollout.Share? {
        if let percent = rollout.percent?.value { return .range(0..<percent) }
        if let range = rollout.range?.value { return .range(range) }
        guard let calendar = LocalCalendar(zone: rollout.zone?.value, zones: .system) else {
            return nil
        }
        return rollout.steps.map { steps in
            .steps(
                steps.value.map { step in
                    Rollout.Step(
                        begins: calendar.start(step.begins.value), percent: step.percent.value)
                }.sorted { $0.begins < $1.begins })
        }
    }
}
