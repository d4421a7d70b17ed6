package import PopCEL
internal import PopSource

/// A part of a condition as it is shown, with the shown parts inside it.
package struct ShownPart {
    package enum Opening {
        /// Everything inside is listed here.
        case here
        /// A named condition whose parts are listed at an earlier or later use.
        case above, below
    }

    package var part: Explanation.Part
    package var isNamed: Bool
    package var opening: Opening
    /// True if the part leads to the part that decides.
    package var isOnPath: Bool
    package var decides: Bool
    package var inside: [ShownPart]
}

/// The parts of a condition that are printed. Each named condition is opened once.
package struct PartOutline {
    package private(set) var root: ShownPart?
    /// The number of parts that are not printed.
    package private(set) var leftOut = 0

    package init(_ report: ConditionReport, marksDeciding: Bool) {
        self.init(
            report.root, named: report.named, path: marksDeciding ? report.decidingPath : [])
    }

    package init(
        _ root: Explanation.Part?, named: [String: Explanation.Part], path: [Explanation.Part]
    ) {
        var builder = Builder(named: named, path: path)
        self.root = root.flatMap { builder.add($0, isNeeded: true, path: path[...]) }
        leftOut = builder.leftOut
    }

    /// `` 12 more parts ``; nil when all are shown.
    package var rest: String? {
        leftOut > 0 ? "\(leftOut) more \(leftOut == 1 ? "part" : "parts")" : nil
    }
}

private struct Builder {
    private let named: [String: Explanation.Part]
    /// The named conditions on the path; they are opened there and not elsewhere.
    private let onPath: Set<String>
    private var opened: Set<String> = []
    private var room = PrintLimits.parts
    private(set) var leftOut = 0

    init(named: [String: Explanation.Part], path: [Explanation.Part]) {
        self.named = named
        onPath = Set(path.map(\.text).filter { named[$0] != nil })
    }

    /// Returns nil if the part is a constant or there is no room for it. Without room, the part and
    /// everything inside it are counted as left out.
    ///
    /// `path` begins with this part if it leads to the one that decides, and is empty if it
    /// doesn't.
    mutating func add(
        _ part: Explanation.Part, isNeeded: Bool, path: ArraySlice<Explanation.Part>
    ) -> ShownPart? {
        let isNamed = part.parts.isEmpty && named[part.text] != nil
        var shown = ShownPart(
            part: part, isNamed: isNamed, opening: .here, isOnPath: !path.isEmpty,
            decides: path.count == 1, inside: [])
        shown.part.wasNeeded = isNeeded && part.wasNeeded
        // A constant's value repeats its text.
        if part.parts.isEmpty, !isNamed, part.valueText == part.text { return nil }
        if room > 0 { room -= 1 } else { leftOut += 1 }
        let hasRoom = leftOut == 0
        var inside = part.parts
        if isNamed { inside = open(part.text, isOnPath: !path.isEmpty, shown: &shown) }
        for inner in inside {
            let rest = path.dropFirst()
            let leads = rest.first.map { $0.range == inner.range } ?? false
            let added = add(inner, isNeeded: shown.part.wasNeeded, path: leads ? rest : [])
            if let added { shown.inside.append(added) }
        }
        return hasRoom ? shown : nil
    }

    private mutating func open(
        _ name: String, isOnPath: Bool, shown: inout ShownPart
    ) -> [Explanation.Part] {
        if opened.contains(name) {
            shown.opening = .above
        } else if onPath.contains(name), !isOnPath {
            shown.opening = .below
        } else {
            opened.insert(name)
            return named[name].map { [$0] } ?? []
        }
        return []
    }
}

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
