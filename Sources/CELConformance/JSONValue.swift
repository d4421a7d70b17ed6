internal import PopCEL
internal import PopSource

/// Values as the conformance cases write them: an object with one key, which names the type.
enum JSONValue {
    static func value(_ json: JSON) throws(Malformed) -> Value {
        guard case .object(let members) = json, let member = members.first, members.count == 1
        else { throw Malformed("not a value: \(json.compact)") }
        guard let value = try value(member.key, content: member.value) else {
            throw Malformed("not a value of type \(member.key): \(member.value.compact)")
        }
        return value
    }

    private static func value(_ kind: String, content: JSON) throws(Malformed) -> Value? {
        let text = content.text ?? ""
        switch kind {
        case "null": return .null
        case "bool": return content.bool.map { .bool($0) }
        case "int": return Int64(text).map { .int($0) }
        case "uint": return UInt64(text).map { .uint($0) }
        case "double": return Double(text).map { .double($0) }
        case "string": return content.text.map { .string($0) }
        case "bytes": return Base64.decode(text).map { .bytes($0) }
        case "list":
            var items: [Value] = []
            for item in content.items { items.append(try value(item)) }
            return .list(items)
        case "map": return try map(content.items)
        case "type": return .type(try JSONType.runtimeType(text))
        case "timestamp":
            return parts(content).map { .timestamp(Timestamp(seconds: $0, nanoseconds: $1)) }
        case "duration":
            return parts(content).map { .duration(.seconds($0) + .nanoseconds($1)) }
        default: return nil
        }
    }

    private static func map(_ entries: [JSON]) throws(Malformed) -> Value {
        var map = ValueMap()
        for entry in entries {
            let pair = entry.items
            guard pair.count == 2 else {
                throw Malformed("not an entry of a map: \(entry.compact)")
            }
            map[try value(pair[0])] = try value(pair[1])
        }
        return .map(map)
    }

    private static func parts(_ json: JSON) -> (seconds: Int64, nanoseconds: Int32)? {
        guard case .object = json else { return nil }
        let nanoseconds = Int32(json["nanos"]?.index ?? 0)
        return Int64(json["seconds"]?.text ?? "0").map { ($0, nanoseconds) }
    }

    /// Whether two values are of the same types and content; NaN is the same as NaN.
    static func isSame(_ left: Value, _ right: Value) -> Bool {
        switch (left, right) {
        case (.int(let a), .int(let b)): a == b
        case (.uint(let a), .uint(let b)): a == b
        case (.double(let a), .double(let b)): a == b || a.isNaN && b.isNaN
        case (.int, _), (.uint, _), (.double, _): false
        case (.list(let a), .list(let b)):
            a.count == b.count && zip(a, b).allSatisfy { isSame($0, $1) }
        case (.map(let a), .map(let b)): isSame(a, b)
        case (.null, _), (.bool, _), (.string, _), (.bytes, _), (.timestamp, _), (.duration, _),
            (.version, _), (.list, _), (.map, _), (.type, _), (.optional, _):
            left == right
        }
    }

    private static func isSame(_ left: ValueMap, _ right: ValueMap) -> Bool {
        left.count == right.count
            && left.allSatisfy { key, value in
                right.contains { isSame(key, $0.key) && isSame(value, $0.value) }
            }
    }
}
