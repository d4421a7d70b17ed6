public import PopCEL
public import PopScheduler
public import PopSource

/// An entry of `schedulers`.
public struct SchedulerModel: Declaration {
    /// Letters, digits and `_`; `main` is the scheduler of popups that name none.
    public var name: Located<String>
    /// The order of waiting tasks; nil is `priority`.
    public var strategy: Located<SchedulerRule.Strategy>?
    /// The order among equal priorities; nil is `fifo`.
    public var tieBreak: Located<SchedulerRule.TieBreak>?
    /// The least and the longest rest after a popup; equal when one duration is written, nil for
    /// none.
    public var gap: Located<ClosedRange<Duration>>?
    /// How many tasks may wait, 1 to 1,000,000; nil for no bound.
    public var maxWaiting: Located<Int>?
    /// How many popups it shows per period; nil for no bound.
    public var cap: Located<WindowCapModel>?
}

/// `max` impressions per period.
public struct WindowCapModel: Sendable {
    /// How many impressions, 1 to 1,000,000; nil when what is written cannot be read.
    public var max: Located<Int>?
    /// The time in which they are counted; nil when what is written cannot be read.
    public var per: Located<WindowCap.Period>?
    /// Whose calendar it is; nil where none is written.
    public var zone: Located<ZoneModel>?
}

/// An entry of `context`.
public struct ContextKeyModel: Declaration {
    /// Words joined by dots, such as `user.plan`.
    public var name: Located<String>
    /// Nil when what is written is no type; the key counts as of any type then.
    public var type: Located<CELType>?
    /// The values listed under `values`; nil for any.
    public var allowedValues: Located<[Located<Value>]>?
    /// What `min` says; nil for no bound.
    public var minimum: Located<Value>?
    /// What `max` says; nil for no bound.
    public var maximum: Located<Value>?
    /// The value until the app sets one; nil when none is written or what is written is of another
    /// type.
    public var defaultValue: Located<Value>?
    /// Whether a default is written, be it of another type.
    var hasDefault = false
    /// What the key means, for people.
    public var description: Located<String>?
}

/// A field of a template's content or of an event's payload.
public struct FieldModel: Declaration {
    /// Letters, digits and `_`.
    public var name: Located<String>
    /// Nil when what is written is no type; anything goes then.
    public var type: Located<CELType>?
}

/// An entry of `templates`.
public struct TemplateModel: Declaration {
    /// What popups name under `template`.
    public var name: Located<String>
    /// The fields that content must have; nil for none.
    public var required: Located<[FieldModel]>?
    /// The fields that content may have besides; nil for none.
    public var optional: Located<[FieldModel]>?
    /// Whether a part could not be read, so that there may be more fields.
    var isBroken = false
}

/// An entry of `events`.
public struct EventModel: Declaration {
    /// Words joined by dots, such as `checkout.completed`.
    public var name: Located<String>
    /// The fields of the payload, in the order of the file.
    public var fields: [FieldModel]
    /// Whether a part could not be read, so that there may be more fields.
    var isBroken = false
}

/// An entry of `conditions`.
public struct NamedConditionModel: Declaration {
    /// Words joined by dots; conditions read it like a key.
    public var name: Located<String>
    /// What the name stands for.
    public var condition: ConditionModel
}

/// An entry of `groups`.
public struct GroupModel: Declaration {
    /// What popups name under `group`.
    public var name: Located<String>
    /// The condition that all its popups need besides their own.
    public var when: Located<ConditionModel>?
    /// How many of its popups are shown per period; one cap, or several, all of which hold.
    public var caps: Located<[Located<WindowCapModel>]>?
}
