package import PopCEL
internal import PopExplanations
internal import PopLogic
internal import PopScheduler

/// Somebody for whom something is so, as a test file writes it.
package struct Person: Sendable, Hashable {
    /// The values of context keys, such as `{ user.plan: pro }`.
    package let context: String
    /// The same as values, by key; nil for a key that has none.
    package let values: [String: Value?]
    /// What else conditions read, by name and value.
    package let others: [String]

    init(_ witness: Witness, _ words: TestWords) {
        var context: [(String, String)] = []
        var values: [String: Value?] = [:]
        var others: [String] = []
        for fact in witness.facts {
            let name = words.name(fact.entry)
            if case .key? = words.declarations.slotMeaning(fact.entry) {
                values.updateValue(fact.value, forKey: name)
                if let value = fact.value { context.append((name, value.yaml)) }
            } else if case .condition? = words.declarations.slotMeaning(fact.entry) {
                continue
            } else if let value = fact.value {
                others.append("\(name) \(value.yaml)")
            } else {
                others.append("\(name) missing")
            }
        }
        self.context = YAMLText.map(context)
        self.values = values
        self.others = others
    }

    /// On one line.
    package var text: String {
        (["context: \(context)"] + others.map { "with \($0)" }).joined(separator: ", ")
    }
}
