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
    public var per: Located<PeriodModel>?
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
    /// Whether it is about now and not about the user; nil where nothing is written.
    public var isMomentary: Located<Bool>?
    /// What the key means, for people.
    public var description: Located<String>?
}

/// A field of an event's payload.
public struct FieldModel: Declaration {
    /// Letters, digits and `_`.
    public var name: Located<String>
    /// Nil when what is written is no type; anything goes then.
    public var type: Located<CELType>?
}

/// A field of a template's content, and what its value is held to.
public struct ContentFieldModel: Declaration {
    /// Letters, digits and `_`.
    public var name: Located<String>
    /// Nil when what is written is no type; anything goes then.
    public var type: Located<CELType>?
    /// The most characters of a text, as people count them, or the most items of a list.
    public var maximum: Located<Int>?
    /// The values listed under `values`; nil for any.
    public var allowedValues: Located<[Located<Value>]>?
    /// What a text must be, such as an address on the web.
    public var format: Located<ContentFormat>?
    /// Whether the content may hold a text for each language.
    public var localized: Located<Bool>?
    /// What the field is for, for people.
    public var description: Located<String>?

    var isLocalized: Bool { localized?.value ?? false }
}

/// What a text of the content must be.
public enum ContentFormat: String, Sendable, Hashable, CaseIterable {
    /// An address with its scheme, such as `https://example.com` and `myapp://home`.
    case url
    /// Such as `#ff8800`.
    case color
    /// Such as `2027-01-31`.
    case date
    /// Such as `help@example.com`.
    case email
}

/// What a person can do on the popups of a template besides closing them.
public struct ActionModel: Declaration {
    /// Letters, digits and `_`.
    public var name: Located<String>
    /// Whether it says no; nil when nothing is written.
    public var refusal: Located<Bool>?
}

/// The languages of a rule set.
public struct LocalesModel: Sendable {
    /// The context key with the user's language.
    public var key: Located<String>?
    /// The languages that every localized text is needed in.
    public var required: Located<[Located<String>]>?
    /// The language of the texts for everybody else.
    public var fallback: Located<String>?
}

/// An entry of `templates`.
public struct TemplateModel: Declaration {
    /// What popups name under `template`.
    public var name: Located<String>
    /// The fields that content must have; nil for none.
    public var required: Located<[ContentFieldModel]>?
    /// The fields that content may have besides; nil for none.
    public var optional: Located<[ContentFieldModel]>?
    /// What the app may report of its popups; nil for nothing.
    public var actions: Located<[ActionModel]>?
    /// Whether a part could not be read, so that there may be more fields.
    var isBroken = false

    var fields: [ContentFieldModel] { (required?.value ?? []) + (optional?.value ?? []) }
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
    /// What its popups say that do not say otherwise.
    public var defaults: Located<DefaultsModel>?
}
