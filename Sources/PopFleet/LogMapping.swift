/// What the rows of a log of events mean to the rules that are played against it.
public struct LogMapping: Sendable, Hashable {
    /// Where the parts of an event stand in a row. Of several places the first that says something
    /// counts.
    public struct Columns: Sendable, Hashable {
        /// Who did it.
        public var user: [LogPath] = [LogPath("user")]
        /// When.
        public var time: [LogPath] = [LogPath("time")]
        /// What the log calls it.
        public var event: [LogPath] = [LogPath("event")]
        /// A whole number by which events of one time are ordered.
        public var order: [LogPath] = []
        /// What two copies of one event have in common.
        public var insertID: [LogPath] = []
        /// What the fields of the event stand in; the row itself where it is empty.
        public var payload = LogPath("payload")

        /// `user`, `time`, `event` and `payload`.
        public init() {}
    }

    /// How times are written.
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

    /// What an event of the rules is in the log.
    public struct SentEvent: Sendable, Hashable {
        /// What the log calls it; the name that rules give it where nothing stands here.
        public var names: [String] = []
        /// By field of the rules, its place in the payload, where that is not its name.
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

    /// Where everything stands.
    public var columns = Columns()
    /// How times are written.
    public var timeFormat = TimeFormat.text
    /// The zone of times that name none: an IANA name.
    public var timeZone = "UTC"
    /// By the name that rules give them; others are called in the log as the rules do.
    public var events: [String: SentEvent] = [:]
    /// By context key.
    public var context: [String: ContextSource] = [:]
    /// By context key, the value that everybody begins with.
    public var given: [String: LogScalar] = [:]
    /// A user who was silent for so long has left; her replay ends so long after her last event.
    /// Nil for what the rules say, or half an hour where they say nothing.
    public var sessionTimeout: Duration?
    /// What the log calls the events with which the app starts anew, whoever was there a moment
    /// ago.
    public var starts: [String] = []
    /// The zone of the users' devices, and of the days that are counted: an IANA name.
    public var zone = "UTC"
    /// Whether who is named by the second place of `user` is the person whom an event names by the
    /// first and the second together.
    public var mergesIdentities = false
    /// What people do with popups, by template or popup; the popup's own word goes first.
    public var replies: [String: ReplyModel] = [:]
    /// What they do with all others.
    public var otherReplies = ReplyModel()
    /// Of every draw.
    public var seed: UInt64 = 0

    /// A log of `user`, `time`, `event` and `payload`.
    public init() {}
}

/// What people do with a popup that shows.
public struct ReplyModel: Sendable, Hashable {
    /// How many of a hundred impressions are closed.
    public var closed = 100.0
    /// By action, how many of a hundred impressions end by it. Whatever is left is ignored.
    public var acted: [String: Double] = [:]
    /// How long after it showed; drawn between the two, to the millisecond.
    public var after: ClosedRange<Duration> = .seconds(5)...(.seconds(5))

    /// Everybody closes it after 5 s.
    public init() {}
}

/// What a person does with an impression.
enum Reply: Sendable, Hashable {
    case close
    case act(String)
    case ignore
}
