internal import PopCEL
package import PopRuleFiles
package import PopScheduler
internal import PopSource

/// Swift types for the declarations of rules: a misspelled name doesn't compile.
package struct SwiftCode {
    package private(set) var text: String

    /// The first line, which identifies the file.
    package static let header = "// Made by `poprules generate swift` from the rules: do not edit."

    /// The types that the code may use, and the module that each comes from.
    private static let uses = [
        ("Date", "Foundation"), ("PopupEngine", "PopEngine"), ("Timestamp", "PopEngine"),
        ("TypedKey", "PopEngine"), ("ValueConvertible", "PopEngine"),
    ]

    /// Throws if two names of the rules would be the same in Swift.
    ///
    /// `model` contains the templates as the rule files write them.
    package init(_ rules: RuleSet, model: RuleModel) throws(SwiftNameClash) {
        let parts = [
            try Self.keys(rules), try Self.events(rules), try Self.popups(rules),
            try Self.schedulers(rules), try Self.templates(model, hasPopups: !rules.popups.isEmpty),
        ].filter { !$0.isEmpty }
        let code = parts.map { $0.joined(separator: "\n") }
        let words = Set(code.joined(separator: " ").split { !$0.isLetter && !$0.isNumber })
        let modules = Set(Self.uses.filter { words.contains(Substring($0.0)) }.map(\.1))
        let beginning = [Self.header, "// swift-format-ignore-file"]
        let imports = modules.sorted().map { "public import \($0)" }
        text =
            ([beginning.joined(separator: "\n"), imports.joined(separator: "\n")] + code)
            .filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }
}

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

extension SwiftCode {
    /// Returns a struct for each event, and the code that sends it.
    static func events(_ rules: RuleSet) throws(SwiftNameClash) -> [String] {
        let names = try SwiftName.distinct(
            rules.events.map(\.name), as: "events", by: SwiftName.type)
        if names.isEmpty { return [] }
        var blocks: [[String]] = []
        for (event, name) in zip(rules.events, names.map(\.name)) {
            blocks.append(try self.event(event, name: name))
        }
        return joined([
            [
                "/// An event that the rules declare.", "public protocol RuleEvent: Sendable {",
                "    /// The name in the rules.", "    static var name: String { get }",
                "    /// The fields that have a value.",
                "    var payload: [String: Value] { get }", "}",
            ],
            [
                "extension PopupEngine {", "    /// Sends an event to the engine.",
                "    @discardableResult",
                "    public func send(_ event: some RuleEvent) -> CallOutcome {",
                "        send(type(of: event).name, event.payload)", "    }", "}",
            ],
            ["/// The events of the rules.", "public enum RuleEvents {"]
                + indented(joined(blocks)) + ["}"],
        ])
    }

    private static func event(_ event: EventRule, name: String) throws(SwiftNameClash) -> [String] {
        let fields = try SwiftName.distinct(
            event.fields.map(\.name), as: "fields of `\(event.name)`", by: SwiftName.member)
        let typed = zip(event.fields, fields).map { field, name in
            (field: field.name, name: name.name, type: field.type.swiftName ?? "Value")
        }
        var lines = ["/// `\(event.name)`", "public struct \(name): RuleEvent {"]
        lines.append("    public static let name = \"\(event.name)\"")
        lines += typed.map { "    public var \($0.name): \($0.type)?" }
        lines.append("")
        lines += initializer(
            typed.map { "\($0.name): \($0.type)? = nil" }, names: typed.map(\.name))
        lines += payload(typed.map { ($0.field, $0.name, $0.type == "Value") })
        return lines + ["}"]
    }

    private static func initializer(_ parameters: [String], names: [String]) -> [String] {
        if parameters.isEmpty { return ["    public init() {}"] }
        let last = parameters.count - 1
        return ["    public init("]
            + parameters.enumerated().map { "        \($1)\($0 == last ? "" : ",")" }
            + ["    ) {"] + names.map { "        self.\($0) = \($0)" } + ["    }"]
    }

    private static func payload(
        _ fields: [(field: String, name: String, isValue: Bool)]
    ) -> [String] {
        if fields.isEmpty { return ["", "    public var payload: [String: Value] { [:] }"] }
        return [
            "", "    public var payload: [String: Value] {",
            "        var payload: [String: Value] = [:]",
        ]
            + fields.map { field, name, isValue in
                "        payload[\"\(field)\"] = self.\(name)\(isValue ? "" : "?.value")"
            } + ["        return payload", "    }"]
    }

    /// Returns an id for each popup.
    static func popups(_ rules: RuleSet) throws(SwiftNameClash) -> [String] {
        if rules.popups.isEmpty { return [] }
        let ids = try enumeration(
            "PopupName", of: rules.popups.map(\.id), raw: "String, CaseIterable",
            summary: "The popups of the rules.")
        return joined([
            ids, ["extension PopupEngine {"] + indented(joined(Self.calls)) + ["}"],
            [
                "extension Popup {",
                "    /// The popup's name in the rules; nil for a hand-made popup.",
                "    public var name: PopupName? { PopupName(rawValue: id) }", "}",
            ],
        ])
    }

    /// The calls to an engine about one popup: commands and questions.
    private static var calls: [[String]] {
        let short = ["dismiss", "remove", "userClosed", "didDisappear"].map { name in
            call("\(name)(_ popup: PopupName) -> CallOutcome", "\(name)(popup.rawValue)")
        }
        let enqueue = call(
            "enqueue(_ popup: PopupName, calling callbacks: PopupCallbacks? = nil) -> CallOutcome",
            "enqueue(popup.rawValue, calling: callbacks)")
        let show = call(
            "show(_ popup: PopupName) async -> PopupEnding", "await show(popup.rawValue)")
        let fields = "[String: (any ValueConvertible)?]"
        let update = call(
            "updateContent(of popup: PopupName, _ fields: \(fields)) -> CallOutcome",
            "updateContent(of: popup.rawValue, fields)")
        let questions = [
            ("explain(_ popup: PopupName) -> PopupExplanation?", "explain(popup.rawValue)"),
            (
                "statusUpdates(of popup: PopupName) -> PopupStatusUpdates",
                "statusUpdates(of: popup.rawValue)"
            ),
        ].map { signature, body in Array(call(signature, body).dropFirst()) }
        return [enqueue, show] + short + [update] + questions
    }

    private static func call(_ signature: String, _ body: String) -> [String] {
        ["@discardableResult", "public func \(signature) {", "    \(body)", "}"]
    }

    /// Returns a name for each scheduler.
    static func schedulers(_ rules: RuleSet) throws(SwiftNameClash) -> [String] {
        try enumeration(
            "SchedulerName", of: rules.schedulers.map(\.name), raw: "String, CaseIterable",
            summary: "The schedulers of the rules.")
    }
}

extension SwiftCode {
    /// Returns the content of the popups of each template, and the actions that users have on them.
    /// The actions are only generated if there are popups.
    static func templates(
        _ model: RuleModel, hasPopups: Bool
    ) throws(SwiftNameClash) -> [String] {
        let templates = model.templates.entries
        let names = try SwiftName.distinct(
            templates.map(\.name.value), as: "templates", by: SwiftName.type)
        var blocks: [[String]] = []
        for (template, name) in zip(templates, names.map(\.name)) {
            blocks.append(try content(of: template, name: name))
            if hasPopups { blocks += try actions(of: template, name: name) }
        }
        return joined(blocks)
    }

    private static func actions(
        of template: TemplateModel, name: String
    ) throws(SwiftNameClash) -> [[String]] {
        let actions = (template.actions?.value ?? []).map(\.name.value)
        if actions.isEmpty { return [] }
        let type = "\(name)Action"
        return [
            try enumeration(
                type, of: actions, raw: "String, CaseIterable",
                summary: "The actions of a `\(template.name.value)`, except closing it."),
            [
                "extension PopupEngine {",
                "    /// Reports that the user used an action of a popup.",
                "    @discardableResult", "    public func acted(",
                "        _ popup: PopupName, _ action: \(type), stays: Bool = false",
                "    ) -> CallOutcome {",
                "        acted(popup.rawValue, action.rawValue, stays: stays)", "    }", "}",
            ],
        ]
    }

    private static func content(
        of template: TemplateModel, name: String
    ) throws(SwiftNameClash) -> [String] {
        let owner = "`\(template.name.value)`"
        let fields = try fields(of: template, owner: owner)
        let properties = fields.map {
            "    public var \($0.name): \($0.type)\($0.isRequired ? "" : "?")"
        }
        let keys = fields.map {
            $0.name == $0.text
                ? "    case \($0.name)" : "    case \($0.name) = \(SwiftName.literal($0.text))"
        }
        var inner = fields.compactMap(\.values)
        if fields.contains(where: { $0.name != $0.text }) {
            inner.append(["private enum CodingKeys: String, CodingKey {"] + keys + ["}"])
        }
        let lines = joined([properties] + inner.map(indented))
        let summary = "/// The content of a \(owner)."
        let head = "public struct \(name)Content: Decodable, Sendable {"
        return lines.isEmpty ? [summary, "\(head)}"] : [summary, head] + lines + ["}"]
    }

    /// A property for a field that Swift has a type for.
    private struct Field {
        let text: String
        let name: String
        let type: String
        let isRequired: Bool
        /// The enum of its values, if they are strings.
        var values: [String]?
    }

    private static func fields(
        of template: TemplateModel, owner: String
    ) throws(SwiftNameClash) -> [Field] {
        let required = template.required?.value ?? []
        let all = required + (template.optional?.value ?? [])
        let kind = "fields of \(owner)"
        let names = try SwiftName.distinct(
            all.map(\.name.value), as: kind, by: SwiftName.member)
        let types = try SwiftName.distinct(
            all.filter { $0.texts != nil }.map(\.name.value), as: kind, by: SwiftName.type)
        let ownTypes = Dictionary(uniqueKeysWithValues: types.map { ($0.text, $0.name) })
        var fields: [Field] = []
        for (index, field) in all.enumerated() {
            let ownType = ownTypes[field.name.value]
            // Dates are decoded as Foundation's `Date`.
            guard let type = ownType ?? field.type?.value.swiftName(timestamp: "Date") else {
                continue
            }
            var property = Field(
                text: field.name.value, name: names[index].name, type: type,
                isRequired: index < required.count)
            if let ownType, let texts = field.texts {
                property.values = try enumeration(
                    ownType, of: texts, raw: "String, CaseIterable, Decodable",
                    summary: "The values of `\(field.name.value)`.")
            }
            fields.append(property)
        }
        return fields
    }
}

extension ContentFieldModel {
    /// The strings that the field allows; nil if it allows other values.
    fileprivate var texts: [String]? {
        type?.value == .string ? allowedValues?.value.map(\.value).texts : nil
    }
}
