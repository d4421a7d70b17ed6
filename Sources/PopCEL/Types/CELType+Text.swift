extension CELType {
    /// The types that a declaration names by a single word.
    package static let simpleTypes: [String: CELType] = [
        "bool": .bool, "int": .int, "uint": .uint, "double": .double, "string": .string,
        "bytes": .bytes, "timestamp": .timestamp, "duration": .duration, "version": .version,
        "any": .dyn,
    ]

    /// Reads a type as declarations write it, such as `map<string, list<int>>`; nil for other
    /// strings and for a type that is nested deeper than the limit.
    package init?(parsing text: String, depth: Int) {
        if let type = Self.simpleTypes[text] {
            self = type
            return
        }
        var rest = Substring(text.filter { $0 != " " })
        guard let type = Self.parse(&rest, depth: depth), rest.isEmpty else { return nil }
        self = type
    }

    private static func parse(_ rest: inout Substring, depth: Int) -> CELType? {
        let name = rest.prefix { $0.isASCII && $0.isLetter }
        rest = rest.dropFirst(name.count)
        if let type = simpleTypes[String(name)] { return type }
        guard depth > 0, rest.first == "<" else { return nil }
        rest = rest.dropFirst()
        var parameters: [CELType] = []
        repeat {
            if !parameters.isEmpty { rest = rest.dropFirst() }
            guard let parameter = parse(&rest, depth: depth - 1) else { return nil }
            parameters.append(parameter)
        } while rest.first == "," && parameters.count < 2
        guard rest.first == ">" else { return nil }
        rest = rest.dropFirst()
        switch (name, parameters.count) {
        case ("list", 1): return .list(parameters[0])
        case ("map", 2):
            return parameters[0].isMapKey ? .map(parameters[0], parameters[1]) : nil
        default: return nil
        }
    }

    private var isMapKey: Bool {
        switch self {
        case .bool, .int, .uint, .string, .dyn: true
        case .null, .double, .bytes, .timestamp, .duration, .version, .list, .map, .optional, .type,
            .wrapper, .opaque, .parameter:
            false
        }
    }
}
