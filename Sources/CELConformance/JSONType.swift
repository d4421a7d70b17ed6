import PopCEL

/// Types as the conformance cases write them: a word, or an object whose key names the kind of
/// type.
enum JSONType {
    static func type(_ json: Any) throws -> CELType {
        if let name = json as? String { return try named(name) }
        guard let object = json as? [String: Any], let (kind, content) = object.first else {
            throw Malformed("not a type: \(json)")
        }
        switch kind {
        case "list": return .list(try type(content))
        case "map":
            guard let pair = content as? [Any], pair.count == 2 else { break }
            return .map(try type(pair[0]), try type(pair[1]))
        case "type":
            return content is String || content is [String: Any]
                ? .type(try type(content)) : .type(nil)
        case "wrapper": return .wrapper(try type(content))
        case "param": return .parameter(content as? String ?? "")
        case "abstract": return try abstract(content)
        default: break
        }
        throw Malformed("not a type: \(json)")
    }

    /// The type that a type value names.
    static func runtimeType(_ name: String) throws -> CELType {
        switch name {
        case "list": .list(.dyn)
        case "map": .map(.dyn, .dyn)
        case "type": .type(nil)
        case "optional_type": .optional(.dyn)
        case "google.protobuf.Timestamp": .timestamp
        case "google.protobuf.Duration": .duration
        default: try named(name)
        }
    }

    private static func abstract(_ content: Any) throws -> CELType {
        guard let object = content as? [String: Any], let name = object["name"] as? String else {
            throw Malformed("not a type: \(content)")
        }
        let parameters = try (object["params"] as? [Any] ?? []).map(type)
        if name == "optional_type", let wrapped = parameters.first { return .optional(wrapped) }
        return .opaque(name, parameters)
    }

    private static func named(_ name: String) throws -> CELType {
        switch name {
        case "dyn": .dyn
        case "null_type": .null
        case "bool": .bool
        case "int": .int
        case "uint": .uint
        case "double": .double
        case "string": .string
        case "bytes": .bytes
        case "timestamp": .timestamp
        case "duration": .duration
        default: throw Malformed("unknown type \(name)")
        }
    }
}
