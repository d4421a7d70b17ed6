internal import PopSource

/// Looks zones up in the system's files, and in what the program brings along where there are none;
/// keeps what it found.
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

/// The zones that were asked for, and the names that belong to none. When there are too many, all
/// are forgotten.
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
