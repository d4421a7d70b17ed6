internal import PopCEL
internal import PopSource
internal import PopYAML

extension Format<String> {
    /// A time zone that is known beforehand: an IANA name or an offset.
    package static var fixedZone: Self { fixedZone(orSay: nil) }

    /// One that is the same for all users: no context key names it.
    static var zoneOfAllUsers: Self {
        fixedZone(orSay: "use a fixed time zone: a context key is not allowed here")
    }

    /// `help` is added if the string may be the name of a context key.
    private static func fixedZone(orSay help: String?) -> Self {
        let schema = Schema.pattern(
            phrase: "a time zone such as `Europe/Berlin` or `+02:00`", expression: "^.+$")
        return Format(schema) { node, decoder in
            guard let text = node.scalar?.text else { return decoder.mismatch(schema, at: node) }
            if LocalCalendar(zone: text, zones: .system) != nil { return text }
            let mayBeKey = NameForm.dotted.fits(text.utf8)
            decoder.reportUnknownZone(text, help: mayBeKey ? help : nil, at: node.range)
            return nil
        }
    }
}

/// The zone in which a time is read, as it is written.
public enum ZoneModel: Sendable, Hashable {
    /// An IANA name or an offset.
    case named(String)
    /// The zone of the device.
    case local
    /// The name of the context key that names the zone.
    case key(String)
}

private let local = "local"

/// Other common words for the zone of the device.
private let wordsForLocal = ["local", "device", "host", "phone", "here", "system"]

/// Returns the possible meanings of a zone that isn't the name of a context key.
///
/// None of them is certain: the key may be declared in a file that is not read.
func readingsOfZoneWord(_ text: String) -> [Reading] {
    let readings =
        wordsForLocal.contains(text.lowercased()) ? [Reading(local)] : zoneReadings(text)
    return readings.map { Reading($0.text, meaning: $0.meaning, isExact: false) }
}

extension Format<ZoneModel> {
    /// A time zone, `local`, or a context key that names one.
    static var zone: Self {
        let schema = Schema.pattern(
            phrase:
                "a time zone such as `Europe/Berlin` or `+02:00`, `local`, or a context key such as"
                + " `user.zone`", expression: "^.+$")
        return Format(schema) { node, decoder in
            guard let text = node.scalar?.text else { return decoder.mismatch(schema, at: node) }
            if text == local { return .local }
            if LocalCalendar(zone: text, zones: .system) != nil { return .named(text) }
            // Whether a key has this name is known when all files are.
            if NameForm.dotted.fits(text.utf8) { return .key(text) }
            decoder.reportUnknownZone(text, at: node.range)
            return nil
        }
    }
}

extension Decoder {
    /// `help` names another possible meaning, so that nothing is certain.
    fileprivate mutating func reportUnknownZone(
        _ text: String, help: String? = nil, at range: SourceRange
    ) {
        let readings = help == nil ? zoneReadings(text) : readingsOfZoneWord(text)
        let similar =
            readings.isEmpty ? suggestions(for: text, among: TimeZones.systemNames) : []
        var finding = Diagnostic.unknownZone(
            text, readings: readings, similar: similar, at: range)
        if let help { finding.help.append(help) }
        report(finding)
    }
}

extension Decoder {
    /// The zone that is written next to the time that is read, or the only zone that it can mean;
    /// also a context key that names a zone.
    var zoneOfSchedule: String? {
        let zone = schedule?.entries.first { $0.key.scalar?.hasText("zone") == true }
        guard let text = zone?.value.scalar?.text else { return nil }
        if text == local || LocalCalendar(zone: text, zones: .system) != nil { return text }
        let readings = zoneReadings(text)
        if readings.isEmpty, NameForm.dotted.fits(text.utf8) { return text }
        return readings.count == 1 ? readings[0].text : nil
    }
}

extension Diagnostic {
    static func unknownZone(
        _ name: String, readings: [Reading], similar: [String], at range: SourceRange
    ) -> Self {
        var help = readings.help
        if help.isEmpty {
            help = [
                similar.isEmpty
                    ? "use a continent and a city, such as `Europe/Berlin` or"
                        + " `America/New_York`, or an offset such as `+02:00`"
                    : "did you mean \(alternatives(similar))?"
            ]
        }
        return Diagnostic(
            .timeUnknownZone, message: "unknown time zone `\(name.shortened)`", at: range,
            label: "not a time zone", help: help,
            fixes: similar.count == 1
                ? [.rename(range, to: similar[0])] : readings.fixes(at: range))
    }
}
