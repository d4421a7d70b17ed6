internal import PopYAML

extension Decoder {
    /// The trigger that is meant by `on: order.paid`, and by a condition on the payload of an
    /// event; nil for other keys.
    func eventTrigger(
        _ entry: YAMLEntry, of node: YAMLNode, meant: TableSchema.Key
    ) -> String? {
        guard let text = entry.value.scalar?.text, !text.contains("\n"), !text.contains("`") else {
            return nil
        }
        if meant.name == "trigger", text.contains("."), NameForm.dotted.fits(text.utf8) {
            return "use `trigger` instead, such as `trigger: { event: \(text) }`"
        }
        guard meant.name == "when", text.hasPrefix("event.") || text.contains(" event.") else {
            return nil
        }
        let event = node.entries.first { other in
            ["on", "event", "trigger"].contains(other.key.nameForMessages)
        }?.value.scalar?.text
        let name = event.flatMap { NameForm.dotted.fits($0.utf8) ? $0 : nil } ?? "order.paid"
        let isPlain = !text.contains { "{}[],#'\"".contains($0) } && !text.contains(": ")
        let condition = isPlain ? text : "'\(text.replacing("'", with: "''"))'"
        return "check the fields of an event in the trigger: `trigger: { event: \(name), where:"
            + " \(condition) }`"
    }
}
