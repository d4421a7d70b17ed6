import Foundation
import PopCEL

/// Values as the conformance cases write them: an object with one key, which names the type.
enum JSONValue {
    static func value(_ json: Any) throws -> Value {
        guard let object = json as? [String: Any], let (kind, content) = object.first,
            object.count == 1
        else { throw Malformed("not a value: \(json)") }
        guard let value = try value(kind, content: content) else {
            throw Malformed("not a value of type \(kind): \(content)")
        }
        return value
    }

    private static func value(_ kind: String, content: Any) throws -> Value? {
        let text = content as? String ?? ""
        switch kind {
        case "null": return .null
        case "bool": return (content as? Bool).map(Value.bool)
        case "int": return Int64(text).map(Value.int)
        case "uint": return UInt64(text).map(Value.uint)
        case "double": return Double(text).map(Value.double)
        case "string": return (content as? String).map(Value.string)
        case "bytes": return Data(base64Encoded: text).map { .bytes(Array($0)) }
        case "list": return try (content as? [Any]).map { .list(try $0.map(value)) }
        case "map": return try (content as? [[Any]]).map(map)
        case "type": return .type(try JSONType.runtimeType(text))
        case "timestamp":
            return parts(content).map { .timestamp(Timestamp(seconds: $0, nanoseconds: $1)) }
        case "duration":
            return parts(content).map { .duration(.seconds($0) + .nanoseconds($1)) }
        default: return nil
        }
    }

    private static func map(_ entries: [[Any]]) throws -> Value {
        var map = ValueMap()
        for entry in entries {
            guard entry.count == 2 else { throw Malformed("not an entry of a map: \(entry)") }
            map[try value(entry[0])] = try value(entry[1])
        }
        return .map(map)
    }

    private static func parts(_ json: Any) -> (seconds: Int64, nanoseconds: Int32)? {
        guard let object = json as? [String: Any] else { return nil }
        let seconds = Int64(object["seconds"] as? String ?? "0")
        let nanoseconds = (object["nanos"] as? NSNumber)?.int32Value ?? 0
        return seconds.map { ($0, nanoseconds) }
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
