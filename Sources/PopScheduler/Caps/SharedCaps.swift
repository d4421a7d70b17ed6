internal import PopCEL

/// A cap that several popups share.
struct SharedCap: Sendable {
    let cap: WindowCap
    /// The reason why popups don't show when the cap is used up.
    let reason: ReasonCode
    /// True if the cap also counts popups that the rules no longer have.
    let countsStrangers: Bool
}

/// The caps that popups share, computed once for a rule set.
struct SharedCaps: Sendable {
    private let caps: ParallelArray<SharedCapIndex, SharedCap>
    /// The caps of popups that are in no group, have no tag named by a limit and aren't essential.
    private let ofLanes: ParallelArray<LaneIndex, [SharedCapIndex]>
    /// The caps of all other popups.
    private var own: [PopupIndex: [SharedCapIndex]] = [:]

    init(_ rules: RuleSet) {
        var builder = Builder()
        let groups = rules.groups.map { builder.add($0.caps, for: .groupCap) }
        let lanes = rules.schedulers.map {
            builder.add([$0.cap].compactMap { $0 }, for: .schedulerCap)
        }
        let limits = rules.limits.map { limit in
            (limit, builder.add([limit.cap], for: .globalCap, countsStrangers: limit.popups.isAll))
        }
        func all(_ group: GroupIndex?, on lane: LaneIndex, tags: [String]) -> [SharedCapIndex] {
            (group.map { groups[$0.number] } ?? []) + lanes[lane.number]
                + limits.filter { $0.0.popups.includes(lane, tags: tags) }.flatMap { $0.1 }
        }
        caps = ParallelArray(builder.caps)
        ofLanes = ParallelArray(rules.schedulers.places.map { all(nil, on: $0, tags: []) })
        let asksForTags = rules.limits.contains { !$0.popups.tags.isEmpty }
        for popup in rules.popups.places {
            let tags = asksForTags ? rules.popups[popup].texts.tags : []
            let group = rules.popups[popup].group
            let isEssential = rules.popups[popup].isEssential
            guard group != nil || !tags.isEmpty || isEssential else { continue }
            own[popup] =
                isEssential ? [] : all(group, on: rules.popups[popup].scheduler, tags: tags)
        }
    }

    private struct Builder {
        var caps: [SharedCap] = []

        mutating func add(
            _ added: [WindowCap], for reason: ReasonCode, countsStrangers: Bool = false
        ) -> [SharedCapIndex] {
            added.map { cap in
                caps.append(
                    SharedCap(cap: cap, reason: reason, countsStrangers: countsStrangers))
                return SharedCapIndex(caps.count - 1)
            }
        }
    }

    var count: Int { caps.count }
    var indices: Range<SharedCapIndex> { caps.indices }

    subscript(cap: SharedCapIndex) -> SharedCap { caps[cap] }

    /// The caps that count the impressions of a popup: of its group, its scheduler, and more.
    func caps(of popup: PopupIndex, on lane: LaneIndex) -> [SharedCapIndex] {
        (own.isEmpty ? nil : own[popup]) ?? ofLanes[lane]
    }

    /// Returns true if no shared cap of a popup on a scheduler can block the popup.
    func isFree(_ popup: PopupIndex, on lane: LaneIndex) -> Bool {
        caps.count == 0 || caps(of: popup, on: lane).isEmpty
    }
}
