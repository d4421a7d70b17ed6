/// A selection of popups by scheduler and tag.
public struct PopupSelection: Sendable, Hashable {
    /// The schedulers whose popups are selected; empty for all.
    public var schedulers: [LaneIndex]
    /// The tags of which selected popups have at least one; empty for all.
    public var tags: [String]

    /// Creates a selection of all popups unless schedulers or tags are given.
    public init(schedulers: [LaneIndex] = [], tags: [String] = []) {
        self.schedulers = schedulers
        self.tags = tags
    }
}

extension PopupSelection {
    /// True if all popups are selected, including popups that the rules no longer have.
    var isAll: Bool { schedulers.isEmpty && tags.isEmpty }

    /// Returns true if popups of a scheduler that have these tags are selected.
    package func includes(_ lane: LaneIndex, tags: [String]) -> Bool {
        (schedulers.isEmpty || schedulers.contains(lane))
            && (self.tags.isEmpty || self.tags.contains { tags.contains($0) })
    }

    /// Returns true if all popups of another selection are in this one.
    package func covers(_ other: PopupSelection) -> Bool {
        func covers<Name: Hashable>(_ own: [Name], others: [Name]) -> Bool {
            own.isEmpty || !others.isEmpty && Set(others).isSubset(of: own)
        }
        return covers(schedulers, others: other.schedulers) && covers(tags, others: other.tags)
    }
}

extension RuleSet {
    /// True if there are no more caps than rule files may have.
    package var isWithinBoundsOfCaps: Bool {
        limits.count <= RuleBounds.caps && groups.allSatisfy { $0.caps.count <= RuleBounds.caps }
            && popups.allSatisfy { $0.caps.windows.count <= RuleBounds.caps }
            && selectionSteps <= RuleBounds.selectionSteps
    }

    /// The number of steps to find the popups to which each of `limits` applies: every tag and
    /// scheduler of a limit is compared with every tag of a popup, and with every scheduler.
    package var selectionSteps: Int {
        let ofLimits = limits.reduce(0) {
            $0 + 1 + $1.popups.tags.count + $1.popups.schedulers.count
        }
        guard ofLimits > 0 else { return 0 }
        return ofLimits * popups.reduce(schedulers.count) { $0 + 1 + $1.texts.tags.count }
    }
}

/// The section `quiet`: a part of each day in which only essential popups are shown.
public struct QuietRule: Sendable, Hashable {
    /// The part of the day.
    public var hours: Schedule.Hours
    /// The time zone of the hours.
    public var zone: Zone
    /// The popups that are not shown in these hours.
    public var popups: PopupSelection

    /// Creates quiet hours for all popups, in the time zone of the host, unless others are given.
    public init(
        _ hours: Schedule.Hours, zone: Zone = .local, popups: PopupSelection = PopupSelection()
    ) {
        self.hours = hours
        self.zone = zone
        self.popups = popups
    }
}

/// An entry of `limits`: a cap that the popups of several schedulers share.
public struct LimitRule: Sendable, Hashable {
    /// Counts the impressions of all popups of the limit.
    public var cap: WindowCap
    /// The popups to which the limit applies.
    public var popups: PopupSelection

    /// Creates a cap over all popups unless some are given.
    public init(_ cap: WindowCap, popups: PopupSelection = PopupSelection()) {
        self.cap = cap
        self.popups = popups
    }
}
