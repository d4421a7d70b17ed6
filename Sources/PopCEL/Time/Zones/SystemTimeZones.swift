internal import PopSource

/// Looks up zones in the system's files, and in the embedded table if the system has no such files;
/// caches the results.
enum SystemTimeZones {
    private static let kept = Guarded(ZoneCache())

    static func zone(named name: String) -> SystemZone? {
        if let known = kept.withLock({ $0[name] }) { return known }
        guard ZoneName.isWellFormed(name) else { return nil }
        let zone = SystemZone(named: name)
        kept.withLock { $0[name] = .some(zone) }
        return zone
    }
}

/// The zones that were requested, and the requested names that aren't zones. If there are too many,
/// all are discarded.
struct ZoneCache: Sendable {
    private(set) var zones: [String: SystemZone?] = [:]

    subscript(name: String) -> SystemZone?? {
        get { zones[name] }
        set {
            if zones.count >= TimeZoneLimits.keptZones { zones = [:] }
            zones[name] = newValue
        }
    }
}
