public import PopCEL
public import PopScheduler

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
