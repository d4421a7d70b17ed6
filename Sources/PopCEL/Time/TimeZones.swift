/// The offsets of time zones from UTC at any time.
public struct TimeZones: Sendable {
    private let offset: @Sendable (_ zone: String, _ seconds: Int64) -> Int?

    /// Creates custom time zones.
    ///
    /// - Parameter secondsFromUTC: Returns the result of `secondsFromUTC(zone:at:)`.
    public init(secondsFromUTC: @escaping @Sendable (_ zone: String, _ seconds: Int64) -> Int?) {
        offset = secondsFromUTC
    }

    /// The time zones of the operating system, and those that it lacks and the program contains.
    ///
    /// A zone is looked up once and kept, so another lookup costs well under a microsecond; at most
    /// `TimeZoneLimits.keptZones` names are kept, including names that aren't zones.
    public static let system = TimeZones { zone, seconds in
        SystemTimeZones.zone(named: zone).map { Int($0.offset(at: seconds)) }
    }

    /// The names of all zones, for suggestions.
    ///
    /// Offsets and alternative names of the same zones aren't included.
    public static var systemNames: [String] { SystemZone.names }

    /// Returns true if the clocks of two zones of the system always show the same time.
    package static func haveSameClocks(_ zone: String, as other: String) -> Bool {
        guard let zone = SystemTimeZones.zone(named: zone),
            let other = SystemTimeZones.zone(named: other)
        else { return false }
        return zone.hasClocks(of: other)
    }

    /// Returns the seconds that the zone's clocks are ahead of UTC at an instant; nil if there is
    /// no such zone.
    ///
    /// - Parameters:
    ///   - zone: An IANA name such as `Europe/Berlin`.
    ///   - seconds: The instant, in seconds since 1970-01-01T00:00:00Z.
    public func secondsFromUTC(zone: String, at seconds: Int64) -> Int? { offset(zone, seconds) }
}

/// Returns the seconds from UTC of a fixed offset such as `+02:00`, `-09:30` or `02:00`; nil for
/// other strings.
///
/// The CEL specification requires a sign; its conformance suite has an offset without one.
func fixedOffset(_ text: String) -> Int? {
    var bytes = Array(text.utf8)
    var sign = 1
    if let first = bytes.first, first == UInt8(ascii: "+") || first == UInt8(ascii: "-") {
        sign = first == UInt8(ascii: "-") ? -1 : 1
        bytes.removeFirst()
    }
    guard bytes.count == 5, bytes[2] == UInt8(ascii: ":"),
        let hours = twoDigits(bytes[0], ones: bytes[1]), hours < 24,
        let minutes = twoDigits(bytes[3], ones: bytes[4]), minutes < 60
    else { return nil }
    return sign * (hours * 3600 + minutes * 60)
}

private func twoDigits(_ tens: UInt8, ones: UInt8) -> Int? {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard digits.contains(tens), digits.contains(ones) else { return nil }
    return Int(tens - digits.lowerBound) * 10 + Int(ones - digits.lowerBound)
}
