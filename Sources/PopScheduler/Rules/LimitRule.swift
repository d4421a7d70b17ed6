/// Some of the popups: those of some schedulers, with one of some tags.
public struct PopupSelection: Sendable, Hashable {
    /// Those whose popups are among them; empty for all.
    public var schedulers: [LaneIndex]
    /// Popups with one of these are among them; empty for all.
    public var tags: [String]

    /// All popups unless schedulers or tags are given.
    public init(schedulers: [LaneIndex] = [], tags: [String] = []) {
        self.schedulers = schedulers
        self.tags = tags
    }
}

extension PopupSelection {
    /// Whether these are all popups, those that the rules do not have any more too.
    var isAll: Bool { schedulers.isEmpty && tags.isEmpty }

    /// Whether popups of a scheduler that have these tags are among them.
    package func includes(_ lane: LaneIndex, tags: [String]) -> Bool {
        (schedulers.isEmpty || schedulers.contains(lane))
            && (self.tags.isEmpty || self.tags.contains { tags.contains($0) })
    }

    /// Whether all popups of another selection are in this one.
    package func covers(_ other: PopupSelection) -> Bool {
        func covers<Name: Hashable>(_ own: [Name], others: [Name]) -> Bool {
            own.isEmpty || !others.isEmpty && Set(others).isSubset(of: own)
        }
        return covers(schedulers, others: other.schedulers) && covers(tags, others: other.tags)
    }
}

extension RuleSet {
    /// Whether there are no more caps than rule files may have.
    package var isWithinBoundsOfCaps: Bool {
        limits.count <= RuleBounds.caps && groups.allSatisfy { $0.caps.count <= RuleBounds.caps }
            && popups.allSatisfy { $0.caps.windows.count <= RuleBounds.caps }
            && selectionSteps <= RuleBounds.selectionSteps
    }

    /// The steps that it takes to find the popups that each of `limits` is about: every tag and
    /// scheduler of a limit is compared with every tag of a popup, and with every scheduler.
    package var selectionSteps: Int {
        let ofLimits = limits.reduce(0) {
            $0 + 1 + $1.popups.tags.count + $1.popups.schedulers.count
        }
        guard ofLimits > 0 else { return 0 }
        return ofLimits * popups.reduce(schedulers.count) { $0 + 1 + $1.texts.tags.count }
    }
}

/// The section `quiet`: a part of each day in which popups are not shown that are not essential.
public struct QuietRule: Sendable, Hashable {
    /// The part of the day.
    public var hours: Schedule.Hours
    /// Whose clocks it is read by.
    public var zone: Zone
    /// The popups that are not shown then.
    public var popups: PopupSelection

    /// All popups, by the clocks of the host, unless others are given.
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
    /// Counts the impressions of all popups that the limit is about.
    public var cap: WindowCap
    /// The popups that it is about.
    public var popups: PopupSelection

    /// A cap over all popups unless some are given.
    public init(_ cap: WindowCap, popups: PopupSelection = PopupSelection()) {
        self.cap = cap
        self.popups = popups
    }
}
