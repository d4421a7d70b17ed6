internal import PopCEL
internal import PopScheduler

extension SwiftCode {
    /// Returns a `TypedKey` for each context key, and an enum for each key that lists strings.
    static func keys(_ rules: RuleSet) throws(SwiftNameClash) -> [String] {
        let names = try SwiftName.distinct(
            rules.keys.map(\.name), as: "context keys", by: SwiftName.member)
        let types = try SwiftName.distinct(
            rules.keys.filter { $0.texts != nil }.map(\.name), as: "context keys"
        ) { "\(SwiftName.type($0))Value" }
        let ownTypes = Dictionary(uniqueKeysWithValues: types.map { ($0.text, $0.name) })
        var enums: [[String]] = []
        var statics: [String: [String]] = [:]
        for (key, name) in zip(rules.keys, names.map(\.name)) {
            let ownType = ownTypes[key.name]
            if let ownType, let texts = key.texts {
                enums.append(
                    try enumeration(
                        ownType, of: texts, raw: "String, CaseIterable, ValueConvertible",
                        summary: "The values of `\(key.name)`."))
            }
            guard let type = ownType ?? key.type.swiftName else { continue }
            statics[type, default: []].append(
                "    public static var \(name): Self { Self(\"\(key.name)\") }")
        }
        let extensions = statics.sorted { $0.key < $1.key }.map { type, lines in
            ["extension TypedKey<\(type)> {"] + lines + ["}"]
        }
        return joined(enums + extensions)
    }

    /// Returns an enum with a case for each string.
    static func enumeration(
        _ name: String, of texts: [String], raw: String, summary: String
    ) throws(SwiftNameClash) -> [String] {
        let cases = try SwiftName.distinct(texts, as: "values of `\(name)`", by: SwiftName.member)
        return ["/// \(summary)", "public enum \(name): \(raw), Sendable {"]
            + cases.map { text, name in
                name == text
                    ? "    case \(name)" : "    case \(name) = \(SwiftName.literal(text))"
            } + ["}"]
    }

    static func indented(_ lines: [String]) -> [String] {
        lines.map { $0.isEmpty ? "" : "    \($0)" }
    }

    /// Joins the blocks with an empty line between each two.
    static func joined(_ blocks: [[String]]) -> [String] {
        Array(blocks.filter { !$0.isEmpty }.joined(separator: [""]))
    }
}

extension ContextKey {
    /// The strings that the key allows; nil if it allows other values.
    fileprivate var texts: [String]? { type == .string ? allowedValues?.texts : nil }
}

extension [Value] {
    /// The strings, if all values are strings; nil otherwise.
    var texts: [String]? {
        let texts = compactMap { value in
            if case .string(let text) = value { text } else { nil as String? }
        }
        return texts.count == count ? texts : nil
    }
}

extension CELType {
    /// The Swift type that `ValueConvertible` reads it as; nil if there is no such type.
    var swiftName: String? { swiftName(timestamp: "Timestamp") }

    /// Returns the same type with another name for dates, such as the one that `Decodable` uses.
    func swiftName(timestamp: String) -> String? {
        switch self {
        case .bool: "Bool"
        case .int: "Int"
        case .uint: "UInt64"
        case .double: "Double"
        case .string, .version: "String"
        case .timestamp: timestamp
        case .duration: "Duration"
        case .list(let element): element.swiftName(timestamp: timestamp).map { "[\($0)]" }
        case .map(let key, let value):
            key.swiftName(timestamp: timestamp).flatMap { key in
                value.swiftName(timestamp: timestamp).map { "[\(key): \($0)]" }
            }
        case .wrapper(let type): type.swiftName(timestamp: timestamp)
        case .dyn, .null, .bytes, .optional, .type, .opaque, .parameter: nil
        }
    }
}
