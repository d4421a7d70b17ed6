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
    mutating func popups(_ named: NamedConditions, keepsModel: Bool) -> [PopupRule] {
        if keepsModel { return model.popups.entries.map { popup($0, named: named) } }
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
        let source = decoder.source
        decoder.reviseFindings { finding in
            guard finding.check == .conditionUnavailableHere, finding.help.isEmpty,
                finding.range.file == source.id,
                source.text(in: finding.range).hasPrefix("event")
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
        let own = repeated.filter { names.contains(marked($0)) }
        for var finding in found.list + own {
            let mayFail = finding.check == .conditionMayError
            let own = mayFail ? names.first { $0 == marked(finding) } : nil
            if let own, outside.environment.needsValue(of: own, in: when.program.expression) {
                finding.check = .logicNeverTrue
                finding.level = .error
                // Asking for the value first would keep it from showing just the same.
                finding.help.removeAll { !$0.contains("!has(") }
                finding.fixes.removeAll { fix in
                    !fix.edits.contains { $0.replacement.contains("!has(") }
                }
                finding.message =
                    "`\(popup)` can never show, because its condition needs `\(own)`, which has no"
                    + " value before the first impression"
            }
            decoder.report(finding)
        }
    }

    /// Returns the text that a finding marks.
    private func marked(_ finding: Diagnostic) -> String {
        model.sources[finding.range.file].text(in: finding.range)
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

extension RuleCompiler {
    /// Nil if a part is missing, or names something that does not exist.
    mutating func goal(_ model: GoalModel) -> Goal? {
        guard let event = model.event else { return nil }
        let condition = model.where.flatMap { compile($0.value, for: event) ?? never(at: $0.range) }
        guard let place = self.model.events.place(of: event.value), let name = model.name,
            let within = model.within
        else { return nil }
        return Goal(
            name.value, event: place, where: condition, within: within.value,
            ends: model.ends.flatMap(\.value))
    }
}

extension RuleCompiler {
    /// Nil if the zone isn't valid.
    mutating func schedule(_ located: Located<ScheduleModel>) -> Schedule? {
        let model = located.value
        guard let zone = zone(model.zone) else { return nil }
        let days = model.days.map { list in
            list.value.reduce(into: Set<Schedule.Weekday>()) { $0.formUnion($1.value) }
        }
        var schedule = Schedule(
            from: model.from?.value, until: model.until?.value, days: days,
            hours: model.hours?.value, zone: zone)
        schedule.when = model.when.flatMap { compile($0.value) ?? never(at: $0.range) }
        if case .named(let name) = zone, let calendar = LocalCalendar(zone: name, zones: .system) {
            // Without clock changes, local times are instants.
            schedule.from = schedule.from.map { .moment(calendar.start($0)) }
            schedule.until = schedule.until.map { .moment(calendar.end($0)) }
            checkWindow(schedule, model: model, calendar: calendar)
        } else {
            checkWindow(schedule, model: model, calendar: .utc)
        }
        return schedule
    }

    /// The zone that is written, UTC where none is; nil, and reported, where it names no key that
    /// could name one.
    mutating func zone(_ located: Located<ZoneModel>?) -> Zone? {
        guard let located else { return .utc }
        switch located.value {
        case .named(let name): return .named(name)
        case .local: return .local
        case .key(let name):
            guard let key = model.context.place(of: name) else { return nil }
            if let type = model.context.entries[key].type, type.value != .string {
                decoder.report(.zoneOfAnotherType(name, type.value, at: located.range))
                return nil
            }
            return .key(key)
        }
    }

    private mutating func checkWindow(
        _ schedule: Schedule, model: ScheduleModel, calendar: LocalCalendar
    ) {
        if let hours = schedule.hours, hours.from == hours.until, let range = model.hours?.range {
            decoder.report(.noHours(range))
            return
        }
        // Days that could not be read have a finding of their own.
        if schedule.days?.isEmpty == true { return }
        guard let from = schedule.from.map({ calendar.start($0) }),
            let until = schedule.until.map({ calendar.end($0) }), let first = model.from,
            let last = model.until
        else { return }
        if from >= until {
            decoder.report(.noTime(first.range, until: last.range, isEqual: from == until))
        } else if let culprit = model.days?.range ?? model.hours?.range,
            !schedule.opens(from: from, until: until, calendar)
        {
            decoder.report(
                .neverOpen(
                    at: culprit,
                    keys: [model.days.map { _ in "days" }, model.hours.map { _ in "hours" }]
                        .compactMap(\.self),
                    days: calendar.days(from: from, until: until), from: first.range,
                    until: last.range))
        }
    }
}

extension Schedule {
    /// Returns true if any of its days and hours is between two instants.
    fileprivate func opens(
        from: Timestamp, until: Timestamp, _ calendar: LocalCalendar
    ) -> Bool {
        if includes(from, calendar: calendar) { return true }
        return nextChange(after: from, calendar: calendar).map { $0 < until } ?? false
    }
}

extension LocalCalendar {
    /// Returns the days of the week between two instants, at most a week of them.
    fileprivate func days(from: Timestamp, until: Timestamp) -> [String] {
        let first = civil(at: from).dayNumber
        let last = civil(at: Timestamp(seconds: until.seconds - 1)).dayNumber
        // 1970 began on a Thursday.
        return (first...max(first, min(last, first + 6))).map {
            weekdayNames[(($0 + 3) % 7 + 7) % 7]
        }
    }
}

extension Diagnostic {
    fileprivate static func zoneOfAnotherType(
        _ key: String, _ type: CELType, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .timeUnknownZone,
            message: "`\(key)` is \(type.phrase), which cannot be a time zone",
            at: range, label: "not a string",
            help: ["use a context key with the type `string` for the time zone"])
    }

    fileprivate static func noTime(
        _ from: SourceRange, until: SourceRange, isEqual: Bool
    ) -> Self {
        let order = isEqual ? "starts and ends at the same time" : "ends before it starts"
        return Diagnostic(
            .timeEmptyWindow,
            message: "the schedule \(order), so the popup never shows",
            at: until, label: "the end (not included)",
            secondary: [Label("the start", at: from)],
            help: [
                isEqual
                    ? "for a single day, write the next day as `until`, because a date in `until`"
                        + " means 00:00, when the day starts"
                    : "write an `until` that is after `from`; if it is in the next year, change the"
                        + " year of `until`"
            ])
    }

    fileprivate static func neverOpen(
        at range: SourceRange, keys: [String], days: [String], from: SourceRange,
        until: SourceRange
    ) -> Self {
        Diagnostic(
            .timeEmptyWindow,
            message:
                "no time between `from` and `until` matches \(enumeration(keys)), so the popup"
                + " never shows",
            at: range, label: "matches no time between `from` and `until`",
            secondary: [
                Label("the period starts here", at: from),
                Label("the period ends here", at: until),
            ],
            notes: keys.contains("days")
                ? ["the period contains only \(enumeration(days)), or only parts of these days"]
                : [],
            help: [
                "change \(enumeration(keys)), or move `from` or `until`, so that the period"
                    + " contains times that match \(enumeration(keys))"
            ])
    }

    fileprivate static func noHours(_ range: SourceRange) -> Self {
        Diagnostic(
            .timeEmptyWindow,
            message: "`hours` start and end at the same time, so the popup never shows",
            at: range, label: "no time between start and end",
            help: ["if you mean the whole day, remove `hours`, or use `00:00-24:00`"])
    }
}
