internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// Content with a field of the event, in a popup that a cap can block: it may show much later, with
/// the values of that event.
///
/// Bad:
///
/// ```yaml
/// events: { price.dropped: { price: string } }
/// popups:
///   offer:
///     trigger: { event: price.dropped }
///     content: { title: "Now {{event.price}}" }
///     cap: { windows: [{ max: 1, per: 1d }] }
/// ```
///
/// ```yaml
/// limits: [{ max: 1, per: 1d }]
/// events: { price.dropped: { price: string } }
/// popups:
///   offer: { trigger: { event: price.dropped }, content: { title: "Now {{event.price}}" } }
/// ```
///
/// ```yaml
/// schedulers: { main: { cap: { max: 1, per: 1d } } }
/// events: { price.dropped: { price: string } }
/// popups:
///   offer: { trigger: { event: price.dropped }, content: { title: "Now {{event.price}}" } }
/// ```
///
/// Good:
///
/// ```yaml
/// events: { price.dropped: { price: string } }
/// popups:
///   offer:
///     trigger: { event: price.dropped }
///     content: { title: "Now {{event.price}}" }
///     cap: { windows: [{ max: 1, per: 1d }] }
///     max_wait: 1h
/// ```
///
/// ```yaml
/// events: { price.dropped: { price: string } }
/// popups:
///   offer:
///     trigger: { event: price.dropped }
///     content: { title: "Now {{event.price}}" }
///     cap: { lifetime: 1 }
/// ```
public enum StaleEvent: Lint {
    public static let check = Check.scheduleStaleEvent

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        zip(subject.model.popups.entries, subject.rules.popups).compactMap { model, popup in
            guard popup.isEnabled, popup.untriggered == .await, popup.timing.maxWait == nil,
                popup.triggers.contains(where: { if case .event = $0 { true } else { false } }),
                subject.rules.mayHoldBack(popup),
                let place = subject.model.placeholders(in: model)
                    .first(where: { $0.name.hasPrefix("event.") })
            else { return nil }
            return .stale(place.name, at: place.range, of: model.name.value)
        }
    }
}

extension RuleSet {
    /// Returns true if a cap may keep a task of the popup waiting until a later time.
    ///
    /// A cap of a lifetime never releases a task, so that nothing shows late, and the caps of a
    /// popup never block a popup that shows once.
    fileprivate func mayHoldBack(_ popup: PopupRule) -> Bool {
        let own = popup.caps
        if own.lifetime != 1, !popup.isTriggeredOnce,
            own.every != nil || own.afterClose != nil || own.closesPer != nil
                || !own.windows.isEmpty || own.perSession != nil && sessionTimeout != nil
        {
            return true
        }
        guard !popup.isEssential else { return false }
        if popup.group.map({ !groups[$0].caps.isEmpty }) ?? false { return true }
        if schedulers[popup.scheduler].cap != nil { return true }
        return limits.contains { $0.popups.includes(popup.scheduler, tags: popup.texts.tags) }
    }
}

extension PopupRule {
    /// True if its only trigger fires once for a user.
    fileprivate var isTriggeredOnce: Bool {
        guard triggers.count == 1, case .event(let event) = triggers[0],
            case .nth = event.occurrence
        else { return false }
        return true
    }
}

extension Diagnostic {
    fileprivate static func stale(
        _ field: String, at place: SourceRange, of popup: String
    ) -> Self {
        Diagnostic(
            .scheduleStaleEvent,
            message: "a cap may delay `\(popup)` until its `\(field)` is out of date",
            at: place, label: "the value at the time of the event",
            subject: "popup `\(popup)`",
            help: [
                "use `max_wait` to drop popups that wait too long, such as `max_wait: 1h`, or"
                    + " `untriggered: discard` to drop popups that a cap blocks"
            ])
    }
}
