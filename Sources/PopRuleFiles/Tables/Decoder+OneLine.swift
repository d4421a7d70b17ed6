internal import PopSource
package import PopYAML

extension Decoder {
    /// A value as it would be written in braces or brackets, on one line; nil for a value that has
    /// no such form, is reached through an alias, or is too long.
    package func onOneLine(_ node: YAMLNode) -> String? {
        let text = writtenOnOneLine(node, depth: 8)
        return text.flatMap { $0.utf8.count <= longestLine ? $0 : nil }
    }

    /// The entry of a map in that form.
    package func onOneLine(_ entry: YAMLEntry) -> String? {
        onOneLine(entry.value).map { "\(source.text(in: entry.key.range)): \($0)" }
    }

    private func writtenOnOneLine(_ node: YAMLNode, depth: Int) -> String? {
        guard depth > 0, !node.isBroken, !node.isAlias, node.entries.count + node.items.count < 20
        else { return nil }
        switch node.kind {
        case .scalar:
            let text = source.text(in: node.range)
            if text.isEmpty || text.contains("\n") { return nil }
            let isCut = node.isPlain && text.contains { ",[]{}".contains($0) }
            if isCut { return text.contains { "\"\\".contains($0) } ? nil : "\"\(text)\"" }
            return text
        case .sequence:
            let items = node.items.map { writtenOnOneLine($0, depth: depth - 1) }
            return items.contains(nil)
                ? nil : "[\(items.compactMap(\.self).joined(separator: ", "))]"
        case .mapping:
            let entries = node.entries.map { entry in
                writtenOnOneLine(entry.value, depth: depth - 1).map {
                    "\(source.text(in: entry.key.range)): \($0)"
                }
            }
            if entries.isEmpty { return "{}" }
            return entries.contains(nil)
                ? nil : "{ \(entries.compactMap(\.self).joined(separator: ", ")) }"
        }
    }
}

/// Longer forms are not read on one line.
private let longestLine = 160
