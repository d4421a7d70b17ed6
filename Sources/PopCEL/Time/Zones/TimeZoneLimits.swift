/// Limits on the time zone data that is read and cached.
///
/// The longest file of the IANA database has 3,900 bytes and 310 changes of the clocks.
public enum TimeZoneLimits {
    /// Bytes of the file of one zone.
    public static let fileBytes = 65_536
    /// Changes of the clocks in the file of one zone, as in the reference code of the database.
    public static let changes = 2_000
    /// Bytes before the zones in Android's file: the table of their names.
    public static let archiveHeadBytes = 262_144
    /// Bytes of a zone's name.
    public static let nameLength = 64
    /// Zones that are cached, and cached names that aren't zones.
    public static let keptZones = 1_024
    /// Seconds that clocks may be ahead of UTC: RFC 9636, section 3.2.
    public static let offsets: ClosedRange<Int32> = -89_999...93_599
}
