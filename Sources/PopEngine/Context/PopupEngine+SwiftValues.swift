public import PopCEL
public import PopScheduler
internal import PopSource

// Calls that take Swift values. If all of them are literals, or `Value`s, the compiler chooses the
// calls that take `Value`s.

extension [String: (any ValueConvertible)?] {
    /// The entries whose value isn't nil.
    fileprivate var present: [String: PopCEL.Value] { compactMapValues { $0?.value } }
}

extension PopupEngine {
    /// Reports an app event to the engine, like the `send` that takes values of the rules:
    /// `send("checkout.completed", ["total": cart.total, "coupon": cart.coupon])`. A field that is
    /// nil is left out.
    @_disfavoredOverload
    @discardableResult
    public func send(_ event: String, _ payload: [String: (any ValueConvertible)?]) -> CallOutcome {
        send(event, payload.present)
    }

    /// Goes on with another user and their context in one step, as the `switchUser` that takes
    /// values of the rules does. A key that is nil goes back to its default, kept or not.
    @_disfavoredOverload
    @discardableResult
    public func switchUser(
        _ user: String, context values: [String: (any ValueConvertible)?],
        keeping kept: Set<String> = []
    ) async -> CallOutcome {
        let unset = values.filter { $0.value == nil }.map(\.key)
        return await switchUser(
            user, context: values.present, keeping: kept.subtracting(unset))
    }

    /// Changes the content of a popup while it shows, like the `updateContent` that takes values of
    /// the rules. A field that is nil keeps its value.
    @_disfavoredOverload
    @discardableResult
    public func updateContent(
        of id: String, _ fields: [String: (any ValueConvertible)?]
    ) -> CallOutcome { updateContent(of: id, fields.present) }
}

extension ContextStore {
    /// A store of values that were known before; what is nil is missing.
    @_disfavoredOverload
    public convenience init(
        _ values: [String: (any ValueConvertible)?], limits: EngineLimits = .standard
    ) { self.init(values.present, limits: limits) }

    /// Sets several keys together, or with nil resets them to their defaults: no condition sees
    /// only a part of the change. If the rules refuse one value, none is accepted, and the outcome
    /// reports which value was refused.
    @discardableResult
    public func update(_ values: [String: (any ValueConvertible)?]) -> CallOutcome {
        update { context in
            for (name, value) in values { context[name] = value?.value }
        }
    }
}

extension ForeignPopup {
    /// A hand-made popup whose content is made of Swift values; a field that is nil is left out.
    @_disfavoredOverload
    public init(
        id: String, scheduler: String = "main", priority: Int = PopupRule.normalPriority,
        content: [String: (any ValueConvertible)?]
    ) {
        let content = content.present.value
        self.init(id: id, scheduler: scheduler, priority: priority, content: content)
    }
}

extension PopupEngine {
    /// Changes the content of a popup while it shows, such as the progress of a download. The
    /// presenter is asked to `update` it; no impression is recorded, and the rules keep their
    /// content.
    ///
    /// A field has to exist in the content already, and keeps its type. Any other field is refused,
    /// and then no field is changed. If the main actor is slow, it gets only the newest content. A
    /// popup that isn't on a screen, or is being dismissed, isn't changed; the outcome has a remark
    /// about it.
    @discardableResult
    public func updateContent(of id: String, _ fields: [String: Value]) -> CallOutcome {
        core.handle(.content(id, fields))
    }
}
