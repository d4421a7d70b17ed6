internal import PopCEL
internal import PopSource

/// Types as the conformance cases write them: a word, or an object whose key names the kind of
/// type.
enum JSONType {
    static func type(_ json: JSON) throws(Malformed) -> CELType {
        if let name = json.text { return try named(name) }
        guard case .object(let members) = json, let member = members.first else {
            throw Malformed("not a type: \(json.compact)")
        }
        let content = member.value
        switch member.key {
        case "list": return .list(try type(content))
        case "map":
            let pair = content.items
            guard pair.count == 2 else { break }
            return .map(try type(pair[0]), try type(pair[1]))
        case "type": return content == .null ? .type(nil) : .type(try type(content))
        case "wrapper": return .wrapper(try type(content))
        case "param": return .parameter(content.text ?? "")
        case "abstract": return try abstract(content)
        default: break
        }
        throw Malformed("not a type: \(json.compact)")
    }

    static func types(_ list: JSON?) throws(Malformed) -> [CELType] {
        var types: [CELType] = []
        for json in list?.items ?? [] { types.append(try type(json)) }
        return types
    }

    /// The type that a type value names.
    static func runtimeType(_ name: String) throws(Malformed) -> CELType {
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

    private static func abstract(_ content: JSON) throws(Malformed) -> CELType {
        guard let name = content["name"]?.text else {
            throw Malformed("not a type: \(content.compact)")
        }
        let parameters = try types(content["params"])
        if name == "optional_type", let wrapped = parameters.first { return .optional(wrapped) }
        return .opaque(name, parameters)
    }

    private static func named(_ name: String) throws(Malformed) -> CELType {
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
