internal import PopAdvice
internal import PopCEL
internal import PopScheduler
internal import PopSource

extension RuleCompiler {
    mutating func group(_ model: GroupModel) -> GroupRule {
        var group = GroupRule(name: model.name.value, at: model.name.range)
        group.caps = (model.caps?.value ?? []).compactMap { window($0.value) }
        group.when = about("group `\(model.name.value)`", at: model.name.range) { compiler in
            model.when.flatMap { compiler.compile($0.value) ?? compiler.never(at: $0.range) }
        }
        return group
    }

    /// Compiles all popups. A model that is not kept loses its popups as they are compiled, and
    /// with the last of a file the tree that it was read from.
    mutating func popups(
        _ named: NamedConditions, keepsModel: Bool, check: () throws -> Void
    ) rethrows -> [PopupRule] {
        if keepsModel {
            return try model.popups.entries.enumerated().map { index, entry in
                // Asking whether a message waits costs as much as some keys of a popup.
                if index.isMultiple(of: 16) { try check() }
                return popup(entry, named: named)
            }
        }
        var models = takePopups()
        var rules: [PopupRule] = []
        rules.reserveCapacity(models.count)
        for index in models.indices {
            var next = PopupModel.none
            swap(&next, &models[index])
            rules.append(popup(next, named: named))
        }
        return rules
    }

    mutating func popup(_ popup: PopupModel, named: NamedConditions) -> PopupRule {
        about("popup `\(popup.name.value)`", at: popup.name.range) { compiler in
            var rule = PopupRule(id: popup.name.value, at: popup.name.range)
            rule.setValues(popup)
            compiler.setReferences(popup, in: &rule)
            compiler.setConditions(popup, in: &rule, named: named)
            if let schedule = popup.timingIfAny?.schedule {
                rule.timing.schedule = schedule.value.compactMap { compiler.schedule($0) }
            }
            let limits = popup.limitsIfAny
            if let key = limits?.cap?.value.closes?.value.per {
                rule.caps.closesPer = compiler.model.context.place(of: key.value)
            }
            if let windows = limits?.cap?.value.windows {
                rule.caps.windows = windows.value.compactMap { compiler.window($0.value) }
            }
            rule.content = compiler.content(popup)
            if limits?.experiment != nil {
                rule.audience.experiment = compiler.experiment(of: popup, rule: rule)
            }
            if let description = popup.textsIfAny?.description {
                compiler.checkEnd(of: description.range)
            }
            return rule
        }
    }

    private func setReferences(_ popup: PopupModel, in rule: inout PopupRule) {
        let place = popup.placeIfAny
        rule.scheduler =
            place?.scheduler.flatMap { model.schedulers.place(of: $0.value) } ?? mainScheduler
        rule.group = place?.group.flatMap { model.groups.place(of: $0.value) }
        rule.after = (place?.after?.value ?? []).compactMap { predecessor in
            model.popups.place(of: predecessor.popup.value).map {
                Predecessor(
                    $0, action: predecessor.action?.value, since: predecessor.since?.value ?? .zero)
            }
        }
        if let rollout = popup.limitsIfAny?.rollout {
            rule.audience.rollout = self.rollout(rollout.value, of: popup.name.value)
        }
    }

    private mutating func setConditions(
        _ popup: PopupModel, in rule: inout PopupRule, named: NamedConditions
    ) {
        if let triggers = popup.trigger {
            rule.triggers = triggers.value.compactMap { trigger($0.value) }
        }
        if let when = popup.when {
            let compiled = compile(when.value)
            explainEvents(of: popup, when: when)
            if let compiled { checkFirstTime(popup.name.value, when: compiled, as: when.value) }
            rule.when = compiled ?? never(at: when.range)
            if let compiled { checkExamples(of: popup, when: compiled, named: named) }
        } else {
            checkExamples(of: popup, when: nil, named: named)
        }
        if let condition = popup.dismissWhen {
            rule.dismissWhen = compile(dismissal: condition.value) ?? never(at: condition.range)
        }
        if let goals = popup.limitsIfAny?.goals {
            rule.goals = goals.value.compactMap { goal($0.value) }
        }
    }

    /// Adds help to findings about a `when` that reads an event: how to write it into the trigger,
    /// if there is only one and it is an event.
    private mutating func explainEvents(of popup: PopupModel, when: Located<ConditionModel>) {
        guard let triggers = popup.trigger?.value, triggers.count == 1,
            case .event(let trigger) = triggers[0].value, trigger.where == nil,
            trigger.nth == nil, trigger.every == nil, when.value.isText
        else { return }
        let text = decoder.source.text(in: when.range).shortened
        decoder.reviseFindings { finding in
            guard finding.check == .conditionUnavailableHere, finding.help.isEmpty,
                finding.message.hasPrefix("`event")
            else { return }
            finding.help = [
                "write `trigger: { event: \(trigger.event.value), where: \(text) }` instead of"
                    + " `when`"
            ]
        }
    }

    /// Reports a popup whose condition requires that the popup was shown before, so that it is
    /// never shown.
    private mutating func checkFirstTime(
        _ popup: String, when: Condition, as model: ConditionModel
    ) {
        var found = Diagnostics()
        decoder.startOver(with: &found)
        let names = ["last_reason", "last_shown"].map { "popups.\(popup).\($0)" }
        // For a condition that popups share, only findings about this popup are reported again.
        let repeated = found.list.isEmpty ? repeatedFindings(of: model) : []
        let own = repeated.filter { finding in
            names.contains { finding.message.hasPrefix("`\($0)`") }
        }
        for var finding in found.list + own {
            let own = names.first {
                finding.message.hasPrefix("`\($0)`") && finding.check == .conditionMayError
            }
            if let own, outside.environment.needsValue(of: own, in: when.program.expression) {
                finding.check = .logicNeverTrue
                finding.level = .error
                // Asking for the value first would keep it from showing just the same.
                finding.help.removeAll { !$0.contains("!has(") }
                finding.fixes.removeAll { fix in
                    !fix.edits.contains { $0.replacement.contains("!has(") }
                }
                finding.message =
                    "`\(popup)` is never shown a first time: `\(own)` has no value before that"
            }
            decoder.report(finding)
        }
    }

    /// Nil if the trigger names something that does not exist.
    private mutating func trigger(_ trigger: TriggerModel) -> Trigger? {
        switch trigger {
        case .occasion(let occasion): return .occasion(occasion)
        case .word, .unread: return nil
        case .changed(let key): return model.context.place(of: key.value).map { .changed(key: $0) }
        case .acted(let popup, let action):
            return model.popups.place(of: popup.value).map {
                .acted(popup: $0, action: action.value)
            }
        case .event(let trigger):
            let condition = trigger.where.flatMap {
                compile($0.value, for: trigger.event) ?? never(at: $0.range)
            }
            guard let event = model.events.place(of: trigger.event.value) else { return nil }
            let occurrence: EventTrigger.Occurrence =
                if let nth = trigger.nth { .nth(nth.value) } else if let every = trigger.every {
                    .every(every.value)
                } else { .any }
            return .event(EventTrigger(event: event, where: condition, occurrence: occurrence))
        }
    }
}
