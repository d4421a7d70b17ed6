internal import PopCEL
internal import PopSource

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
    private let caps: TypedArray<SharedCapIndex, SharedCap>
    /// The caps of popups that are in no group, have no tag named by a limit and aren't essential.
    private let ofLanes: TypedArray<LaneIndex, [SharedCapIndex]>
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
        caps = TypedArray(builder.caps)
        ofLanes = TypedArray(rules.schedulers.places.map { all(nil, on: $0, tags: []) })
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

/// The counts of one cap: the newest impressions, and the places reserved for popups that are about
/// to show.
struct CappedDates: Sendable {
    /// In ascending order, including reservations that a terminated process left behind.
    private(set) var dates: [Timestamp] = []
    /// The number of reserved places.
    private(set) var reserved = 0
    /// The number of impressions since the session began; for a cap that counts for each value of a
    /// key, the number for the current value.
    private(set) var inSession = 0

    init(_ dates: [Timestamp] = [], reserved: Int = 0, inSession: Int = 0) {
        self.dates = dates
        self.reserved = reserved
        self.inSession = inSession
    }

    /// Adds a date. `kept` dates are enough to check the cap and to take back the dates of failed
    /// presentations.
    mutating func add(_ date: Timestamp, keeping kept: Int) {
        dates.insertSorted(date)
        // Not `2 * kept`, which may be more than an integer holds.
        if dates.count - kept > kept { dates.removeFirst(dates.count - kept) }
    }

    /// Adds ascending dates to an empty list.
    mutating func add(_ ascending: [Timestamp], keeping kept: Int) {
        dates = ascending.count > kept ? Array(ascending.suffix(kept)) : ascending
    }

    mutating func takeBack(_ date: Timestamp) { dates.removeSorted(date) }

    mutating func beginSession() { inSession = 0 }

    mutating func addToSession(_ impressions: Int) { inSession += impressions }

    mutating func reserve(_ places: Int) { reserved += places }
}

/// The context keys for each of whose values caps count, computed once for a rule set.
struct CountedKeys: Sendable {
    /// The keys of the popups whose own or shared caps count for each value, in order of
    /// declaration.
    private var keys: [PopupIndex: [KeyIndex]] = [:]
    /// The keys of the popups whose closings are counted for each value.
    private var ofClosings: [PopupIndex: KeyIndex] = [:]
    /// The keys of the shared caps that count for each value.
    private(set) var shared: [SharedCapIndex: KeyIndex] = [:]

    init(
        _ rules: RuleSet, traits: TypedArray<PopupIndex, PopupTraits>, sharedCaps: SharedCaps
    ) {
        for cap in sharedCaps.indices { shared[cap] = sharedCaps[cap].cap.key }
        for popup in rules.popups.places where !shared.isEmpty || !traits[popup].isPlain {
            let own = traits[popup].isPlain ? nil : rules.popups[popup].capsIfAny
            var named = Set((own?.windows ?? []).compactMap { $0.key })
            for cap in sharedCaps.caps(of: popup, on: traits[popup].lane) {
                if let key = shared[cap] { named.insert(key) }
            }
            if !named.isEmpty { keys[popup] = named.ordered() }
            if let key = own?.closesPer { ofClosings[popup] = key }
        }
    }

    /// True if no cap counts for each value of a key.
    var isEmpty: Bool { keys.isEmpty && ofClosings.isEmpty }

    /// Returns the keys for whose values the impressions of a popup are counted.
    func keys(of popup: PopupIndex) -> [KeyIndex] { keys.isEmpty ? [] : keys[popup] ?? [] }

    /// Returns the key for whose values the closings of a popup are counted; nil if there is no
    /// such key.
    func keyOfClosings(_ popup: PopupIndex) -> KeyIndex? {
        ofClosings.isEmpty ? nil : ofClosings[popup]
    }
}

/// The popups and keys that depend on time zones that may change: the zone of the host, and zones
/// that context keys name.
struct MovingZones: Sendable {
    /// The popups whose schedules, caps or quiet hours depend on such zones.
    private(set) var popups: [PopupIndex] = []
    /// The keys that name zones, in the order of their declaration.
    private(set) var keys: [KeyIndex] = []

    init(
        _ rules: RuleSet, traits: TypedArray<PopupIndex, PopupTraits>, sharedCaps: SharedCaps
    ) {
        let shared = sharedCaps.indices.map { sharedCaps[$0].cap.zone }
        var named: Set<KeyIndex> = []
        for popup in rules.popups.places where !shared.isEmpty || !traits[popup].isPlain {
            var zones = sharedCaps.caps(of: popup, on: traits[popup].lane)
                .compactMap { shared[$0.number] }
            if !traits[popup].isPlain { zones += rules.zones(of: rules.popups[popup]) }
            if let quiet = rules.quiet, traits[popup].isQuiet { zones.append(quiet.zone) }
            var isMoving = false
            for zone in zones {
                switch zone {
                case .named: break
                case .local: isMoving = true
                case .key(let key):
                    isMoving = true
                    named.insert(key)
                }
            }
            if isMoving { popups.append(popup) }
        }
        keys = named.ordered()
    }
}

extension RuleSet {
    /// The zones of a popup's own times and caps.
    fileprivate func zones(of popup: PopupRule) -> [Zone] {
        popup.timing.schedule.map { $0.zone } + popup.caps.windows.compactMap { $0.zone }
    }
}
