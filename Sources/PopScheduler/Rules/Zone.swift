/// The time zone by which a time is read.
public enum Zone: Sendable, Hashable {
    /// An IANA name such as `Europe/Berlin`, or an offset such as `+02:00`.
    case named(String)
    /// The host's zone, set by `Event.zoneChanged`; UTC until then.
    case local
    /// The zone named by the value of a context key; the host's while the value isn't the name of a
    /// zone.
    case key(KeyIndex)

    /// The zone if none is named.
    public static let utc = Zone.named("UTC")
}
