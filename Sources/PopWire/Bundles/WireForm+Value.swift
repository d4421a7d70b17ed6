package import PopCEL
internal import PopSource

extension WireForm<Value> {
    /// A value: JSON's own form if it is unambiguous in JSON, otherwise an object with one key that
    /// begins with `$` and names the type, such as `{"$double": "1.5"}`.
    ///
    /// It also reads the plain forms that other languages write: `99.5` is a double, `null` is
    /// null, and an object without such a key is a map.
    package static let value = WireForm(
        write: json,
        read: { json, _ throws(BundleError) in
            guard let value = value(json) else { throw .damaged(wordsOfNoValue) }
            return value
        })

    private static var wordsOfNoValue: String {
        "expected a Boolean, a number, a string, a list, a map, null or an object such as"
            + " {\"$timestamp\": \"2026-01-31T09:00:00Z\"}"
    }

    private static func json(_ value: Value) -> JSON {
        switch value {
        case .null, .type, .optional: .object(["$null": true])
        case .bool(let value): .bool(value)
        case .int(let value): .int(value)
        case .string(let value): .string(value)
        case .uint(let value): .object(["$uint": .uint(value)])
        case .double(let value): .object(["$double": .string("\(value)")])
        case .bytes(let value): .object(["$bytes": .string(Base64.encode(value))])
        case .timestamp(let value): .object(["$timestamp": .string(value.description)])
        case .duration(let value): .object(["$duration": .string(DurationText.format(value))])
        case .version(let value): .object(["$version": .string(value.text)])
        case .list(let values): .array(values.map(json))
        // A list of keys and values in turn, so that any value may be a key and the order is kept.
        case .map(let map):
            .object(["$map": .array(map.flatMap { [json($0.key), json($0.value)] })])
        }
    }

    private static func value(_ json: JSON) -> Value? {
        switch json {
        case .bool(let value): .bool(value)
        case .int(let value): .int(value)
        case .string(let value): .string(value)
        case .array(let items): values(items).map(Value.list)
        case .object(let members) where members.count == 1 && members[0].key.hasPrefix("$"):
            tagged(members[0].key, json: members[0].value)
        case .object(let members):
            values(members.map { $0.value }).map { values in
                var map = ValueMap()
                for (member, value) in zip(members, values) { map[.string(member.key)] = value }
                return .map(map)
            }
        case .null: .null
        case .uint(let number): .uint(number)
        case .double(let number): .double(number)
        }
    }

    private static func values(_ items: [JSON]) -> [Value]? {
        let values = items.compactMap(value)
        return values.count == items.count ? values : nil
    }

    private static func tagged(_ tag: String, json: JSON) -> Value? {
        switch (tag, json) {
        case ("$null", _): .null
        case ("$uint", .int(let number)): UInt64(exactly: number).map(Value.uint)
        case ("$uint", .uint(let number)): .uint(number)
        case ("$double", .string(let text)): Double(text).map(Value.double)
        case ("$double", .double(let number)): .double(number)
        case ("$double", .int(let number)): .double(Double(number))
        case ("$bytes", .string(let text)): Base64.decode(text).map(Value.bytes)
        case ("$timestamp", .string(let text)): Timestamp(parsing: text).map(Value.timestamp)
        case ("$duration", .string(let text)): DurationText.parse(text).map(Value.duration)
        case ("$version", .string(let text)): Version(text).map(Value.version)
        case ("$map", .array(let items)): map(items)
        default: nil
        }
    }

    private static func map(_ items: [JSON]) -> Value? {
        guard let values = values(items), values.count.isMultiple(of: 2) else { return nil }
        var map = ValueMap()
        for place in stride(from: 0, to: values.count, by: 2) {
            map[values[place]] = values[place + 1]
        }
        return .map(map)
    }
}
