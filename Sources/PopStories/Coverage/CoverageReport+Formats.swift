internal import PopReports
package import PopSource

extension CoverageReport {
    /// Returns JSON for programs: the shares, and every item with its place and count.
    package func json(_ places: inout SourcePlaces) -> JSON {
        var list: [JSON] = []
        for item in items {
            let place = item.range.map { places.place(of: $0) }
            list.append(
                .object([
                    "kind": .string(item.kind.word), "text": .string(item.text),
                    "popup": item.popup.map { .string($0) },
                    "outcome": item.outcome.map { .bool($0) },
                    "file": place.map { .string($0.path) },
                    "line": place.map { .int($0.line) }, "column": place.map { .int($0.column) },
                    "count": .int(item.count),
                ]))
        }
        let shares = Kind.allCases.map { kind in
            JSON.Member(key: kind.key, value: share(of: kind).json)
        }
        return .object([
            "schemaVersion": .int(JSONRenderer.schemaVersion),
            "summary": .object(shares + [JSON.Member(key: "total", value: total.json)]),
            "items": .array(list), "untried": .array(untried.map { $0.json(&places) }),
        ])
    }

    /// Returns an `lcov` tracefile for coverage viewers, with popups as functions and conditions as
    /// branches.
    package func lcov(_ places: inout SourcePlaces) -> String {
        var text = ""
        for file in placed(&places) {
            text +=
                "TN:\nSF:\(escapedForTerminal(file.path))\n" + Self.lcov(file.items)
                + "end_of_record\n"
        }
        return text
    }

    private static func lcov(_ items: [(line: Int, item: Item)]) -> String {
        var lines: [String] = []
        let popups = items.filter { $0.item.popup != nil }
        for (line, item) in popups { lines.append("FN:\(line),\(item.popup ?? "")") }
        for (_, item) in popups { lines.append("FNDA:\(item.count),\(item.popup ?? "")") }
        lines += ["FNF:\(popups.count)", "FNH:\(popups.count { $0.item.count > 0 })"]
        let branches = items.filter { $0.item.outcome != nil }
        for (number, (line, item)) in branches.enumerated() {
            // The two outcomes of a part are the branches of one block.
            lines.append("BRDA:\(line),\(number / 2),\(number % 2),\(item.count)")
        }
        lines += ["BRF:\(branches.count)", "BRH:\(branches.count { $0.item.count > 0 })"]
        let byLine = Dictionary(grouping: popups + branches, by: \.line).sorted { $0.key < $1.key }
        for (line, items) in byLine {
            lines.append("DA:\(line),\(items.map(\.item.count).max() ?? 0)")
        }
        let hit = byLine.count { $0.value.contains { $0.item.count > 0 } }
        lines += ["LF:\(byLine.count)", "LH:\(hit)"]
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the items that have a place, by file, in the order of the files and lines.
    func placed(
        _ places: inout SourcePlaces
    ) -> [(path: String, file: FileID, items: [(line: Int, item: Item)])] {
        var files: [(path: String, file: FileID, items: [(line: Int, item: Item)])] = []
        for item in items {
            guard let range = item.range else { continue }
            let place = places.place(of: range)
            if files.last?.file != range.file { files.append((place.path, range.file, [])) }
            files[files.count - 1].items.append((place.line, item))
        }
        return files
    }
}

extension CoverageReport.Kind {
    fileprivate var word: String {
        switch self {
        case .popups: "popup"
        case .conditions: "condition"
        case .behaviours: "behaviour"
        case .reasonCodes: "reason code"
        }
    }

    fileprivate var key: String { self == .reasonCodes ? "reasonCodes" : rawValue }
}

extension CoverageReport.Share {
    fileprivate var json: JSON {
        .object(["seen": .int(seen), "total": .int(total)])
    }
}
