package import PopCEL

extension ConditionReport {
    /// Every part of the condition on a line of its own behind its value; parts inside stand deeper.
    ///
    /// Values of parts that were not needed stand in parentheses; the part that decides may be marked.
    package func tree(marksDeciding: Bool) -> [String] {
        guard let root else { return ["\(truth.phrase)"] }
        var tree = ConditionTree(named: named)
        tree.add(root, depth: 0, path: marksDeciding ? decidingPath[...] : [])
        return tree.lines
    }
}

extension Explanation {
    /// Every part on a line of its own behind its value.
    package var tree: [String] {
        guard let root else { return [] }
        var tree = ConditionTree(named: [:])
        tree.add(root, depth: 0, path: [])
        return tree.lines
    }
}

/// The rows of a tree of parts.
private struct ConditionTree {
    let named: [String: Explanation.Part]
    private var rows: [(value: String, text: String)] = []

    init(named: [String: Explanation.Part]) { self.named = named }

    /// Columns that values may take before the texts stop lining up.
    private static let widestValue = 24

    var lines: [String] {
        let width = min(rows.map(\.value.count).max() ?? 0, Self.widestValue)
        return rows.map { row in
            let gap = String(repeating: " ", count: max(0, width - row.value.count))
            return "\(row.value)\(gap)  \(row.text)"
        }
    }

    /// `path` leads from this part to the one that decides; it is empty where that lies elsewhere.
    mutating func add(_ part: Explanation.Part, depth: Int, path: ArraySlice<Explanation.Part>) {
        let isNamed = part.parts.isEmpty && named[part.text] != nil
        // A constant is its own value.
        if part.parts.isEmpty, !isNamed, valueText(part) == part.text { return }
        var line = String(repeating: "  ", count: depth) + bounded(part.lineText)
        if case .failure(let error)? = part.result, part.parts.isEmpty, !isNamed {
            line += "  <- \(bounded(error.message))"
        } else if path.count == 1, depth > 0 {
            line += "  <- decides"
        }
        rows.append((bounded(valueText(part)), line))
        let inside = isNamed ? named[part.text].map { [$0] } ?? [] : part.parts
        for inner in inside {
            let rest = path.dropFirst()
            let isOnPath = rest.first.map { $0.range == inner.range } ?? false
            add(
                part.wasNeeded ? inner : inner.unneeded, depth: depth + 1,
                path: isOnPath ? rest : [])
        }
    }

    private func valueText(_ part: Explanation.Part) -> String {
        let value =
            switch part.result {
            case .success(let value)?: "\(value)"
            case .failure?: "error"
            case nil: "not needed"
            }
        return part.wasNeeded ? value : "(\(value))"
    }
}

extension Explanation.Part {
    /// The same inside a part that was not needed.
    fileprivate var unneeded: Explanation.Part {
        var part = self
        part.wasNeeded = false
        return part
    }
}
