package import PopScheduler

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
        /// The place of an ID that is the same in all copies of an event.
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
enum UserResponse: Sendable, Hashable {
    case close
    case act(String)
    case ignore
}

/// The place of a value in a row of a log: names of nested members.
///
/// Written with dots between them, such as `properties.plan`. A name that ends in `[]` is a list of
/// members, each with its `key` and its `value`, as Google Analytics exports them:
/// `event_params[].plan`. A string that contains JSON is entered as though it were the JSON itself.
public struct LogPath: Sendable, Hashable {
    /// The members to go through, from the row on.
    public var names: [String]
    /// By name, whether it is a list of keys with values.
    public var isKeyed: [Bool]

    /// The row itself.
    public static let row = LogPath("")

    /// Parses the written form.
    public init(_ text: String) {
        let parts = text.isEmpty ? [] : text.split(separator: ".", omittingEmptySubsequences: false)
        isKeyed = parts.map { $0.utf8.count > 2 && $0.hasSuffix("[]") }
        names = zip(parts, isKeyed).map { part, isKeyed in
            String(isKeyed ? part.dropLast(2) : part)
        }
    }

    /// The path of something below.
    public func appending(_ other: LogPath) -> LogPath {
        var path = self
        path.names += other.names
        path.isKeyed += other.isKeyed
        return path
    }
}

extension LogPath: CustomStringConvertible {
    /// The written form.
    public var description: String {
        zip(names, isKeyed).map { $0 + ($1 ? "[]" : "") }.joined(separator: ".")
    }
}

/// The random values for a user's reply to a popup.
struct UserResponseDraw {
    var seed: UInt64
    var user: String
    var popup: String
    /// Which impression of the popup it is for the user, from 1.
    var ordinal: Int

    /// Returns a random number from 0 up to 1, by a hash of all that it depends on, so that no
    /// random value affects another.
    func share(_ purpose: UInt8) -> Double {
        var hash = StableHash()
        hash.add(byte: purpose)
        hash.add(number: seed)
        hash.add(user.utf8)
        hash.add(byte: 0)
        hash.add(popup.utf8)
        hash.add(byte: 0)
        hash.add(number: UInt64(ordinal))
        return Double(hash.value >> 11) / Double(UInt64(1) << 53)
    }
}

extension RuleSet {
    /// Returns the actions that users can perform on a popup, by its template and those of its
    /// variants.
    package func actions(of popup: PopupRule) -> Set<String> {
        let variants = popup.experiment?.variants.compactMap { $0.template } ?? []
        let names = Set([popup.template].compactMap { $0 } + variants)
        return Set(
            templates.filter { names.contains($0.name) }.flatMap { $0.actions.map { $0.name } })
    }
}

extension ReplyModel {
    /// Returns the model for a popup that only has these actions: users who would perform another
    /// action close it.
    func limited(to actions: Set<String>) -> ReplyModel {
        var model = self
        for (action, share) in acted.sorted(by: { $0.key < $1.key })
        where !actions.contains(action) {
            model.acted[action] = nil
            model.closed += share
        }
        return model
    }

    /// Returns the user's reply, and its time after the impression.
    func reply(to draw: UserResponseDraw) -> (reply: UserResponse, after: Duration) {
        let place = draw.share(0) * 100
        let span = after.upperBound - after.lowerBound
        let time = after.lowerBound + (span == .zero ? .zero : part(draw.share(1), of: span))
        if place < closed { return (.close, time) }
        var bound = closed
        for (action, share) in acted.sorted(by: { $0.key < $1.key }) {
            bound += share
            if place < bound { return (.act(action), time) }
        }
        return (.ignore, time)
    }

    /// To the millisecond.
    private func part(_ share: Double, of span: Duration) -> Duration {
        let (seconds, attoseconds) = span.components
        let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
        return .milliseconds(Int64(share * Double(milliseconds + 1)))
    }
}
