internal import PopAnalysis
internal import PopCEL
internal import PopExplanations
internal import PopRuleFiles
internal import PopScheduler
internal import PopSource
internal import PopWire

extension Page {
    /// Returns data on context keys that the bundle lacks: their descriptions, and the values at
    /// which conditions change their result.
    static func keys(of rules: RuleSet, model: RuleModel?, limits: AnalysisLimits) -> JSON {
        let asked = AskedValues(rules, limits: limits).byKey
        var meanings: [String: String] = [:]
        for key in model?.context.entries ?? [] {
            meanings[key.name.value] = key.description?.value
        }
        return .array(
            rules.keys.map { key in
                .object([
                    "name": .string(key.name),
                    "description": meanings[key.name].map { .string($0) },
                    "asked": .array(
                        (asked[key.name] ?? []).map { WireForm<Value>.value.write($0) }),
                ])
            })
    }
}
