internal import PopScheduler
internal import PopSource
internal import PopYAML

extension Format<Duration> {
    /// A duration of at least that many milliseconds: `300ms`, `2s`, `10m`, `1h`, `1d`, `1h30m`.
    package static func duration(atLeast minimum: Int = 0) -> Self {
        let schema = Schema.duration(minimum: minimum)
        return Format(schema) { node, decoder in decoder.duration(node, atLeast: minimum) }
    }
}

extension Decoder {
    /// For a value that may also be something else, `schema` describes all that it may be.
    mutating func duration(
        _ node: YAMLNode, atLeast minimum: Int = 0, schema: Schema? = nil
    ) -> Duration? {
        let schema = schema ?? .duration(minimum: minimum)
        guard let scalar = node.scalar else {
            return mismatch(schema, at: node, help: node.items.count > 1 ? [oneLength] : [])
        }
        let text = scalar.text
        switch scalar.value {
        case .int, .unsigned, .hugeInteger, .float:
            return withoutUnit(text, at: node, schema: schema, atLeast: minimum)
        case .null, .bool, .string: break
        }
        guard let milliseconds = milliseconds(in: text) else {
            return mismatch(
                schema, at: node, readings: durationReadings(text),
                help: [helpWithDuration(text, of: subjectOfValue)])
        }
        guard milliseconds >= minimum, milliseconds <= limits.durationMilliseconds else {
            report(
                .durationOutside(
                    subjectOfValue, minimum: minimum, maximumDays: limits.durationDays, at: node))
            return nil
        }
        return .milliseconds(milliseconds)
    }
}

extension Decoder {
    private mutating func withoutUnit(
        _ number: String, at node: YAMLNode, schema: Schema, atLeast minimum: Int
    ) -> Duration? {
        if Double(number) == 0 {
            return minimum > 0
                ? mismatch(
                    schema, at: node, help: ["remove the line: zero is not allowed here"])
                : mismatch(schema, at: node, readings: [Reading("0s")])
        }
        let readings = unitReadings(number)
        let help =
            readings.isEmpty
            ? helpWithDuration(number, of: subjectOfValue)
            : "add the unit; " + readings.help.joined(separator: "; ")
        return mismatch(schema, at: node, help: [help], fixes: readings.fixes(at: node.range))
    }
}

private let oneLength =
    "write one duration; only `delay` and the `gap` of a scheduler accept a range"

private let noTime = ["none", "no", "nothing"]
private let endless = ["forever", "never", "infinite", "infinity", "unlimited", "always"]

/// Returns true if a string commonly means no time, or an endless time.
func isWordForNoTime(_ text: String) -> Bool {
    (noTime + endless).contains(text.lowercased())
}

private func helpWithDuration(_ text: String, of subject: String) -> String {
    if text == sessionWord, subject == "`every`" {
        return "use `per_session: 1` in the `cap` to show it once per session"
    }
    if CalendarUnit(rawValue: text) != nil {
        return "use a calendar period only at `per`, in a window of a cap, such as"
            + " `{ max: 1, per: \(text) }`"
    }
    if text.hasPrefix("-") { return "write the duration without a minus sign" }
    if spanOfTimes(text) != nil { return oneLength }
    if noTime.contains(text.lowercased()) {
        return "remove the key if you mean no duration"
    }
    if endless.contains(text.lowercased()) {
        if subject == "`after_close`" || subject == "`close`" {
            return "use `closes: 1` in the `cap` to hide the popup permanently once it is closed"
        }
        return "remove the key: a duration without an end cannot be written"
    }
    return "write a duration with integers and the units `d`, `h`, `m`, `s` and `ms`, the longest"
        + " first, such as `1h30m`"
}

/// The length of a duration such as `1h30m` in milliseconds; nil if the string isn't a duration.
///
/// Units come in the order `d h m s ms`, each at most once. A length that does not fit in 64 bits
/// is `Int64.max`.
package func milliseconds(in text: String) -> Int64? {
    var total: Int64 = 0
    var units = durationUnits[...]
    var rest = Substring(text)
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        rest = rest.dropFirst(digits.count)
        let unit = rest.prefix { $0.isASCII && $0.isLetter }
        rest = rest.dropFirst(unit.count)
        guard !digits.isEmpty, let index = units.firstIndex(where: { $0.name == unit }) else {
            return nil
        }
        let part = (Int64(digits) ?? .max).multipliedReportingOverflow(by: units[index].length)
        let sum = total.addingReportingOverflow(part.partialValue)
        total = part.overflow || sum.overflow ? .max : sum.partialValue
        units = units[(index + 1)...]
        if total == .max { return total }
    }
    return total
}

let durationUnits: [(name: String, length: Int64)] = [
    ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
]

/// A duration as an author would write it.
func durationText(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    var rest = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    var text = ""
    for unit in durationUnits where rest >= unit.length {
        text += "\(rest / unit.length)\(unit.name)"
        rest %= unit.length
    }
    return text.isEmpty ? "0s" : text
}

extension Diagnostic {
    fileprivate static func durationOutside(
        _ subject: String, minimum: Int, maximumDays: Int, at node: YAMLNode
    ) -> Self {
        let length = milliseconds(in: node.scalar?.text ?? "") ?? 0
        let bound =
            length < minimum
            ? "at least `\(durationText(.milliseconds(minimum)))`" : "at most `\(maximumDays)d`"
        return Diagnostic(
            .schemaRange, message: "\(subject) must be \(bound), but is `\(node.nameForMessages)`",
            at: node.range, label: length < minimum ? "too short" : "too long")
    }
}
