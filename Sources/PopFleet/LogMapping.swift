/// The meaning of the rows of an event log for the rules that are played against it.
public struct LogMapping: Sendable, Hashable {
    /// The places of the parts of an event in a row. If there are several places, the first that
    /// has a value counts.
    public struct Columns: Sendable, Hashable {
        /// The place of the user.
        public var user: [LogPath] = [LogPath("user")]
        /// When.
        public var time: [LogPath] = [LogPath("time")]
        /// The place of the event's name.
        public var event: [LogPath] = [LogPath("event")]
        /// The place of an integer by which events of one time are ordered.
        public var order: [LogPath] = []
        /// The place of the ID that copies of one event share.
        public var insertID: [LogPath] = []
        /// The place of the event's fields; if empty, the row itself.
        public var payload = LogPath("payload")

        /// `user`, `time`, `event` and `payload`.
        public init() {}
    }

    /// The format of times.
    public enum TimeFormat: String, Sendable, Hashable, CaseIterable {
        /// `2026-03-01T09:30:00Z`, or with a space and without a zone.
        case text
        /// Since 1970, with or without a fraction.
        case seconds
        /// Since 1970.
        case milliseconds
        /// Since 1970.
        case microseconds
    }

    /// The log's form of an event of the rules.
    public struct SentEvent: Sendable, Hashable {
        /// The names in the log; if empty, the name in the rules.
        public var names: [String] = []
        /// By field of the rules, its place in the payload, if that differs from its name.
        public var fields: [String: LogPath] = [:]

        /// An event that the log calls as the rules do.
        public init() {}
    }

    /// Where the value of a context key comes from.
    public enum ContextSource: Sendable, Hashable {
        /// From a field of the payload of such events; nil for every event that has the field.
        case field(LogPath, events: [String]?)
        /// From the row of every event.
        case column(LogPath)
        /// Such events set it to true.
        case happened(events: [String])
        /// It is the user's id.
        case user
    }

    /// The places of all parts.
    public var columns = Columns()
    /// The format of times.
    public var timeFormat = TimeFormat.text
    /// The zone of times that name none: an IANA name.
    public var timeZone = "UTC"
    /// By the name that rules give them; others are called in the log as the rules do.
    public var events: [String: SentEvent] = [:]
    /// By context key.
    public var context: [String: ContextSource] = [:]
    /// By context key, the value that all users begin with.
    public var given: [String: LogScalar] = [:]
    /// The time of inactivity after which a user has left; the replay ends this long after the
    /// user's last event. Nil for the value in the rules, or half an hour if they have none.
    public var sessionTimeout: Duration?
    /// The log's names of the events with which the app restarts, even if the user was active a
    /// moment ago.
    public var starts: [String] = []
    /// The zone of the users' devices, and of the days that are counted: an IANA name.
    public var zone = "UTC"
    /// Indicates whether two names of a user are merged. If an event gives both names, the name at
    /// the second place of `user` means the user at the first place in all other events too.
    public var mergesIdentities = false
    /// The users' replies to popups, by template or popup; a popup's own entry takes precedence.
    public var replies: [String: ReplyModel] = [:]
    /// The replies to all other popups.
    public var otherReplies = ReplyModel()
    /// The seed of every random value.
    public var seed: UInt64 = 0

    /// A log of `user`, `time`, `event` and `payload`.
    public init() {}
}

/// The users' replies to a popup that shows.
public struct ReplyModel: Sendable, Hashable {
    /// The percentage of impressions that are closed.
    public var closed = 100.0
    /// The percentage of impressions that end with an action, by action. The remaining impressions
    /// are ignored.
    public var acted: [String: Double] = [:]
    /// The time after the impression; random between the bounds, to the millisecond.
    public var after: ClosedRange<Duration> = .seconds(5)...(.seconds(5))

    /// Everybody closes it after 5 s.
    public init() {}
}

/// A user's reply to an impression.
enum Reply: Sendable, Hashable {
    case close
    case act(String)
    case ignore
}
