internal import PopCEL

/// Returns the possible meanings of a string that isn't a time zone.
func zoneReadings(_ text: String) -> [Reading] {
    guard text.utf8.count <= longestReading else { return [] }
    if let offset = writtenOffset(text) {
        return [Reading(offset == 0 ? "UTC" : offsetText(offset))]
    }
    let name = plain(text)
    if let abbreviation = ZoneAbbreviation.named(text) { return abbreviation.readings }
    if let zone = zonesOfCountries[name] { return [Reading(zone, isExact: false)] }
    if let zone = PlainZoneNames.zones[name] { return [Reading(zone)] }
    let cities = PlainZoneNames.zonesOfCities[name] ?? []
    return cities.count == 1
        ? cities.map { Reading($0) } : cities.prefix(5).map { Reading($0, meaning: "this zone") }
}

/// The names of all zones in lower case, without spaces and the like; made once.
private enum PlainZoneNames {
    /// The zone of each name.
    static let zones: [String: String] = Dictionary(
        TimeZones.systemNames.map { (plain($0), $0) }, uniquingKeysWith: { first, _ in first })
    /// The zones of each city, in the order of the zones.
    static let zonesOfCities: [String: [String]] = Dictionary(
        grouping: TimeZones.systemNames.filter { !$0.isEmpty },
        by: { plain(String($0.split(separator: "/").last ?? "")) })
}

private func plain(_ text: String) -> String {
    text.lowercased().filter { !" _-".contains($0) }
}

/// Returns the possible meanings of a zone that is named by letters, or by an offset with the
/// opposite sign; empty for a zone that is named after a place.
package func readingsOfLetters(_ zone: String) -> [Reading] {
    if let letters = ZoneAbbreviation.named(zone) { return letters.readings }
    let prefix = "Etc/GMT"
    guard zone.hasPrefix(prefix), let hours = Int(zone.dropFirst(prefix.count)), hours != 0 else {
        return []
    }
    let count = abs(hours) == 1 ? "1 hour" : "\(abs(hours)) hours"
    let (behind, ahead) = ("\(count) behind UTC", "\(count) ahead of UTC")
    return [
        Reading(
            offsetText(-hours * 3600),
            meaning: "\(hours > 0 ? behind : ahead), as this name is defined"),
        Reading(offsetText(hours * 3600), meaning: hours > 0 ? ahead : behind),
    ]
}

/// Letters that abbreviate one zone or several, without naming a place or whether clocks change.
package struct ZoneAbbreviation: Sendable {
    /// The zone that is meant most often.
    package let zone: String
    /// Zones of other countries that use the same letters.
    let others: [String]
    /// The offset that the letters mean by themselves, in seconds from UTC; nil if they mean none.
    let offset: Int?

    package static func named(_ text: String) -> Self? { abbreviations[text.lowercased()] }

    /// The zones, and the same offset all year.
    package var readings: [Reading] {
        let clocks = ([zone] + others).map {
            Reading(
                $0, meaning: "the local time of this city, in summer and in winter")
        }
        guard let offset else { return clocks }
        let text = offset == 0 ? "UTC" : offsetText(offset)
        return clocks + [Reading(text, meaning: "the same offset all year")]
    }
}

private let abbreviations: [String: ZoneAbbreviation] = {
    let zones: [(words: String, zone: String, hours: Double?)] = [
        ("cet mez met", "Europe/Berlin", 1), ("cest mesz", "Europe/Berlin", 2),
        ("eet", "Europe/Helsinki", 2), ("eest", "Europe/Helsinki", 3),
        ("wet", "Europe/Lisbon", 0), ("west", "Europe/Lisbon", 1), ("bst", "Europe/London", 1),
        ("msk", "Europe/Moscow", 3), ("ist", "Asia/Kolkata", 5.5),
        ("est", "America/New_York", -5), ("edt", "America/New_York", -4),
        ("et est5edt", "America/New_York", nil), ("cst", "America/Chicago", -6),
        ("cdt", "America/Chicago", -5), ("ct cst6cdt", "America/Chicago", nil),
        ("mst", "America/Denver", -7), ("mdt", "America/Denver", -6),
        ("mt mst7mdt", "America/Denver", nil), ("pst", "America/Los_Angeles", -8),
        ("pdt", "America/Los_Angeles", -7), ("pt pst8pdt", "America/Los_Angeles", nil),
        ("jst", "Asia/Tokyo", 9), ("kst", "Asia/Seoul", 9), ("hkt", "Asia/Hong_Kong", 8),
        ("aest", "Australia/Sydney", 10), ("aedt", "Australia/Sydney", 11),
    ]
    return wordTable(
        zones.map { entry in
            (
                entry.words,
                ZoneAbbreviation(
                    zone: entry.zone, others: otherCountries[entry.words] ?? [],
                    offset: entry.hours.map { Int($0 * 3600) })
            )
        })
}()

/// Letters that mean other clocks elsewhere.
private let otherCountries = [
    "cst": ["Asia/Shanghai"], "ist": ["Europe/Dublin", "Asia/Jerusalem"], "bst": ["Asia/Dhaka"],
    "est": ["Australia/Sydney"],
]

/// Countries with the same time everywhere.
private let zonesOfCountries: [String: String] = {
    let zones: [(words: String, thing: String)] = [
        ("germany deutschland", "Europe/Berlin"), ("france", "Europe/Paris"),
        ("uk unitedkingdom greatbritain britain england", "Europe/London"),
        ("italy italia", "Europe/Rome"), ("netherlands", "Europe/Amsterdam"),
        ("austria", "Europe/Vienna"), ("switzerland", "Europe/Zurich"),
        ("poland", "Europe/Warsaw"), ("sweden", "Europe/Stockholm"), ("india", "Asia/Kolkata"),
        ("japan", "Asia/Tokyo"), ("china", "Asia/Shanghai"),
    ]
    return wordTable(zones)
}()
