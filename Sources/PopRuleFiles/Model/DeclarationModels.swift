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
    /// The most tasks that may wait, 1 to 1,000,000; nil for no bound.
    public var maxWaiting: Located<Int>?
    /// The most popups that it shows per period; nil for no bound.
    public var cap: Located<WindowCapModel>?
}

/// `max` impressions per period.
public struct WindowCapModel: Sendable {
    /// The most impressions, 1 to 1,000,000; nil if the value cannot be read.
    public var max: Located<Int>?
    /// The time in which they are counted; nil if the value cannot be read.
    public var per: Located<PeriodModel>?
    /// The time zone of the calendar; nil if none is written.
    public var zone: Located<ZoneModel>?
}

/// An entry of `context`.
public struct ContextKeyModel: Declaration {
    /// Words joined by dots, such as `user.plan`.
    public var name: Located<String>
    /// Nil if the written type isn't valid; the key then counts as of any type.
    public var type: Located<CELType>?
    /// The values listed under `values`; nil for any.
    public var allowedValues: Located<[Located<Value>]>?
    /// The value of `min`; nil for no bound.
    public var minimum: Located<Value>?
    /// The value of `max`; nil for no bound.
    public var maximum: Located<Value>?
    /// The value until the app sets one; nil if none is written or the written value is of another
    /// type.
    public var defaultValue: Located<Value>?
    /// True if a default is written, even one of another type.
    var hasDefault = false
    /// True if the key describes the current situation and not the user; nil if not written.
    public var isMomentary: Located<Bool>?
    /// A description of the key, for readers of the rules.
    public var description: Located<String>?
}

/// A field of an event's payload.
public struct FieldModel: Declaration {
    /// Letters, digits and `_`.
    public var name: Located<String>
    /// Nil if the written type isn't valid; any value is allowed then.
    public var type: Located<CELType>?
}

/// A field of a template's content, and the requirements on its value.
public struct ContentFieldModel: Declaration {
    /// Letters, digits and `_`.
    public var name: Located<String>
    /// Nil if the written type isn't valid; any value is allowed then.
    public var type: Located<CELType>?
    /// The most characters of a string, as users count them, or the most items of a list.
    public var maximum: Located<Int>?
    /// The values listed under `values`; nil for any.
    public var allowedValues: Located<[Located<Value>]>?
    /// The format of a string, such as a web address.
    public var format: Located<ContentFormat>?
    /// True if the content may have a string for each language.
    public var localized: Located<Bool>?
    /// The purpose of the field, for readers of the rules.
    public var description: Located<String>?

    var isLocalized: Bool { localized?.value ?? false }
}

/// The format of a string of the content.
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

/// An action of users on the popups of a template, other than closing them.
public struct ActionModel: Declaration {
    /// Letters, digits and `_`.
    public var name: Located<String>
    /// True if the action is a refusal; nil if not written.
    public var refusal: Located<Bool>?
}

/// The languages of a rule set.
public struct LocalesModel: Sendable {
    /// The context key with the user's language.
    public var key: Located<String>?
    /// The languages that every localized text is needed in.
    public var required: Located<[Located<String>]>?
    /// The language of the strings for all other users.
    public var fallback: Located<String>?
}

/// An entry of `templates`.
public struct TemplateModel: Declaration {
    /// The name that popups use under `template`.
    public var name: Located<String>
    /// The fields that content must have; nil for none.
    public var required: Located<[ContentFieldModel]>?
    /// The fields that content may have besides; nil for none.
    public var optional: Located<[ContentFieldModel]>?
    /// The actions that the app may report of its popups; nil for none.
    public var actions: Located<[ActionModel]>?
    /// True if a part could not be read, so that there may be more fields.
    var isBroken = false

    var fields: [ContentFieldModel] { (required?.value ?? []) + (optional?.value ?? []) }
}

/// An entry of `events`.
public struct EventModel: Declaration {
    /// Words joined by dots, such as `checkout.completed`.
    public var name: Located<String>
    /// The fields of the payload, in the order of the file.
    public var fields: [FieldModel]
    /// True if a part could not be read, so that there may be more fields.
    var isBroken = false
}

/// An entry of `conditions`.
public struct NamedConditionModel: Declaration {
    /// Words joined by dots; conditions read it like a key.
    public var name: Located<String>
    /// The definition of the name.
    public var condition: ConditionModel
}

/// An entry of `groups`.
public struct GroupModel: Declaration {
    /// The name that popups use under `group`.
    public var name: Located<String>
    /// The condition that all its popups need besides their own.
    public var when: Located<ConditionModel>?
    /// The caps on its popups per period: one cap, or several, all of which hold.
    public var caps: Located<[Located<WindowCapModel>]>?
    /// The default values of its popups.
    public var defaults: Located<DefaultsModel>?
}
