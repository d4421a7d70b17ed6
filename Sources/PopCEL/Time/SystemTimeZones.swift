internal import Foundation
internal import Synchronization

/// The time zones that the operating system knows.
///
/// A zone is looked up once and kept, so asking again costs well under a microsecond; at most
/// 1,024 names are kept, those that are no zones included.
public struct SystemTimeZones: TimeZones {
    public init() {}

    public func secondsFromUTC(zone: String, at seconds: Int64) -> Int? {
        Self.zone(named: zone)?
            .secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(seconds)))
    }

    /// The names of all zones, for suggestions. Offsets and other names of the same zones are not among them.
    ///
    /// Foundation knows zones only through a part that a static linker leaves out of a program that names nothing of it;
    /// without this property every zone would be unknown there.
    public static var names: [String] { TimeZone.knownTimeZoneIdentifiers }

    private static let longestName = 64
    private static let mostKept = 1024
    private static let kept = Mutex<[String: TimeZone?]>([:])

    private static func zone(named name: String) -> TimeZone? {
        guard name.utf8.count <= longestName else { return nil }
        return kept.withLock { kept in
            if let known = kept[name] { return known }
            let zone = lookUp(name)
            if kept.count < mostKept { kept[name] = .some(zone) }
            return zone
        }
    }

    /// Foundation also reads abbreviations and offsets such as `GMT+0200`, which differ between systems.
    private static func lookUp(_ name: String) -> TimeZone? {
        if name == "UTC" { return .gmt }
        guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: ":")) else { return nil }
        return TimeZone(identifier: name)
    }
}
