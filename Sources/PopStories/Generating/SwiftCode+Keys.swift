internal import PopCEL
internal import PopScheduler
internal import PopSource

extension SwiftCode {
    /// A `TypedKey` for each context key, and an enum for each that lists texts.
    static func keys(_ rules: RuleSet) throws(SwiftNameClash) -> [String] {
        let names = try SwiftName.distinct(
            rules.keys.map(\.name), as: "context keys", by: SwiftName.member)
        var enums: [[String]] = []
        var statics: [String: [String]] = [:]
        for (key, name) in zip(rules.keys, names.map(\.name)) {
            var type = key.type.swiftName
            if let texts = key.allowedValues?.texts, key.type == .string {
                let ownType = "\(SwiftName.type(key.name))Value"
                type = ownType
                enums.append(
                    try enumeration(
                        ownType, of: texts, raw: "String, CaseIterable, ValueConvertible",
                        summary: "What `\(key.name)` may be."))
            }
            guard let type else { continue }
            statics[type, default: []].append(
                "    public static var \(name): Self { Self(\"\(key.name)\") }")
        }
        let extensions = statics.sorted { $0.key < $1.key }.map { type, lines in
            ["extension TypedKey<\(type)> {"] + lines + ["}"]
        }
        return joined(enums + extensions)
    }

    /// An enum with a case for each text.
    static func enumeration(
        _ name: String, of texts: [String], raw: String, summary: String
    ) throws(SwiftNameClash) -> [String] {
        let cases = try SwiftName.distinct(texts, as: "values of `\(name)`", by: SwiftName.member)
        return ["/// \(summary)", "public enum \(name): \(raw), Sendable {"]
            + cases.map { text, name in
                name == text
                    ? "    case \(name)" : "    case \(name) = \(JSON.string(text).compact)"
            } + ["}"]
    }

    /// With an empty line between each two.
    static func joined(_ blocks: [[String]]) -> [String] {
        Array(blocks.filter { !$0.isEmpty }.joined(separator: [""]))
    }
}

extension [Value] {
    /// The texts, if all are.
    fileprivate var texts: [String]? {
        let texts = compactMap { value in
            if case .string(let text) = value { text } else { nil as String? }
        }
        return texts.count == count ? texts : nil
    }
}

extension CELType {
    /// The Swift type that `ValueConvertible` and `Decodable` read it as; nil where there is none.
    var swiftName: String? {
        switch self {
        case .bool: "Bool"
        case .int: "Int"
        case .uint: "UInt64"
        case .double: "Double"
        case .string, .version: "String"
        case .timestamp: "Timestamp"
        case .duration: "Duration"
        case .list(let element): element.swiftName.map { "[\($0)]" }
        case .map(let key, let value):
            key.swiftName.flatMap { key in value.swiftName.map { "[\(key): \($0)]" } }
        case .wrapper(let type): type.swiftName
        case .dyn, .null, .bytes, .optional, .type, .opaque, .parameter: nil
        }
    }
}
