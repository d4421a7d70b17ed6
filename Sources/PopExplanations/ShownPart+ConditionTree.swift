package import PopCEL
internal import PopSource

extension ConditionReport {
    /// Returns one line per part of the condition: its value, then its text. Inner parts are
    /// indented; parts of a named condition are listed where it is opened.
    ///
    /// Values of parts that were not needed are in parentheses; the part that decides may be
    /// marked.
    package func tree(marksDeciding: Bool) -> [String] {
        guard root != nil else { return [truth.phrase] }
        return PartOutline(self, marksDeciding: marksDeciding).lines
    }
}

extension Explanation {
    /// One line per part: its value, then its text.
    package var tree: [String] { PartOutline(root, named: [:], path: []).lines }
}

extension PartOutline {
    /// Columns that values may take before the texts stop lining up.
    private static let widestValue = 24

    package var lines: [String] {
        var rows: [(value: String, text: String)] = []
        if let root { root.addRows(depth: 0, to: &rows) }
        let width = min(rows.map(\.value.count).max() ?? 0, Self.widestValue)
        let lines = rows.map { row in
            let gap = String(repeating: " ", count: max(0, width - row.value.count))
            return "\(row.value)\(gap)  \(row.text)"
        }
        return lines + (rest.map { ["… \($0)"] } ?? [])
    }
}

extension ShownPart {
    fileprivate func addRows(depth: Int, to rows: inout [(value: String, text: String)]) {
        let value = part.wasNeeded ? part.valueText : "(\(part.valueText))"
        let text = String(repeating: "  ", count: depth) + bounded(part.lineText)
        rows.append((value, text + remark(isWhole: depth == 0)))
        for inner in inside { inner.addRows(depth: depth + 1, to: &rows) }
    }

    private func remark(isWhole: Bool) -> String {
        switch opening {
        case .above: return "  (its parts: see above)"
        case .below: return "  (its parts: see below)"
        case .here: break
        }
        if case .failure(let error)? = part.result, part.parts.isEmpty, !isNamed {
            return "  <- \(bounded(error.message))"
        }
        return decides && !isWhole ? "  <- decides" : ""
    }
}

extension Explanation.Part {
    /// The part's result in short form; the message of a failure is printed next to the failed
    /// part.
    package var valueText: String {
        switch result {
        case .success(let value)?: value.text(atMost: PrintLimits.value)
        case .failure?: "error"
        case nil: "not needed"
        }
    }
}
