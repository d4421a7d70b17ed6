internal import PopCEL
internal import PopRuleFiles
internal import PopSource

extension SwiftCode {
    /// What the popups of each template say, and what people can do on them.
    static func templates(_ model: RuleModel) throws(SwiftNameClash) -> [String] {
        let templates = model.templates.entries
        let names = try SwiftName.distinct(
            templates.map(\.name.value), as: "templates", by: SwiftName.type)
        if names.isEmpty { return [] }
        var blocks: [[String]] = []
        for (template, name) in zip(templates, names.map(\.name)) {
            blocks.append(try content(of: template, name: name))
            let actions = (template.actions?.value ?? []).map(\.name.value)
            if actions.isEmpty { continue }
            let type = "\(name)Action"
            blocks.append(
                try enumeration(
                    type, of: actions, raw: "String, CaseIterable",
                    summary: "What people can do on a `\(template.name.value)` besides closing it.")
            )
            blocks.append([
                "extension PopupEngine {", "    @discardableResult", "    public func acted(",
                "        _ popup: PopupName, _ action: \(type), stays: Bool = false",
                "    ) -> CallOutcome {",
                "        acted(popup.rawValue, action.rawValue, stays: stays)", "    }", "}",
            ])
        }
        return joined(blocks)
    }

    private static func content(
        of template: TemplateModel, name: String
    ) throws(SwiftNameClash) -> [String] {
        let required = template.required?.value ?? []
        let optional = template.optional?.value ?? []
        let all = required + optional
        let owner = "`\(template.name.value)`"
        let names = try SwiftName.distinct(
            all.map(\.name.value), as: "fields of \(owner)", by: SwiftName.member)
        var properties: [String] = []
        var enums: [[String]] = []
        var needsKeys = false
        for (index, field) in all.enumerated() {
            var type = field.type?.value.swiftName
            if let values = field.allowedValues?.value.map(\.value), field.type?.value == .string {
                let texts = values.compactMap { value in
                    if case .string(let text) = value { text } else { nil as String? }
                }
                let name = SwiftName.type(field.name.value)
                type = name
                enums.append(
                    try enumeration(
                        name, of: texts, raw: "String, CaseIterable, Decodable",
                        summary: "What `\(field.name.value)` may be."))
            }
            guard let type else { continue }
            let mark = index < required.count ? "" : "?"
            properties.append("    public var \(names[index].name): \(type)\(mark)")
            needsKeys = needsKeys || names[index].name != field.name.value
        }
        let keys = zip(all, names).filter { $0.0.type?.value.swiftName != nil }.map { _, name in
            name.name == name.text
                ? "    case \(name.name)" : "    case \(name.name) = \"\(name.text)\""
        }
        let coding =
            needsKeys ? ["private enum CodingKeys: String, CodingKey {"] + keys + ["}"] : []
        let inner = joined(enums + [coding]).map { $0.isEmpty ? "" : "    \($0)" }
        return ["/// What a \(owner) says.", "public struct \(name)Content: Decodable, Sendable {"]
            + properties + (inner.isEmpty || properties.isEmpty ? [] : [""]) + inner + ["}"]
    }
}
