internal import PopSource

/// Looks up zones in the system's files, and in the embedded table if the system has no such files;
/// caches the results.
enum SystemTimeZones {
    private static let kept = LockedValue(ZoneCache())

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

/// The syntax of time zone names.
enum ZoneName {
    /// Returns true if a string may be the name of a zone in the IANA database: parts such as
    /// `Port-au-Prince` or `GMT+1` between slashes, each beginning with a capital letter.
    ///
    /// Such a name never leads out of the folder of zones, or to other files in it: `posix/`,
    /// `right/`, `localtime`, `zone.tab`.
    static func isWellFormed(_ name: String) -> Bool {
        let name = name.utf8
        guard name.count <= TimeZoneLimits.nameLength else { return false }
        let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
        return name.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .allSatisfy { part in
                part.first.map(capitals.contains) == true && part.allSatisfy(isAllowed)
            }
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
            UInt8(ascii: "+"):
            true
        default: false
        }
    }
}

/// The file in which Android keeps all zones.
///
/// The file begins with `tzdata` and a version in 12 bytes, then the start of the table of names,
/// the start of the zones, and other data. An entry of the table has a name of up to 40 bytes, the
/// start of the zone, counted from the first zone, its length, and other data.
enum ZoneArchive {
    private static let nameLength = 40

    /// Returns the position of a zone in the file; nil if it isn't in the table, or if the table is
    /// malformed.
    ///
    /// - Parameter head: The file, at least up to the end of its table.
    static func place(of zone: String, in head: [UInt8]) -> (start: Int64, length: Int)? {
        try? find(zone, in: head)
    }

    private static func find(
        _ zone: String, in head: [UInt8]
    ) throws(BytesReader.Malformed) -> (start: Int64, length: Int)? {
        var reader = BytesReader(head)
        guard try reader.bytes(12).starts(with: "tzdata".utf8) else { return nil }
        let table = try reader.int32()
        let zones = try reader.int32()
        guard table >= 0, zones >= table else { return nil }
        reader = BytesReader(head)
        try reader.skip(Int(table))
        let name = Array(zone.utf8)
        for _ in 0..<(zones - table) / 52 {
            let entry = try reader.bytes(nameLength).prefix { $0 != 0 }
            let start = try reader.int32()
            let length = try reader.int32()
            try reader.skip(4)
            guard entry.elementsEqual(name) else { continue }
            guard start >= 0, (0...TimeZoneLimits.fileBytes).contains(Int(length)) else {
                return nil
            }
            return (Int64(zones) + Int64(start), Int(length))
        }
        return nil
    }
}
