package import PopCEL
internal import PopExplanations
internal import PopLogic
internal import PopScheduler

/// An example user, in the notation of a test file.
package struct Person: Sendable, Hashable {
    /// The values of context keys, such as `{ user.plan: pro }`.
    package let context: String
    /// The same by key, as values; nil for a key that has no value.
    package let values: [String: Value?]
    /// The fields of the event, such as `{ total: 20.0 }`; nil if conditions read none.
    package let event: String?
    /// The same by field, as values.
    package let payload: [String: Value]
    /// Other entries that conditions read, by name and value.
    package let others: [String]

    init(_ witness: Witness, _ words: TestWords) {
        var context: [(String, String)] = []
        var values: [String: Value?] = [:]
        var event: [(String, String)] = []
        var payload: [String: Value] = [:]
        var others: [String] = []
        for fact in witness.facts {
            let name = words.name(fact.entry)
            if words.declarations.isUnset(fact.entry) { continue }
            if case .key? = words.declarations.slotMeaning(fact.entry) {
                values.updateValue(fact.value, forKey: name)
                if let value = fact.value { context.append((name, value.yaml)) }
            } else if case .condition? = words.declarations.slotMeaning(fact.entry) {
                continue
            } else if case .scheduleOpen? = words.declarations.slotMeaning(fact.entry) {
                // The schedule is always open while something shows.
                continue
            } else if case .payloadField? = words.declarations.slotMeaning(fact.entry) {
                guard let value = fact.value else { continue }
                let field = String(name.dropFirst("event.".count))
                event.append((field, value.yaml))
                payload[field] = value
            } else {
                // A popup that was never shown has neither a count nor a last date; report it once.
                let text = words.fact(fact.entry, value: fact.value)
                if !others.contains(text) { others.append(text) }
            }
        }
        self.context = YAMLText.map(context)
        self.values = values
        self.event = event.isEmpty ? nil : YAMLText.map(event)
        self.payload = payload
        self.others = others
    }

    /// The user on one line.
    package var text: String {
        var parts = event.map { ["event: \($0)"] } ?? []
        if values.contains(where: { $0.value != nil }) { parts.append("context: \(context)") }
        parts += others.map { "with \($0)" }
        return parts.isEmpty ? "a user without any values" : parts.joined(separator: ", ")
    }
}
