internal import PopCEL
internal import PopRuleFiles
internal import PopSource
internal import PopYAML

/// A time before a test.
enum PastTime: Sendable {
    case ago(Duration)
    case date(Timestamp)
}

/// The number of times that something happened, or each of the times.
enum PastTimes: Sendable {
    case count(Int)
    case each([PastTime])
}

/// One time at which an event was sent, and its payload.
struct PastSending: Sendable {
    var at: Located<PastTime>?
    var payload: Located<YAMLNode>?
}

/// The number of times that an event was sent, or each of the times.
enum PastSendings: Sendable {
    case count(Int)
    case each([PastSending])

    /// The times without the payloads.
    var times: PastTimes {
        switch self {
        case .count(let count): .count(count)
        case .each(let sendings): .each(sendings.compactMap { $0.at?.value })
        }
    }
}

extension Format<PastTime> {
    /// The time before the start of the test, or a date: `-3d`.
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
        let count = Format<Int>.pastCount
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
}

extension Format<Int> {
    /// The maximum number of occurrences of one history entry.
    fileprivate static var pastCount: Self { .integer(0...100_000) }
}

extension Format<PastSendings> {
    /// A number, or a list of times, some of them with the payload of the event.
    static var pastSendings: Self {
        let count = Format<Int>.pastCount
        let list = Format<[Located<PastSending>]>.list(of: .pastSending)
        let schema = Schema.either([count.schema, list.schema])
        return Format(schema) { node, decoder in
            switch node.kind {
            case .sequence:
                return decoder.read(list, at: node).map { .each($0.value.map(\.value)) }
            case .mapping:
                let text = decoder.source.text(in: node.range)
                let reading = text.contains("\n") ? nil : Reading("[\(text)]")
                return decoder.mismatch(schema, at: node, readings: reading.map { [$0] } ?? [])
            case .scalar: return decoder.read(count, at: node).map { .count($0.value) }
            }
        }
    }
}

extension Format<PastSending> {
    fileprivate static var pastSending: Self {
        let time = Format<PastTime>.pastTime
        let table = Format<PastSending>.table(.sending, startingWith: PastSending())
        return Format(.either([time.schema, table.schema])) { node, decoder in
            guard node.kind == .mapping else {
                return decoder.read(time, at: node).map { PastSending(at: $0) }
            }
            return decoder.read(table, at: node)?.value
        }
    }
}

extension Table<PastSending> {
    fileprivate static let sending = Table(
        "a time at which an event was sent",
        keys: [
            Key(
                "at", format: .pastTime, store: { $0.at = $1 },
                alsoCalled: ["when", "date", "time", "ago", "last"],
                summary: "when it was sent, such as `-3d`"
            ).required,
            Key(
                "payload", format: .map(of: .any), store: { $0.payload = $1 },
                alsoCalled: ["with", "data", "fields", "properties"],
                summary: "the fields of its payload that conditions add up"
            ).such(as: "{ total: 8.0 }"),
        ])
}

/// Returns a single time that is written instead of a list of times.
private func oneTime(_ node: YAMLNode) -> String? {
    guard let text = node.scalar?.text else { return nil }
    if Timestamp(parsing: text) != nil { return text }
    return text.hasPrefix("-") && milliseconds(in: String(text.dropFirst())) != nil ? text : nil
}

/// Returns the likely meanings of `3 days ago`, and of a duration without the sign for the past.
private func pastReadings(_ text: String) -> [Reading] {
    let length = text.lowercased().replacing(#/^(?:vor|il y a|hace|-) *| *ago$/#, with: "")
    if milliseconds(in: length) != nil { return [Reading("-\(length)", isExact: false)] }
    return durationReadings(length).map {
        Reading("-\($0.text)", meaning: $0.meaning, isExact: false)
    }
}
