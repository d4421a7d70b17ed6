public import PopCEL
public import PopScheduler
public import PopSource
internal import PopYAML

/// The content of one rule file: its sections, decoded, every value with its place.
///
/// References are names still; conditions are parsed but not checked.
public struct RuleFile: Sendable {
    /// In the order of the file, `main` only when the file declares it.
    public var schedulers: [SchedulerModel] = []
    /// The declared context keys, in the order of the file.
    public var context: [ContextKeyModel] = []
    /// The declared templates, in the order of the file.
    public var templates: [TemplateModel] = []
    /// The declared events, in the order of the file.
    public var events: [EventModel] = []
    /// The named conditions, in the order of the file.
    public var conditions: [NamedConditionModel] = []
    /// The declared groups, in the order of the file.
    public var groups: [GroupModel] = []
    /// The layers that divide the users among experiments, in the order of the file.
    public var layers: [LayerModel] = []
    /// Experiments of several popups, in the order of the file.
    public var experiments: [NamedExperimentModel] = []
    /// The popups, in the order of the file.
    public var popups: [PopupModel] = []
    /// The default values of the file's popups.
    public var defaults: Located<DefaultsModel>?
    /// The caps over several schedulers, in the order of the file.
    public var limits: [Located<SharedLimitModel>] = []
    /// The users who see essential popups only, if the file has a `holdout`.
    public var holdout: Located<HoldoutModel>?
    /// The quiet hours of the file.
    public var quiet: Located<QuietModel>?
    /// The session settings of the file.
    public var session: Located<SessionModel>?
    /// The languages of the file.
    public var locales: Located<LocalesModel>?
    /// True if a section has more entries than the limit, so that nothing of it was read.
    var isRefused = false
    /// True if a condition reads the history of popups.
    var conditionsMentionHistory = false
    /// True if a string appears in several places as a condition.
    var conditionsRepeat = false

    /// A file that declares nothing.
    public init() {}
}

/// The content of all files of a rule set together: each name once, every reference resolved.
public struct RuleModel: Sendable {
    /// The scheduler that always exists.
    public static let mainScheduler = "main"

    /// The files that all of this was read from.
    public let sources: SourceSet
    /// `main` is always first, declared or not.
    public var schedulers = Section<SchedulerModel>()
    /// The context keys of all files.
    public var context = Section<ContextKeyModel>()
    /// The templates of all files.
    public var templates = Section<TemplateModel>()
    /// The events of all files.
    public var events = Section<EventModel>()
    /// The named conditions of all files, which may use each other without cycles.
    public var conditions = Section<NamedConditionModel>()
    /// The groups of all files.
    public var groups = Section<GroupModel>()
    /// The layers that divide the users among experiments, of all files.
    public var layers = Section<LayerModel>()
    /// Experiments of several popups, of all files.
    public var experiments = Section<NamedExperimentModel>()
    /// The popups of all files, in the order in which they were read.
    public var popups = Section<PopupModel>()
    /// The caps over several schedulers, of all files.
    public var limits: [Located<SharedLimitModel>] = []
    /// Which users see essential popups only; nil for none.
    public var holdout: Located<HoldoutModel>?
    /// The times in which popups are not shown; nil if no file has `quiet`.
    public var quiet: Located<QuietModel>?
    /// The settings of when a session begins; nil if no file has `session`.
    public var session: Located<SessionModel>?
    /// The languages; nil if no file has `locales`.
    public var locales: Located<LocalesModel>?
    /// The default values of the popups of each file.
    public var defaults: [Located<DefaultsModel>] = []
    var conditionsMentionHistory = false
    /// True if a string appears in several places as a condition.
    var conditionsRepeat = false

    /// A set that declares nothing, of these files.
    public init(sources: SourceSet) { self.sources = sources }
}

/// An entry of a section: something with a name that other parts refer to.
public protocol Declaration: Sendable {
    /// Unique in its section, and where it is written: letters, digits and `_`, or such words
    /// joined by dots.
    var name: Located<String> { get }
}

/// The entries of one section, over all files, in the order in which they were read.
public struct Section<Entry: Declaration>: Sendable {
    /// In the order in which they were read; `index(of:)` gives positions in it.
    public private(set) var entries: [Entry] = []
    private var positions: [String: Int] = [:]

    /// A section without entries.
    public init() {}

    /// The position of an entry.
    public func index(of name: String) -> Int? { positions[name] }

    /// The place of an entry in the rules that are made of the section.
    public func place(of name: String) -> Entry.Index? where Entry: Listed {
        positions[name].map { Entry.Index($0) }
    }

    /// The entry of that name.
    public subscript(name: String) -> Entry? { positions[name].map { entries[$0] } }

    /// The names of the entries, in their order.
    public var names: [String] { entries.map(\.name.value) }

    /// The same, also of entries that were taken out.
    var knownNames: [String] { positions.sorted { $0.value < $1.value }.map(\.key) }

    /// Takes the entries out; their positions and names stay known.
    mutating func takeEntries() -> [Entry] {
        var taken: [Entry] = []
        swap(&taken, &entries)
        return taken
    }

    /// Takes over the entries of files, in their order, each name once; returns the others with the
    /// entries that came first.
    ///
    /// The entries of a single file are not copied.
    mutating func take(_ files: [[Entry]]) -> [(again: Entry, first: Entry)] {
        entries = files.count == 1 ? files[0] : Array(files.joined())
        if entries.isEmpty { return [] }
        positions.reserveCapacity(entries.count)
        var repeated: [(again: Int, first: Int)] = []
        for index in entries.indices {
            let name = entries[index].name.value
            guard let first = positions.updateValue(index, forKey: name) else { continue }
            positions[name] = first
            repeated.append((index, first))
        }
        if repeated.isEmpty { return [] }
        let found = repeated.map { (again: entries[$0.again], first: entries[$0.first]) }
        let leftOut = Set(repeated.map(\.again))
        entries = entries.indices.filter { !leftOut.contains($0) }.map { entries[$0] }
        for (index, entry) in entries.enumerated() { positions[entry.name.value] = index }
        return found
    }
}

// The rules that are made of a section are in the order of its entries.
extension SchedulerModel: Listed { public typealias Index = LaneIndex }
extension ContextKeyModel: Listed { public typealias Index = KeyIndex }
extension EventModel: Listed { public typealias Index = EventIndex }
extension NamedConditionModel: Listed { public typealias Index = ConditionIndex }
extension GroupModel: Listed { public typealias Index = GroupIndex }
extension PopupModel: Listed { public typealias Index = PopupIndex }

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

/// A condition in one of the forms in which it can be written.
public struct ConditionModel: Sendable {
    enum Form: Sendable {
        case constant(Bool)
        case expression(Expression)
        case all([ConditionModel])
        case any([ConditionModel])
        case none([ConditionModel])
        /// Keys with the values or matchers that they must satisfy; all must hold.
        case keys([KeyMatch])
        /// A string that isn't an expression: the report about it depends on the existing names.
        indirect case unread(String, TextMap)
        /// An unreadable condition, which has been reported.
        case broken
    }

    /// A key, and the tests of its value.
    struct KeyMatch: Sendable {
        var key: Located<String>
        var tests: [Test]
        /// The place of the tests, brackets included.
        var value: SourceRange
        /// True if the key must not pass all of the tests; a key without a value does not pass.
        var isNegated = false
    }

    /// A matcher such as `gte: 3`; a plain value is `eq`.
    struct Test: Sendable {
        var matcher: Located<Matcher>
        var operand: YAMLNode

        /// True if no value to compare with is written.
        var isEmpty: Bool { operand.isNull && operand.range.isEmpty }
    }

    var form: Form
    /// The whole condition as written, lists and maps included.
    public var range: SourceRange
    /// The place of the expression itself if the condition is an alias; nil for a part of a map.
    var definition: SourceRange?

    /// True if it is written as an expression, and not as a list or map.
    var isText: Bool {
        switch form {
        case .expression, .unread: true
        case .constant, .all, .any, .none, .keys, .broken: false
        }
    }

    /// The constant that is written, when it is one, be it as text.
    public var constant: Bool? {
        switch form {
        case .constant(let value): return value
        case .expression(let expression):
            let tree = expression.tree
            if case .bool(let value)? = tree.literal(tree.root) { return value }
            return nil
        case .all(let parts): return Self.constants(parts).map { $0.allSatisfy { $0 } }
        case .any(let parts): return Self.constants(parts).map { $0.contains(true) }
        case .none(let parts): return Self.constants(parts).map { !$0.contains(true) }
        case .keys, .unread, .broken: return nil
        }
    }

    /// Nil unless there is one, and all are constants.
    private static func constants(_ parts: [ConditionModel]) -> [Bool]? {
        let values = parts.compactMap(\.constant)
        return values.isEmpty || values.count < parts.count ? nil : values
    }
}

extension ConditionModel {
    /// True if it may read `schedule.open`.
    var mentionsSchedule: Bool {
        switch form {
        case .constant, .broken: false
        case .unread(let text, _): text.contains("schedule")
        case .expression(let expression): expression.mentions("schedule")
        case .all(let parts), .any(let parts), .none(let parts):
            parts.contains { $0.mentionsSchedule }
        case .keys(let matches): matches.contains { $0.key.value.hasPrefix("schedule.") }
        }
    }
}

/// The comparisons with a key's value in the map form of a condition.
enum Matcher: String, Sendable, CaseIterable {
    case eq
    case ne
    case gt
    case gte
    case lt
    case lte
    case `in`
    case notIn = "not_in"
    case contains
    case startsWith = "starts_with"
    case endsWith = "ends_with"
    case matches
    case exists
}
