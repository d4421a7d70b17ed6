/// A place where an operating system keeps its time zones.
enum ZonePlace: Sendable, Hashable {
    /// A folder with a file for each zone, under its name.
    case folder(String)
    /// A file with all zones, as on Android.
    case archive(String)

    /// The possible places of this system's zones, the preferred place first. `TZDIR` is ignored:
    /// rules have the same meaning in every environment.
    static let ofSystem: [ZonePlace] = {
        #if os(Android)
            [
                .archive("/apex/com.android.tzdata/etc/tz/tzdata"),
                .archive("/system/usr/share/zoneinfo/tzdata"),
            ]
        #else
            [
                .folder("/usr/share/zoneinfo"), .folder("/usr/lib/zoneinfo"),
                .folder("/usr/share/lib/zoneinfo"), .folder("/etc/zoneinfo"),
            ]
        #endif
    }()

    /// Returns the zone with a well-formed name; nil if it isn't here or can't be read.
    func table(of zone: String) -> TimeZoneTable? {
        bytes(of: zone).flatMap { TimeZoneTable(tzif: $0) }
    }

    private func bytes(of zone: String) -> [UInt8]? {
        switch self {
        case .folder(let path):
            return ZoneFile.bytes(of: path + "/" + zone, atMost: TimeZoneLimits.fileBytes + 1)
        case .archive(let path):
            let head = ZoneFile.bytes(of: path, atMost: TimeZoneLimits.archiveHeadBytes)
            guard let head, let place = ZoneArchive.place(of: zone, in: head) else { return nil }
            return ZoneFile.bytes(of: path, from: place.start, atMost: place.length)
        }
    }
}
