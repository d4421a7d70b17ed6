internal import PopCEL
internal import PopScheduler

extension BundledRules {
    init(_ rules: RuleSet) {
        schedulers = rules.schedulers.map(Scheduler.init)
        keys = rules.keys.map(Key.init)
        events = rules.events.map { event in
            Event(
                name: event.name,
                fields: event.fields.map { Event.Field(name: $0.name, type: $0.type.description) })
        }
        conditions = rules.conditions.map { Condition(name: $0.name, cel: $0.condition.text) }
        groups = rules.groups.map {
            Group(name: $0.name, when: $0.when?.text, cap: $0.cap.map(Window.init))
        }
        popups = rules.popups.map(Popup.init)
    }
}

extension PopScheduler.Condition {
    fileprivate var text: String { program.expression.description }
}

extension Duration {
    fileprivate var text: String { DurationText.format(self) }
    fileprivate var textUnlessZero: String? { self == .zero ? nil : text }
}

extension Collection {
    fileprivate var unlessEmpty: Self? { isEmpty ? nil : self }
}

extension BundledRules.Window {
    fileprivate init(_ cap: WindowCap) {
        max = cap.max
        per =
            switch cap.per {
            case .rolling(let duration): duration.text
            case .calendarDay: "calendar_day"
            case .calendarWeek: "calendar_week"
            }
    }
}

extension BundledRules.Scheduler {
    fileprivate init(_ rule: SchedulerRule) {
        let bounds = [rule.gap.lowerBound.text, rule.gap.upperBound.text]
        self.init(
            name: rule.name, strategy: rule.strategy.rawValue, tieBreak: rule.tieBreak.rawValue,
            gap: rule.gap == .zero ... .zero ? nil : bounds, maxWaiting: rule.maxWaiting,
            cap: rule.cap.map(BundledRules.Window.init))
    }
}

extension BundledRules.Key {
    fileprivate init(_ key: ContextKey) {
        self.init(
            name: key.name, type: key.type.description,
            defaultValue: key.defaultValue.map { TaggedValue($0) },
            allowedValues: key.allowedValues?.map { TaggedValue($0) },
            minimum: key.minimum.map { TaggedValue($0) },
            maximum: key.maximum.map { TaggedValue($0) })
    }
}

extension BundledRules.Trigger {
    fileprivate init(_ trigger: Trigger) {
        switch trigger {
        case .start: self.init(kind: .start)
        case .manual: self.init(kind: .manual)
        case .changed(let key): self.init(kind: .changed, key: key)
        case .event(let event):
            self.init(kind: .event, event: event.event, where: event.where?.text)
            switch event.occurrence {
            case .any: break
            case .nth(let number): nth = number
            case .every(let number): every = number
            }
        }
    }
}

extension BundledRules.Schedule {
    fileprivate init(_ schedule: Schedule) {
        self.init(
            from: schedule.from?.description, until: schedule.until?.description,
            days: schedule.days?.map(\.rawValue).sorted(),
            hours: schedule.hours.map { [$0.from, $0.until] }, zone: schedule.zone)
    }
}

extension BundledRules.Popup {
    fileprivate init(_ rule: PopupRule) {
        id = rule.id
        isOff = rule.isEnabled ? nil : true
        scheduler = rule.scheduler == 0 ? nil : rule.scheduler
        group = rule.group
        priority = rule.priority == PopupRule.normalPriority ? nil : rule.priority
        triggers = rule.triggers.map(BundledRules.Trigger.init)
        when = rule.when?.text
        untriggered = rule.untriggered == .await ? nil : rule.untriggered.rawValue
        `switch` = rule.switch == .await ? nil : rule.switch.rawValue
        after = rule.after.unlessEmpty
        delay = rule.delay.textUnlessZero
        grace = rule.grace.textUnlessZero
        minShow = rule.minShow.textUnlessZero
        hideAfter = rule.hideAfter?.text
        dismissWhen = rule.dismissWhen?.text
        maxWait = rule.maxWait?.text
        schedule = rule.schedule.map(BundledRules.Schedule.init)
        lifetimeCap = rule.caps.lifetime
        sessionCap = rule.caps.perSession
        every = rule.caps.every?.text
        windows = rule.caps.windows.map(BundledRules.Window.init).unlessEmpty
        rollout = rule.rollout.map {
            BundledRules.Rollout(percent: $0.percent, key: $0.key, salt: $0.salt)
        }
        template = rule.template
        content = rule.content == .map([:]) ? nil : TaggedValue(rule.content)
        description = rule.description
        owner = rule.owner
        tags = rule.tags.unlessEmpty
    }
}
