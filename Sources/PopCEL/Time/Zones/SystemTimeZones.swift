internal import Synchronization

/// The time zones that the operating system knows, and those that it lacks and the program brings.
///
/// A zone is looked up once and kept, so asking again costs well under a microsecond; at most
/// `TimeZoneLimits.keptZones` names are kept, those that are no zones included.
public struct SystemTimeZones: TimeZones {
    /// Looks zones up in the system's files, and in what the program brings along where there are
    /// none.
    public init() {}

    public func secondsFromUTC(zone: String, at seconds: Int64) -> Int? {
        Self.zone(named: zone).map { Int($0.offset(at: seconds)) }
    }

    /// The names of all zones, for suggestions.
    ///
    /// Offsets and other names of the same zones are not among them.
    public static var names: [String] { SystemZone.names }

    private static let kept = Mutex(ZoneCache())

    private static func zone(named name: String) -> SystemZone? {
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
