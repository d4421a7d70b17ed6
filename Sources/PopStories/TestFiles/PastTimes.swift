internal import PopCEL
internal import PopRuleFiles
internal import PopSource
internal import PopYAML

/// A time before a test.
enum PastTime: Sendable {
    case ago(Duration)
    case date(Timestamp)
}

/// How often something was, or each of the times.
enum PastTimes: Sendable {
    case count(Int)
    case each([PastTime])
}

extension Format<PastTime> {
    /// How long ago something was, or its date: `-3d`.
    static var pastTime: Self {
        let schema = Schema.pattern(
            phrase: "a time before the test such as `-3d` or `2026-11-01T09:00:00Z`",
            expression:
                #"^(-(\d+(d|h|m|s|ms))+|\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2}))$"#
        )
        return Format(schema) { node, decoder in
            guard let text = node.scalar?.text else { return decoder.mismatch(schema, at: node) }
            if let date = Timestamp(parsing: text) { return .date(date) }
            guard text.hasPrefix("-"), let milliseconds = milliseconds(in: String(text.dropFirst()))
            else { return decoder.mismatch(schema, at: node, readings: pastReadings(text)) }
            return .ago(.milliseconds(milliseconds))
        }
    }
}

extension Format<PastTimes> {
    /// A number, or a list of times.
    static var pastTimes: Self {
        let count = Format<Int>.integer(0...mostTimes)
        let list = Format<[Located<PastTime>]>.list(of: .pastTime)
        let schema = Schema.either([count.schema, list.schema])
        return Format(schema) { node, decoder in
            if node.kind == .sequence {
                return decoder.read(list, at: node).map { .each($0.value.map(\.value)) }
            }
            if let time = oneTime(node) {
                return decoder.mismatch(
                    schema, at: node, readings: [Reading("[\(time)]", isExact: true)])
            }
            return decoder.read(count, at: node).map { .count($0.value) }
        }
    }

    /// Times that one entry of a history may have.
    private static var mostTimes: Int { 100_000 }
}

/// One time where a list of them is wanted.
private func oneTime(_ node: YAMLNode) -> String? {
    guard let text = node.scalar?.text else { return nil }
    if Timestamp(parsing: text) != nil { return text }
    return text.hasPrefix("-") && milliseconds(in: String(text.dropFirst())) != nil ? text : nil
}

/// `3 days ago`, and a duration without the sign that makes it lie in the past.
private func pastReadings(_ text: String) -> [Reading] {
    let length = text.lowercased().replacing(#/^(?:vor|il y a|hace|-) *| *ago$/#, with: "")
    if milliseconds(in: length) != nil { return [Reading("-\(length)", isExact: false)] }
    return durationReadings(length).map {
        Reading("-\($0.text)", meaning: $0.meaning, isExact: false)
    }
}
