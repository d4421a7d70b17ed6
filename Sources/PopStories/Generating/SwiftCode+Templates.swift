internal import PopCEL
internal import PopRuleFiles
internal import PopSource

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
