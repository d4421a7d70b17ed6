public import PopCEL
public import PopScheduler
public import PopSource

/// An entry of `schedulers`.
public struct SchedulerModel: Declaration {
    public var name: Located<String>
    public var strategy: Located<SchedulerRule.Strategy>?
    public var tieBreak: Located<SchedulerRule.TieBreak>?
    public var gap: Located<ClosedRange<Duration>>?
    public var maxWaiting: Located<Int>?
    public var cap: Located<WindowCapModel>?
}

/// `max` impressions per period.
public struct WindowCapModel: Sendable {
    public var max: Located<Int>?
    public var per: Located<WindowCap.Period>?
}

/// An entry of `context`.
public struct ContextKeyModel: Declaration {
    public var name: Located<String>
    /// Nil when what is written is no type; the key counts as of any type then.
    public var type: Located<CELType>?
    public var allowedValues: Located<[Located<Value>]>?
    public var minimum: Located<Value>?
    public var maximum: Located<Value>?
    public var defaultValue: Located<Value>?
    /// Whether a default is written, be it of another type.
    var hasDefault = false
    public var description: Located<String>?
}

/// A field of a template's content or of an event's payload.
public struct FieldModel: Declaration {
    public var name: Located<String>
    /// Nil when what is written is no type; anything goes then.
    public var type: Located<CELType>?
}

/// An entry of `templates`.
public struct TemplateModel: Declaration {
    public var name: Located<String>
    public var required: Located<[FieldModel]>?
    public var optional: Located<[FieldModel]>?
    /// Whether a part could not be read, so that there may be more fields.
    var isBroken = false
}

/// An entry of `events`.
public struct EventModel: Declaration {
    public var name: Located<String>
    public var fields: [FieldModel]
    /// Whether a part could not be read, so that there may be more fields.
    var isBroken = false
}

/// An entry of `conditions`.
public struct NamedConditionModel: Declaration {
    public var name: Located<String>
    public var condition: ConditionModel
}

/// An entry of `groups`.
public struct GroupModel: Declaration {
    public var name: Located<String>
    public var when: Located<ConditionModel>?
    public var cap: Located<WindowCapModel>?
}
