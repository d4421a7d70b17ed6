internal import PopCEL
internal import PopScheduler
internal import PopSource

extension Compiler {
    mutating func group(_ model: GroupModel) -> GroupRule {
        var group = GroupRule(name: model.name.value, at: model.name.range)
        group.cap = model.cap.flatMap { WindowCap($0.value) }
        group.when = about("group `\(model.name.value)`", at: model.name.range) { compiler in
            model.when.flatMap { compiler.compile($0.value) ?? compiler.never(at: $0.range) }
        }
        return group
    }

    /// Compiles all popups. A model that is not kept loses its popups as they are compiled, and
    /// with the last of a file the tree that it was read from.
    mutating func popups(_ named: NamedConditions, keepsModel: Bool) -> [PopupRule] {
        if keepsModel { return model.popups.entries.map { popup($0, named) } }
        var models = takePopups()
        var rules: [PopupRule] = []
        rules.reserveCapacity(models.count)
        for index in models.indices {
            var next = PopupModel.none
            swap(&next, &models[index])
            rules.append(popup(next, named))
        }
        return rules
    }

    private mutating func popup(_ popup: PopupModel, _ named: NamedConditions) -> PopupRule {
        about("popup `\(popup.name.value)`", at: popup.name.range) { compiler in
            var rule = PopupRule(id: popup.name.value, at: popup.name.range)
            rule.setUsualValues(popup)
            // Setting what is not written takes time too.
            if compiler.mainScheduler != 0 { rule.scheduler = compiler.mainScheduler }
            if popup.hasRareKeys {
                compiler.setReferences(popup, &rule)
                rule.setRareValues(popup)
            }
            compiler.setConditions(popup, &rule, named)
            if let schedule = popup.schedule { rule.schedule = compiler.schedule(schedule) }
            rule.content = compiler.content(popup)
            return rule
        }
    }

    private func setReferences(_ popup: PopupModel, _ rule: inout PopupRule) {
        if let scheduler = popup.scheduler.flatMap({ model.schedulers.index(of: $0.value) }) {
            rule.scheduler = scheduler
        }
        rule.group = popup.group.flatMap { model.groups.index(of: $0.value) }
        rule.after = (popup.after?.value ?? []).compactMap { model.popups.index(of: $0.value) }
        guard let rollout = popup.rollout?.value, let percent = rollout.percent?.value,
            let key = rollout.by.flatMap({ model.context.index(of: $0.value) })
        else { return }
        rule.rollout = Rollout(
            percent: percent, key: key, salt: rollout.salt?.value ?? popup.name.value)
    }

    private mutating func setConditions(
        _ popup: PopupModel, _ rule: inout PopupRule, _ named: NamedConditions
    ) {
        if let triggers = popup.trigger {
            rule.triggers = triggers.value.compactMap { trigger($0.value) }
        }
        if let when = popup.when {
            let compiled = compile(when.value)
            if let compiled { checkFirstTime(popup.name.value, compiled) }
            rule.when = compiled ?? never(at: when.range)
            if let compiled { checkExamples(of: popup, compiled, named) }
        } else {
            checkExamples(of: popup, nil, named)
        }
        if let condition = popup.dismissWhen {
            rule.dismissWhen = compile(condition.value) ?? never(at: condition.range)
        }
    }

    /// A popup whose condition needs that the popup was shown before is never shown first.
    private mutating func checkFirstTime(_ popup: String, _ when: Condition) {
        var found = Diagnostics()
        decoder.startOver(with: &found)
        for var finding in found.list {
            let own = ["last_reason", "last_shown"].map { "popups.\(popup).\($0)" }.first {
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
                    "`\(popup)` is never shown a first time: `\(own)` has no value before"
            }
            decoder.report(finding)
        }
    }

    /// Nil when what the trigger names does not exist.
    private mutating func trigger(_ trigger: TriggerModel) -> Trigger? {
        switch trigger {
        case .start: return .start
        case .manual: return .manual
        case .word: return nil
        case .changed(let key): return model.context.index(of: key.value).map { .changed(key: $0) }
        case .event(let trigger):
            let condition = trigger.where.flatMap {
                compile($0.value, for: trigger.event) ?? never(at: $0.range)
            }
            guard let event = model.events.index(of: trigger.event.value) else { return nil }
            let occurrence: EventTrigger.Occurrence =
                if let nth = trigger.nth { .nth(nth.value) } else if let every = trigger.every {
                    .every(every.value)
                } else { .any }
            return .event(EventTrigger(event: event, where: condition, occurrence: occurrence))
        }
    }
}

extension PopupRule {
    fileprivate mutating func setUsualValues(_ popup: PopupModel) {
        if let value = popup.priority?.value { priority = value }
        if let value = popup.untriggered?.value { untriggered = value }
        if let value = popup.switch?.value { `switch` = value }
        if let value = popup.template?.value { template = value }
    }

    fileprivate mutating func setRareValues(_ popup: PopupModel) {
        isEnabled = popup.isEnabled?.value ?? isEnabled
        delay = popup.delay?.value ?? delay
        grace = popup.grace?.value ?? grace
        minShow = popup.minShow?.value ?? minShow
        hideAfter = popup.hideAfter?.value
        maxWait = popup.maxWait?.value
        description = popup.description?.value
        owner = popup.owner?.value
        tags = popup.tags?.value.map(\.value) ?? []
        if let cap = popup.cap?.value {
            caps = Caps(
                lifetime: cap.lifetime?.value, perSession: cap.perSession?.value,
                every: cap.every?.value,
                windows: cap.windows?.value.compactMap { WindowCap($0.value) } ?? [])
        }
    }
}
