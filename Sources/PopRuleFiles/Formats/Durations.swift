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
    mutating func duration(_ node: YAMLNode, atLeast minimum: Int = 0) -> Duration? {
        let schema = Schema.duration(minimum: minimum)
        guard let scalar = node.scalar else { return mismatch(schema, node) }
        switch scalar.value {
        case .int, .unsigned, .hugeInteger, .float:
            return mismatch(schema, node, help: [helpWithUnits(scalar.text)])
        default: break
        }
        let text = scalar.text
        guard let milliseconds = milliseconds(in: text) else {
            guard let repaired = repairedDuration(text) else {
                return mismatch(schema, node, help: [durationHelp])
            }
            return mismatch(
                schema, node, help: ["write `\(repaired)`"],
                fixes: [.rename(node.range, to: repaired)])
        }
        guard milliseconds >= minimum, milliseconds <= limits.durationDays * 86_400_000 else {
            report(.durationOutside(subjectOfValue, minimum, limits.durationDays, node))
            return nil
        }
        return .milliseconds(milliseconds)
    }
}

private let durationHelp =
    "a duration is made of whole numbers and the units `d`, `h`, `m`, `s` and `ms`, the longest"
    + " first, as in `1h30m`"

/// What a number without a unit may have been meant as.
private func helpWithUnits(_ number: String) -> String {
    guard let value = Double(number), value > 0, value < 1e9 else { return "write the unit: `0s`" }
    let units = value < 50 ? unitNames.dropFirst() : unitNames[...]
    let meanings = units.prefix(3).map { unit in
        let text =
            Int(number) == nil
            ? durationText(.milliseconds(Int(value * unit.length))) : number + unit.unit
        return "`\(text)` is \(number) \(unit.name)"
    }
    return "write the unit: " + meanings.joined(separator: ", ")
}

private let unitNames: [(unit: String, name: String, length: Double)] = [
    ("ms", "milliseconds", 1), ("s", "seconds", 1_000), ("m", "minutes", 60_000),
    ("h", "hours", 3_600_000),
]

/// A duration in words or with decimals as it must be written; nil when no duration can be made
/// out.
private func repairedDuration(_ text: String) -> String? {
    guard text.utf8.count <= 64, !text.contains(ambiguousNumber) else { return nil }
    // A comma between digits is a decimal comma.
    var rest = text.lowercased().replacing(/([0-9]),(?=[0-9])/) { "\($0.output.1)." }
        .filter { $0 != " " && $0 != "," }[...]
    var total = 0.0
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
        let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        rest = rest.dropFirst(digits.count)
        let unit = rest.prefix { $0.isASCII && $0.isLetter }
        rest = rest.dropFirst(unit.count)
        guard let number = Double(digits), let length = unitWords[String(unit)] else { return nil }
        total += number * Double(length)
    }
    return total < 1e12 ? durationText(.milliseconds(Int(total.rounded()))) : nil
}

/// A comma that may part thousands as well as decimals, and digits with a gap between them.
private var ambiguousNumber: Regex<Substring> { /[0-9],[0-9]{3}(?![0-9])|[0-9],? +[0-9]/ }

/// Units as people write them, in milliseconds.
private let unitWords: [String: Int] = {
    var lengths: [String: Int] = [:]
    let words: [(String, Int)] = [
        ("ms msec msecs milli millis millisecond milliseconds", 1),
        ("s sec secs second seconds", 1_000), ("m min mins minute minutes", 60_000),
        ("h hr hrs hour hours", 3_600_000), ("d day days", 86_400_000),
        ("w wk week weeks", 604_800_000),
    ]
    for (names, length) in words {
        for name in names.split(separator: " ") { lengths[String(name)] = length }
    }
    return lengths
}()

/// The length of a duration such as `1h30m` in milliseconds; nil when the text is none.
///
/// Units come in the order `d h m s ms`, each at most once. A length beyond what an `Int` holds is
/// `Int.max`.
package func milliseconds(in text: String) -> Int? {
    var total = 0
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
        let part = (Int(digits) ?? Int.max).multipliedReportingOverflow(by: units[index].length)
        let sum = total.addingReportingOverflow(part.partialValue)
        total = part.overflow || sum.overflow ? Int.max : sum.partialValue
        units = units[(index + 1)...]
        if total == Int.max { return total }
    }
    return total
}

let durationUnits: [(name: String, length: Int)] = [
    ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
]

/// A duration as an author would write it.
func durationText(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    var rest = Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
    var text = ""
    for unit in durationUnits where rest >= unit.length {
        text += "\(rest / unit.length)\(unit.name)"
        rest %= unit.length
    }
    return text.isEmpty ? "0s" : text
}

extension Diagnostic {
    fileprivate static func durationOutside(
        _ subject: String, _ minimum: Int, _ maximumDays: Int, _ node: YAMLNode
    ) -> Self {
        let length = milliseconds(in: node.scalar?.text ?? "") ?? 0
        let bound =
            length < minimum
            ? "at least `\(durationText(.milliseconds(minimum)))`" : "at most `\(maximumDays)d`"
        return Diagnostic(
            .schemaRange, "\(subject) must be \(bound), but is `\(node.nameForMessages)`",
            at: node.range, label: length < minimum ? "too short" : "too long")
    }
}
