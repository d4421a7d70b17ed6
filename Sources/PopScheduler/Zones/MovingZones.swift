/// What is read by clocks that may become others: those of the host, and of zones that context keys
/// name.
struct MovingZones: Sendable {
    /// The popups whose schedules or caps are so.
    private(set) var popups: [PopupIndex] = []
    /// The keys that name zones, in the order of their declaration.
    private(set) var keys: [KeyIndex] = []

    init(_ rules: RuleSet, isPlain: (PopupIndex) -> Bool) {
        let shared = rules.schedulers.places.map { lane in
            ([rules.schedulers[lane].cap]
                + rules.limits.filter { $0.schedulers.isEmpty || $0.schedulers.contains(lane) }
                .map { $0.cap }).compactMap { $0?.zone }
        }
        var named: Set<KeyIndex> = []
        for popup in rules.popups.places {
            var zones = shared[rules.popups[popup].scheduler.number]
            if !isPlain(popup) { zones += rules.zones(of: rules.popups[popup]) }
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
        keys = named.sorted()
    }
}

extension RuleSet {
    /// The zones of a popup's own times and of its group's.
    fileprivate func zones(of popup: PopupRule) -> [Zone] {
        popup.timing.schedule.map { $0.zone } + popup.caps.windows.compactMap { $0.zone }
            + (popup.group.map { groups[$0].caps.compactMap { $0.zone } } ?? [])
    }
}
