public import PopCEL
public import PopScheduler

/// Rules, made ready to be played for many users.
public final class ReplayRules: Sendable {
    /// The ids of the popups; rows name them by their places here.
    public let popups: [String]
    /// The plan of what is read from the log.
    public let plan: LogPlan
    let rules: PreparedRules
    let places: [String: Int]
    /// By popup, the users' replies to it.
    let replies: [ReplyModel]
    /// By the number of a reading.
    let inputs: [ReadingInputs]
    /// The keys that hold the user's id.
    let userKeys: [String]
    /// The context values that all users begin with.
    let given: [String: Value]
    /// Indicates whether the start of an app makes no task.
    let isIdleAtStart: Bool
    /// The time of inactivity after which a user has left, in nanoseconds.
    let sessionTimeout: Int64
    let calendar: LocalCalendar
    let timeZones: TimeZones
    let times: LogTime
    /// The keys that take some values of their type only.
    let bounds: [String: ContextKey]

    /// Prepares rules for which the plan was made. An unknown zone of the mapping counts as UTC.
    public init(_ rules: RuleSet, plan: LogPlan, timeZones: TimeZones = .system) {
        self.rules = PreparedRules(rules)
        self.plan = plan
        self.timeZones = timeZones
        let mapping = plan.mapping
        let timeout = mapping.sessionTimeout ?? rules.sessionTimeout ?? .seconds(30 * 60)
        sessionTimeout = max(timeout.nanoseconds, 1)
        calendar = LocalCalendar(zone: mapping.zone, zones: timeZones) ?? .utc
        popups = rules.popups.map { $0.id }
        places = Dictionary(popups.enumerated().map { ($1, $0) }) { first, _ in first }
        replies = rules.popups.map { popup in
            let model =
                mapping.replies[popup.id] ?? popup.template.flatMap { mapping.replies[$0] }
                ?? mapping.otherReplies
            return model.limited(to: rules.actions(of: popup))
        }
        let uses = EventUses(mapping, rules: rules)
        inputs = plan.readings.map { ReadingInputs($0, uses: uses) }
        userKeys = uses.userKeys
        isIdleAtStart = rules.popups.allSatisfy { popup in
            popup.triggers.allSatisfy { trigger in
                if case .occasion(let occasion) = trigger {
                    !occasion.comesWithStart
                } else {
                    true
                }
            }
        }
        let times = LogTime(mapping)
        self.times = times
        bounds = Dictionary(rules.keys.filter { $0.isBound }.map { ($0.name, $0) }) { $1 }
        var given: [String: Value] = [:]
        for key in rules.keys {
            given[key.name] = mapping.given[key.name]?.value(as: key.type, times: .text)
        }
        self.given = given
    }
}

/// The scheduler's inputs for an event of the log.
struct ReadingInputs: Sendable {
    /// A field, by its place among those that are encoded.
    struct Field: Sendable {
        var name: String
        var type: CELType
        var place: Int
        /// Indicates whether null removes the value. In rows of every event, null has no effect.
        var isCleared = false
    }

    /// An event that the rules know.
    struct Sent: Sendable {
        var event: String
        var fields: [Field]
    }

    var sent: [Sent]
    var updates: [Field]
    /// The updates that come from columns of the row.
    var columns: [Field]
    var happened: [String]
    let fieldCount: Int

    init(_ reading: LogPlan.Reading, uses: EventUses) {
        let places = Dictionary(
            uniqueKeysWithValues: reading.fields.enumerated().map { ($1, $0) })
        func placed(_ fields: [EventUses.Field]) -> [Field] {
            fields.compactMap { field in
                places[field.path].map { Field(name: field.name, type: field.type, place: $0) }
            }
        }
        let use = uses.use(of: reading.name)
        sent = use.sent.map { Sent(event: $0.event, fields: placed($0.fields)) }
        updates = placed(uses.everywhere.updates)
        updates += placed(use.updates).map { field in
            var field = field
            field.isCleared = true
            return field
        }
        columns = placed(uses.columns)
        happened = use.happened
        fieldCount = reading.fields.count
    }

    /// Indicates whether it has no input for the scheduler.
    var isNothing: Bool { sent.isEmpty && updates.isEmpty && happened.isEmpty }

    /// The values that are encoded.
    func scalars(_ bytes: [UInt8]) -> [LogScalar] {
        if fieldCount == 0 { return [] }
        var reader = FieldReader(bytes)
        return (0..<fieldCount).map { _ in reader.next() }
    }
}

/// One thing that happened to a popup in a user's replay.
public struct ReplayRow: Sendable, Hashable {
    /// The kind of the event.
    public enum Kind: Sendable, Hashable {
        /// It became visible.
        case shown(Impression)
        /// It was visible and was dismissed.
        case ended(ReasonCode)
        /// A trigger fired and it was not made, or it waited in vain: dropped, or until the session
        /// was over.
        case keptAway(ReasonCode)
        /// Its experiment exposed the user to an arm.
        case exposed(variant: String, isFirst: Bool)
        /// The user did what a goal of it is, after having been exposed to the arm; nil outside of
        /// experiments.
        case converted(goal: String, variant: String?)
    }

    /// The position of an impression among those of the same user.
    public struct Impression: Sendable, Hashable {
        /// Which one of the popup it is, from 1.
        public var ordinal: Int
        /// Indicates whether the popup had not shown earlier on the same day.
        public var isFirstOfDay: Bool
        /// Its number among the impressions of all popups in the same week, from 1.
        public var ordinalInWeek: Int
        /// The time since the user was seen first, for the first impression of the popup.
        public var sinceFirstSession: Duration?
        /// The number of other popups that the user has seen before; nil unless it is the first
        /// impression of the popup.
        public var othersBefore: Int?
        /// Which they are; empty if they are more than pairs are counted of.
        public var others: [Int]
    }

    /// The number of the popup in the rules.
    public var popup: Int
    /// When.
    public var date: Timestamp
    /// The day in the mapping's `zone`, counted from 1970-01-01.
    public var day: Int
    /// The kind of the event.
    public var kind: Kind
}
