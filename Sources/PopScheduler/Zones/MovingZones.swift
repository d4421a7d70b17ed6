internal import PopCEL
internal import PopSource

/// The popups and keys that depend on time zones that may change: the zone of the host, and zones
/// that context keys name.
struct MovingZones: Sendable {
    /// The popups whose schedules, caps or quiet hours depend on such zones.
    private(set) var popups: [PopupIndex] = []
    /// The keys that name zones, in the order of their declaration.
    private(set) var keys: [KeyIndex] = []

    init(
        _ rules: RuleSet, traits: ParallelArray<PopupIndex, PopupTraits>, sharedCaps: SharedCaps
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
