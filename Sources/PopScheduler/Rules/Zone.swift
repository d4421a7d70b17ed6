/// Whose clocks and calendar a time is read by.
public enum Zone: Sendable, Hashable {
    /// An IANA name such as `Europe/Berlin`, or an offset such as `+02:00`.
    case named(String)
    /// The host's, which `Event.zoneChanged` says; UTC until then.
    case local
    /// The one that the value of a context key names; the host's while it names none.
    case key(KeyIndex)

    /// The zone of what names none.
    public static let utc = Zone.named("UTC")
}
